# node-a knows the peer's address by another card's MAC: what it sends arrives nowhere.
#
# suites: rdma
# option: '--gtest_filter=*Connection.*:*Latency.OfAWrite*'
# red: Connection\..*/rail0_node_a_to_node_b
# red: Latency\.OfAWrite/rail0_node_a_node_b
# may: Connection\..*/rail0_node_b_to_node_a
# names: node-a rocep1s0f0 retry status
set -e
ip neigh replace 198.18.1.2 lladdr 02:00:00:00:99:99 dev enp1s0f0np0 nud permanent
