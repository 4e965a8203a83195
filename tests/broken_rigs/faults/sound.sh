# No fault: the rig must qualify.
# suites: preflight host link mtu tcp phy redundancy
