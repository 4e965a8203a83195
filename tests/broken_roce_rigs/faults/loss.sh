# 5 % of what node-a sends by port 0 is lost.
#
# suites: rdma
# option: '--gtest_filter=*RailRdmaRate.OfWritesFillsTheHalf/*'
# red: RailRdmaRate\.OfWritesFillsTheHalf/rail0_node_a_to_node_b
# red: RailRdmaRate\.OfWritesFillsTheHalf/rail1_node_a_to_node_b
# may: /rail[01]_node_b_to_node_a
# names: node-a rocep1s0f0 retry
set -e
echo 'loss=5 only=a' > "$(dirname "$RIGPROOF_RIG")/cable/port0"
