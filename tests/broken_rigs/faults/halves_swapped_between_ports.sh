# A half of node-b's port 0 and one of its port 1 have each other's name (and so address): each sits behind the
# other's port.
#
# suites: preflight link mtu
# effect: ip -n node-b -br link show enp1s0f0np0 | grep -q 02:00:00:02:01:00 && ! ping -q -c 1 -W 1 198.18.1.2
# red: HalfLink\.IsTheDeviceOfTheRigFile/node_b_enp1s0f0np0
# red: HalfLink\.IsTheDeviceOfTheRigFile/node_b_enp1s0f1np1
# red: PortMap\..*/node_b_port0
# red: PortMap\..*/node_b_port1
# red: RailWiring\.IsHeardAtTheOtherEnd/rail0_
# red: RailWiring\.IsHeardAtTheOtherEnd/rail2_
# may: /(rail[02]_|link[01]_|node_a_(to_)?node_b|node_b_to_node_a)
# names: node-b enp1s0f0np0 enp1s0f1np1 rail0 rail2
set -e
. "$(dirname "$0")/swap_netdevs"
swap_netdevs node-b enp1s0f0np0 enp1s0f1np1
