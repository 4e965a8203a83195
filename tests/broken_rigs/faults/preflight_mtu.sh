# A half of node-b fell back to MTU 1500: seen before any load, with what to type.
#
# suites: preflight
# effect: ip -n node-b link show enp1s0f0np0 | grep -q 'mtu 1500'
# red: HalfLink\.HasItsMtu/node_b_enp1s0f0np0
# red: NodeAgreement\.IsComplete/node_a_node_b
# remedy: sudo ip link set enp1s0f0np0 mtu 9000   # node-b
# names: node-b enp1s0f0np0
set -e
ip -n node-b link set enp1s0f0np0 mtu 1500
