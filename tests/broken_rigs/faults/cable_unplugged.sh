# The cable of node-b's port 1 is out: both its halves lose their carrier, those of node-a do not.
#
# suites: preflight link mtu phy
# effect: test "$(ip netns exec node-b cat /sys/class/net/enp1s0f1np1/carrier)" = 0
# red: HalfLink\.IsUp/node_b_enp1s0f1np1
# red: HalfLink\.IsUp/node_b_enP2p1s0f1np1
# red: RailWiring\.IsHeardAtTheOtherEnd/rail2_
# may: HalfLink\..*/node_b_enP?2?p1s0f1np1
# may: /(rail[23]_|link1_|node_a_(to_)?node_b|node_b_to_node_a)
# names: node-b enp1s0f1np1 enP2p1s0f1np1 rail2 rail3
set -e
ip -n fabric link set sw-b-port1 down
