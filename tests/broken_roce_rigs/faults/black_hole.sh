# A hop of port 1 takes 1500 B packets only, and says so to nobody.
#
# suites: rdma
# option: '--gtest_filter=*Connection.*'
# red: Connection\..*/rail2_node_a_to_node_b
# red: Connection\..*/rail3_node_b_to_node_a
# may: Connection\..*/rail[23]_
# names: node-a node-b rocep1s0f1 MTU
set -e
echo 'mtu=1500' > "$(dirname "$RIGPROOF_RIG")/cable/port1"
