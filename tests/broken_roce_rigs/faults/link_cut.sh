# The cable of port 0 is pulled while node-a writes along rail 0.
#
# suites: rdma
# option: '--gtest_filter=*RailRdmaRate.OfWritesFillsTheHalf/rail0_node_a_to_node_b:*RailRdmaRate.OfWritesFillsTheHalf/rail2_*'
# red: RailRdmaRate\.OfWritesFillsTheHalf/rail0_node_a_to_node_b
# may: ^run\.
# names: node-a rocep1s0f0 acknowledge
set -e
sent=/sys/class/infiniband/rocep1s0f0/ports/1/hw_counters/sent_pkts
(while [ "$(cat $sent)" -lt 100 ]; do sleep 0.02; done
 echo unplugged > "$(dirname "$RIGPROOF_RIG")/cable/port0") </dev/null >/dev/null 2>&1 &
