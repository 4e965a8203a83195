# A half of node-b fell off the bus: its netdev is gone.
#
# suites: preflight link mtu phy
# effect: ! ip -n node-b link show enP2p1s0f0np0
# red: HalfLink\.IsTheDeviceOfTheRigFile/node_b_enP2p1s0f0np0
# red: PortMap\..*/node_b_port0
# may: (HalfLink|HalfAddress|QuietHalf)\..*/node_b_enP2p1s0f0np0
# may: /(rail1_|link0_|node_a_(to_)?node_b|node_b_to_node_a)
# names: node-b enP2p1s0f0np0 rail1
set -e
ip -n node-b link del enP2p1s0f0np0
