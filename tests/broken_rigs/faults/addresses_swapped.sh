# The halves of node-b's port 0 have each other's address. Both are behind the same port, so pings do go through.
#
# suites: preflight link mtu
# effect: ip -n node-b -br addr show enp1s0f0np0 | grep -q 198.18.2.2/24 && ping -q -c 1 -W 1 198.18.1.2
# red: HalfAddress\.HasOnlyItsAddress/node_b_enp1s0f0np0
# red: HalfAddress\.HasOnlyItsAddress/node_b_enP2p1s0f0np0
# red: RailRoute\.LeavesByTheRail/rail0_node_b_to_node_a
# red: RailRoute\.LeavesByTheRail/rail1_node_b_to_node_a
# may: /(rail[01]_|link0_|node_a_(to_)?node_b|node_b_to_node_a)
# names: node-b enp1s0f0np0 enP2p1s0f0np0 rail0 rail1
set -e
ip -n node-b addr flush dev enp1s0f0np0
ip -n node-b addr flush dev enP2p1s0f0np0
ip -n node-b addr add 198.18.2.2/24 dev enp1s0f0np0
ip -n node-b addr add 198.18.1.2/24 dev enP2p1s0f0np0
