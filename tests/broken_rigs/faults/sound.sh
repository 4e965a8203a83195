# No fault: the rig must qualify.
# suites: link mtu tcp phy redundancy
