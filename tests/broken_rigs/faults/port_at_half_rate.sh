# Node-a's port 0 sends at the rate of one half: each half alone is fine, both at once are not.
#
# effect: test "$(python3 traffic.py rate node-a node-b 1 2)" -lt 1200
# red: PortRate\..*/link0_node_a_to_node_b
# may: NodeRate\..*/node_a_(to_)?node_b
# may: ^redundancy\.
# names: node-a node-b link0
set -e
tc -n fabric qdisc replace dev a-port0 root tbf rate 1gbit burst 256kb latency 20ms
