# The limit on locked memory that mpirun's ranks inherit on node-a is a login shell's.
#
# suites: rdma
# option: '--gtest_filter=*NodeMemory.*:*HalfDevice.HasItsPathMtu*'
# red: NodeMemory\..*/node_a
# names: node-a 65536
set -e
prlimit --pid "$PPID" --memlock=65536:65536
