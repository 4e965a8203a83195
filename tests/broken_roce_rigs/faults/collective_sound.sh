# A sound rig carries collectives by MPI over TCP on the halves, and qualifies.
# suites: collective
#
true
