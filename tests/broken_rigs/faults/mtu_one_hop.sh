# A hop that takes 1500 B only: the switch port of node-b's port 1, both ways. Larger packets vanish without a word.
#
# effect: ! ping -q -c 1 -W 1 -M do -s 8972 198.18.3.2 && ping -q -c 1 -W 1 -M do -s 1472 198.18.3.2
# effect: ! ip netns exec node-b ping -q -c 1 -W 1 -M do -s 8972 198.18.4.1
# red: RailMtu\.CarriesFullSizePackets/rail2_node_a_to_node_b
# red: RailMtu\.CarriesFullSizePackets/rail2_node_b_to_node_a
# red: RailMtu\.CarriesFullSizePackets/rail3_node_a_to_node_b
# red: RailMtu\.CarriesFullSizePackets/rail3_node_b_to_node_a
# red: RailRate\.FillsTheHalf/rail[23]_
# may: ^(tcp|phy|redundancy)\..*/(rail[23]_|link1_|node_a_(to_)?node_b|node_b_to_node_a)
# names: node-a node-b rail2 rail3
set -e
ip -n fabric link set sw-b-port1 mtu 1500
