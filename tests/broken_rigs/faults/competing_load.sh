# Somebody else sends 500 Mbit/s from node-b to node-a over rail 1.
# The wires of a model rig are made of the same CPUs as that load: only cases that leave it room are run.
#
# option: '--gtest_filter=*RailWiring.*:*RailMtu.*:*QuietPort.*:*RailRate.FillsTheHalf/*:*PortRate.*/link0_node_b_*'
# effect: test "$(python3 traffic.py carried fabric b-port0)" -gt 250
# red: QuietPort\..*/node_a_port0
# red: QuietPort\..*/node_b_port0
# red: RailRate\.FillsTheHalf/rail1_node_b_to_node_a
# red: PortRate\..*/link0_node_b_to_node_a
# names: node-a node-b rail1
set -e
ip netns exec node-b python3 "$(dirname "$0")/../traffic.py" flood 198.18.2.2 198.18.2.1 500 >/dev/null 2>&1 &
