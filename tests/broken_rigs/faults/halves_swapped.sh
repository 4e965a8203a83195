# The two halves of node-b's port 0 have each other's name (and so address): all traffic works, on the wrong PCIe link.
#
# suites: preflight link mtu
# effect: ip -n node-b -br link show enp1s0f0np0 | grep -q 02:00:00:02:00:01 && ping -q -c 1 -W 1 198.18.1.2
# red: HalfLink\.IsTheDeviceOfTheRigFile/node_b_enp1s0f0np0
# red: HalfLink\.IsTheDeviceOfTheRigFile/node_b_enP2p1s0f0np0
# names: node-b enp1s0f0np0 enP2p1s0f0np0 02:00:00:02:00:01
set -e
. "$(dirname "$0")/swap_netdevs"
swap_netdevs node-b enp1s0f0np0 enP2p1s0f0np0
