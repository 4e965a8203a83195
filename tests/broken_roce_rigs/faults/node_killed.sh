# node-b loses its power while node-a writes to it.
#
# suites: rdma
# option: '--gtest_filter=*RailRdmaRate.OfWritesFillsTheHalf/rail0_node_a_to_node_b:*HalfDevice.IsActive*'
# red: RailRdmaRate\.OfWritesFillsTheHalf/rail0_node_a_to_node_b
# may: .
# names: node-b rocep1s0f0 acknowledge
set -e
ssh node-b 'received=/sys/class/infiniband/rocep1s0f0/ports/1/hw_counters/rcvd_pkts
(while read -r packets < $received && [ "$packets" -lt 100 ]; do sleep 0.02; done
 echo b > /proc/sysrq-trigger) </dev/null >/dev/null 2>&1 &'
