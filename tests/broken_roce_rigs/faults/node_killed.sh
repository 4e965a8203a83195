# node-b loses its power while node-a writes to it.
#
# suites: rdma
# option: '--gtest_filter=*RailRdmaRate.OfWritesFillsTheHalf/rail0_node_a_to_node_b:*HalfDevice.IsActive*'
# red: RailRdmaRate\.OfWritesFillsTheHalf/rail0_node_a_to_node_b
# may: suite-incomplete
# names: node-b rocep1s0f0 acknowledge
set -e
# Waits by built-ins: starting a program takes long enough under emulation for the transfer to be over.
ssh node-b "bash -c '
exec 9<> <(:)
while read -r packets < /sys/class/infiniband/rocep1s0f0/ports/1/hw_counters/rcvd_pkts && [ \$packets -lt 100 ]; do
  read -rt 0.02 -u 9
done
echo b > /proc/sysrq-trigger' </dev/null >/dev/null 2>&1 &"
