# A half of node-a is gone, as a card that fell off the bus.
#
# suites: preflight
# effect: ! ip -n node-a link show enP2p1s0f1np1
# red: HalfLink\.IsTheDeviceOfTheRigFile/node_a_enP2p1s0f1np1
# red: PortMap\.HasOnlyItsHalves/node_a_port1
# red: RailRoute\.LeavesByTheRail/rail3_node_a_to_node_b
# may: /node_a_enP2p1s0f1np1|NodeAgreement
# names: node-a enP2p1s0f1np1
set -e
ip -n node-a link del enP2p1s0f1np1
