# The rank of node-b is killed in the middle of a collective: its case is an error, the others run.
# suites: collective
#
# red: EachPair/Mpi(Bandwidth|Latency)\.
# may: ^rigproof\.run
# names: node-b
set -e
sh "$(dirname "$0")/strike" KILL &
