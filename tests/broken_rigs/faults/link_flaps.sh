# The cable of node-b's port 1 loses its link for a moment, every eight seconds.
#
# effect: sleep 9; test "$(ip netns exec node-b cat /sys/class/net/enp1s0f1np1/carrier_down_count)" -gt 0
# red: Steady\.link_down_events/node_b_enp1s0f1np1
# red: Steady\.link_down_events/node_b_enP2p1s0f1np1
# may: /(rail[23]_|link1_|node_a_(to_)?node_b|node_b_to_node_a|node_b_enP?2?p1s0f1np1)
# names: node-b enp1s0f1np1 enP2p1s0f1np1
set -e
while sleep 8; do
  ip -n fabric link set sw-b-port1 down
  ip -n fabric link set sw-b-port1 up
done >/dev/null 2>&1 &
