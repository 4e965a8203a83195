# 1 % of the packets to node-b's port 0 are lost, at random, in that direction only.
# The filter is classic BPF: a random word above 1 % of its range -> pass, else drop.
#
# effect: ping -q -f -c 2000 -W 1 198.18.1.2 | grep -qE ' (0\.[3-9]|[1-3])[0-9.]*% packet loss'
# red: RailRate\.FillsTheHalf/rail0_node_a_to_node_b
# red: RailRate\.FillsTheHalf/rail1_node_a_to_node_b
# red: WireBytes\.AgreeWithThePayload/link0_node_a_to_node_b
# may: ^(tcp|phy|redundancy)\..*/(rail[01]_node_a_(to_)?node_b|link0_node_a_(to_)?node_b|node_a_(to_)?node_b)
# may: (DuplexRate|RoundTrip)\..*/rail[01]_
# names: node-a node-b rail0 rail1
set -e
tc -n fabric qdisc add dev sw-b-port0 clsact
tc -n fabric filter add dev sw-b-port0 egress bpf da bytecode \
  '4,32 0 0 4294963256,53 1 0 42949673,6 0 0 2,6 0 0 4294967295,'
