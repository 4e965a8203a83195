# A half of node-b has no RDMA device: its driver is not bound.
#
# suites: preflight rdma
# option: '--gtest_filter=*HalfRdma.*:*PortRdma.*:*Connection.*'
# red: HalfRdma\.BelongsToTheHalf/node_b_enp1s0f0np0
# red: PortRdma\.OneDevicePerHalf/node_b_port0
# red: Connection\..*/rail0_node_a_to_node_b
# red: Connection\..*/rail0_node_b_to_node_a
# may: HalfRdma\..*/node_b_enp1s0f0np0
# names: node-b rocep1s0f0
set -e
ssh node-b rdma link delete rocep1s0f0
