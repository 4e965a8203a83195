# Packets above 1500 B vanish on their way to node-b's port 1, and only in that direction.
# The filter is classic BPF: longer than 1514 B with the Ethernet header -> drop.
#
# effect: ! ip netns exec node-b ping -q -c 1 -W 1 -M do -s 8972 198.18.3.1 && ping -q -c 1 -W 1 -M do -s 1472 198.18.3.2
# effect: python3 traffic.py rate node-b node-a 3 | grep -qv '^0$' && python3 traffic.py rate node-a node-b 3 | grep -q '^0$'
# red: RailMtu\.CarriesFullSizePackets/rail2_node_a_to_node_b
# red: RailMtu\.CarriesFullSizePackets/rail3_node_a_to_node_b
# red: RailRate\.FillsTheHalf/rail[23]_node_a_to_node_b
# may: ^(tcp|phy|redundancy)\..*/(rail[23]_node_a_(to_)?node_b|link1_node_a_(to_)?node_b|node_a_(to_)?node_b)
# may: DuplexRate\..*/rail[23]_
# names: node-b rail2 rail3
set -e
tc -n fabric qdisc add dev sw-b-port1 clsact
tc -n fabric filter add dev sw-b-port1 egress bpf da bytecode '4,128 0 0 0,37 0 1 1514,6 0 0 2,6 0 0 4294967295,'
