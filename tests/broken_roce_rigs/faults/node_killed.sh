# node-b loses its power while node-a writes to it.
#
# suites: rdma
# option: '--gtest_filter=*RailRdmaRate.OfWritesFillsTheHalf/rail0_node_a_to_node_b:*Connection.*/rail2_node_a_to_node_b'
# red: RailRdmaRate\.OfWritesFillsTheHalf/rail0_node_a_to_node_b
# may: suite-incomplete
# names: node-b rocep1s0f0 acknowledge
set -e
sh "$(dirname "$0")/when_written_to" 'echo b > /proc/sysrq-trigger'
