# Node-a sends rail 0's traffic by the management network.
# suites: preflight link phy
#
# effect: ip -n node-a route get 198.18.1.2 | grep -q mgmt0
# red: RailRoute\.LeavesByTheRail/rail0_node_a_to_node_b
# may: ^(mtu|tcp|phy|redundancy)\..*/(rail0_|link0_|node_a_(to_)?node_b|node_b_to_node_a)
# names: node-a rail0 mgmt0
set -e
ip -n node-a route add 198.18.1.2/32 via 198.18.0.2 dev mgmt0
