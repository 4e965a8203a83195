# Two halves of node-a have each other's address: their rails are swapped.
#
# suites: preflight
# effect: ip -n node-a -br addr show enp1s0f0np0 | grep -q 198.18.2.1/24
# red: HalfAddress\.HasOnlyItsAddress/node_a_enp1s0f0np0
# red: HalfAddress\.HasOnlyItsAddress/node_a_enP2p1s0f0np0
# red: RailRoute\.LeavesByTheRail/rail0_node_a_to_node_b
# red: RailRoute\.LeavesByTheRail/rail1_node_a_to_node_b
# remedy: sudo ip addr add 198.18.1.1/24 dev enp1s0f0np0   # node-a
# remedy: sudo ip addr add 198.18.2.1/24 dev enP2p1s0f0np0   # node-a
# names: node-a rail0 rail1
set -e
ip -n node-a addr flush dev enp1s0f0np0
ip -n node-a addr flush dev enP2p1s0f0np0
ip -n node-a addr add 198.18.2.1/24 dev enp1s0f0np0
ip -n node-a addr add 198.18.1.1/24 dev enP2p1s0f0np0
