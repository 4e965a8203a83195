# The limit on locked memory that mpirun's ranks inherit on node-a is a login shell's.
#
# suites: preflight
# option: '--gtest_filter=*NodeReady.LocksMemory*:*HalfRdma.UsesTheLargestPathMtu*'
# red: NodeReady\.LocksMemory/node_a
# names: node-a 65536
set -e
prlimit --pid "$PPID" --memlock=65536:65536
