# A half of node-b sends at a fiftieth of its rate: it holds every collective up, whose data is shared out evenly.
# suites: collective
#
# effect: test "$(python3 traffic.py rate node-b node-a 1)" -lt 30
# red: MpiBandwidth\.OfSendRecv/node_a_node_b
# red: MpiBandwidth\.OfAllReduce/node_a_node_b
# may: ^collective\.
# names: node-a collective.mpi.busbw
set -e
tc -n node-b qdisc replace dev enp1s0f0np0 root tbf rate 20mbit burst 64kb latency 50ms
