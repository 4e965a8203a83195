# The rank of node-b stops in the middle of a collective and never goes on: the deadline names it.
# suites: collective
#
# red: EachPair/Mpi(Bandwidth|Latency)\.
# may: ^rigproof\.run
# names: node-b
set -e
sh "$(dirname "$0")/strike" STOP &
