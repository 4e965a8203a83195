# Somebody sets a half of node-b down while node-a writes to it. The carrier stays: its device says so, and the run's end.
#
# suites: rdma
# option: '--gtest_filter=*RailRdmaRate.OfWritesFillsTheHalf/rail0_node_a_to_node_b:*RailRdmaRate.OfWritesFillsTheHalf/rail2_node_a*'
# red: RailRdmaRate\.OfWritesFillsTheHalf/rail0_node_a_to_node_b
# red: Steady\.state/node_b
# names: node-b rocep1s0f0 acknowledge 'port error' enp1s0f0np0
set -e
sh "$(dirname "$0")/when_written_to" 'ip link set enp1s0f0np0 down'
