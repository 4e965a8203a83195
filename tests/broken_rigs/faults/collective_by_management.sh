# Somebody's launch command sends the load of the collectives by the management network, which is faster here.
# suites: collective phy
# option: --launcher 'mpirun --mca btl_tcp_if_include mgmt0'
#
# red: MpiWire\.CarriesThePayloadOnce/node_a_node_b
# red: MpiBandwidth\.OfSendRecv/node_a_node_b
# red: MpiBandwidth\.OfReduce/node_a_node_b
# may: MpiBandwidth\.
# names: node-a node-b collective.mpi.management phy.collective.agreement phy.collective.management btl_tcp_if_include
true
