# A half of node-b has no RDMA device: its driver is not bound.
#
# suites: rdma
# option: '--gtest_filter=*HalfDevice.*:*PortDevices.*:*Connection.*'
# red: HalfDevice\.IsTheDeviceOfTheNetdev/node_b_enp1s0f0np0
# red: PortDevices\..*/node_b_port0
# red: Connection\..*/rail0_node_a_to_node_b
# red: Connection\..*/rail0_node_b_to_node_a
# may: HalfDevice\..*/node_b_enp1s0f0np0
# names: node-b rocep1s0f0
set -e
ssh node-b rdma link delete rocep1s0f0
