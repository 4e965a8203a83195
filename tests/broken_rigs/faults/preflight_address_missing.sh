# A half of node-b has no address.
#
# suites: preflight
# effect: ! ip -n node-b -br addr show enp1s0f0np0 | grep -q 198.18.1.2/24
# red: HalfAddress\.HasOnlyItsAddress/node_b_enp1s0f0np0
# red: RailRoute\.LeavesByTheRail/rail0_node_b_to_node_a
# remedy: sudo ip addr add 198.18.1.2/24 dev enp1s0f0np0   # node-b
# remedy: sudo ip route replace 198.18.1.1/32 dev enp1s0f0np0 src 198.18.1.2   # node-b
# names: node-b enp1s0f0np0 rail0
set -e
ip -n node-b addr del 198.18.1.2/24 dev enp1s0f0np0
