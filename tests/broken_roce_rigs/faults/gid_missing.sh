# A half of node-b has lost its address, and its device the GID that stands for it.
#
# suites: preflight rdma
# option: '--gtest_filter=*HalfRdma.*:*Connection.*'
# red: HalfRdma\.HasARoceV2Gid/node_b_enP2p1s0f1np1
# red: Connection\..*/rail3_node_a_to_node_b
# red: Connection\..*/rail3_node_b_to_node_a
# names: node-b roceP2p1s0f1 198.18.4.2
set -e
ssh node-b ip addr del 198.18.4.2/24 dev enP2p1s0f1np1
