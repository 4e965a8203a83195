# Two halves of node-b are in one subnet, and each answers for the other: the kernel's defaults.
#
# suites: preflight
# effect: ip -n node-b -br addr show enP2p1s0f0np0 | grep -q 198.18.1.12/24 && ip netns exec node-b grep -qx 0 /proc/sys/net/ipv4/conf/all/arp_ignore
# red: NodeSettings\.NoArpFlux/node_b
# red: NodeSettings\.AreAsTheThresholdsName/node_b
# red: NodeAgreement\.IsComplete/node_a_node_b
# red: HalfAddress\.HasOnlyItsAddress/node_b_enP2p1s0f0np0
# remedy: sudo sysctl -w net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2 net.ipv4.conf.all.rp_filter=2   # node-b
# remedy: sudo ip addr del 198.18.1.12/24 dev enP2p1s0f0np0   # node-b
# names: node-b enP2p1s0f0np0
set -e
ip -n node-b addr add 198.18.1.12/24 dev enP2p1s0f0np0
for scope in all default enp1s0f0np0 enP2p1s0f0np0; do
  ip netns exec node-b sh -c "echo 0 > /proc/sys/net/ipv4/conf/$scope/arp_ignore"
done
