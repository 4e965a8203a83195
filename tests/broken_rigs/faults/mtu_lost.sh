# A half of node-b fell back to MTU 1500, as after a reboot or a firmware update. TCP adapts, at smaller packets.
#
# suites: preflight link mtu tcp phy
# effect: ip netns exec node-b ping -c 1 -W 1 -M do -s 8972 198.18.1.1 2>&1 | grep -q 'mtu=1500'
# red: HalfLink\.HasItsMtu/node_b_enp1s0f0np0
# red: RailMtu\.CarriesFullSizePackets/rail0_
# may: NodeAgreement\.IsComplete/node_a_node_b
# may: ^(tcp|phy|redundancy)\..*/(rail0_|link0_|node_a_(to_)?node_b|node_b_to_node_a)
# names: node-b enp1s0f0np0 rail0
set -e
ip -n node-b link set enp1s0f0np0 mtu 1500
