# Node-b filters by the reverse path, strictly.
#
# suites: preflight
# effect: ip netns exec node-b grep -qx 1 /proc/sys/net/ipv4/conf/all/rp_filter
# red: NodeSettings\.AreAsTheThresholdsName/node_b
# red: NodeAgreement\.IsComplete/node_a_node_b
# remedy: sudo sysctl -w net.ipv4.conf.all.rp_filter=2   # node-b
# names: node-b rp_filter
set -e
ip netns exec node-b sh -c 'echo 1 > /proc/sys/net/ipv4/conf/all/rp_filter'
