# Somebody's launch command leaves one half out of the collectives: the others carry all, at a rate that looks good.
# suites: collective phy
# option: --launcher 'mpirun --mca btl_tcp_if_include 198.18.1.0/24,198.18.2.0/24,198.18.3.0/24'
#
# red: MpiWire\.CarriesThePayloadOnce/node_a_node_b
# names: node-a node-b enP2p1s0f1np1 phy.collective.half_share btl_tcp_if_include
true
