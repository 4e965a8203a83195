# A half of node-a is down.
#
# suites: preflight link mtu tcp phy
# effect: ip -n node-a -br link show enP2p1s0f1np1 | grep -q DOWN && ! ping -q -c 1 -W 1 198.18.4.2
# red: HalfLink\.IsUp/node_a_enP2p1s0f1np1
# red: RailWiring\.IsHeardAtTheOtherEnd/rail3_
# red: RailMtu\.CarriesFullSizePackets/rail3_node_a_to_node_b
# red: RailRate\.FillsTheHalf/rail3_node_a_to_node_b
# red: RailRate\.FillsTheHalf/rail3_node_b_to_node_a
# may: HalfLink\..*/node_a_enP2p1s0f1np1
# may: /(rail3_|link1_|node_a_(to_)?node_b|node_b_to_node_a)
# names: node-a enP2p1s0f1np1 rail3
set -e
ip -n node-a link set enP2p1s0f1np1 down
