# The cable of port 0 is pulled while node-a writes along rail 0.
#
# suites: rdma
# option: '--gtest_filter=*RailRdmaRate.OfWritesFillsTheHalf/rail0_node_a_to_node_b:*RailRdmaRate.OfWritesFillsTheHalf/rail2_*'
# red: RailRdmaRate\.OfWritesFillsTheHalf/rail0_node_a_to_node_b
# may: ^run\.
# names: node-a rocep1s0f0 acknowledge
set -e
echo 'unplugged after=200' > "$(dirname "$RIGPROOF_RIG")/cable/port0"
