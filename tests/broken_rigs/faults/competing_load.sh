# Somebody else sends 600 Mbit/s from node-b to node-a over rail 1.
#
# effect: test "$(python3 traffic.py carried fabric b-port0)" -gt 300
# red: QuietPort\..*/node_a_port0
# red: QuietPort\..*/node_b_port0
# red: RailRate\.FillsTheHalf/rail1_node_b_to_node_a
# red: PortRate\..*/link0_node_b_to_node_a
# may: ^tcp\..*/(rail1_|node_b_to_node_a)
# may: ^phy\.
# may: ^redundancy\.
# names: node-a node-b rail1
set -e
ip netns exec node-b python3 "$(dirname "$0")/../traffic.py" flood 198.18.2.2 198.18.2.1 600 >/dev/null 2>&1 &
