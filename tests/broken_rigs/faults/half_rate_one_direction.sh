# A half of node-a sends at half its rate; what it receives is at full rate.
#
# effect: test "$(python3 traffic.py rate node-a node-b 1)" -lt 600
# red: RailRate\.FillsTheHalf/rail0_node_a_to_node_b
# red: PortRate\..*/link0_node_a_to_node_b
# red: DuplexRate\..*/rail0_node_a_node_b
# may: NodeRate\..*/node_a_(to_)?node_b
# may: ^redundancy\.
# names: node-a node-b rail0
set -e
tc -n node-a qdisc replace dev enp1s0f0np0 root tbf rate 500mbit burst 256kb latency 20ms
