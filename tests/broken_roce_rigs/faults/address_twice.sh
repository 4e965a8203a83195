# node-b has node-a's address, too: it can connect to that, by itself, and node-a to nothing.
#
# suites: rdma
# option: '--gtest_filter=*RailRdmaRate.*/rail0_*:*DuplexRdmaRate.*/rail0_*:*Latency.OfAWrite/rail0_*:*Connection.*/rail0_*:*Connection.*/rail1_*'
# red: Connection\..*/rail0_node_a_to_node_b
# red: Connection\..*/rail0_node_b_to_node_a
# red: RailRdmaRate\..*/rail0_node_a_to_node_b
# red: RailRdmaRate\..*/rail0_node_b_to_node_a
# may: /rail0_
# names: node-a node-b rocep1s0f0 "the peer's address is not to be reached" 'on node-b: 0 Gbit/s'
set -e
ssh node-b ip addr add 198.18.1.1/24 dev enp1s0f0np0
