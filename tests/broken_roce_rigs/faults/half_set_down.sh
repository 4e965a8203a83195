# Somebody sets a half of node-b down while node-a writes to it. The carrier stays: its device says so, and the run's end.
#
# suites: rdma
# option: '--gtest_filter=*RailRdmaRate.OfWritesFillsTheHalf/rail0_node_a_to_node_b:*RailRdmaRate.OfWritesFillsTheHalf/rail2_node_a*'
# red: RailRdmaRate\.OfWritesFillsTheHalf/rail0_node_a_to_node_b
# red: Steady\.state/node_b
# names: node-b rocep1s0f0 acknowledge port error enp1s0f0np0
set -e
# Waits by built-ins: starting a program takes long enough under emulation for the transfer to be over.
ssh node-b "bash -c '
exec 9<> <(:)
while read -r packets < /sys/class/infiniband/rocep1s0f0/ports/1/hw_counters/rcvd_pkts && [ \$packets -lt 100 ]; do
  read -rt 0.02 -u 9
done
ip link set enp1s0f0np0 down' </dev/null >/dev/null 2>&1 &"
