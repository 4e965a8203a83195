# The netdev of a half lost its MTU, as after a firmware update: RDMA falls back to a path MTU of 1024.
#
# suites: preflight
# option: '--gtest_filter=*HalfRdma.*'
# red: HalfRdma\.UsesTheLargestPathMtu/node_b_enp1s0f0np0
# names: node-b rocep1s0f0 enp1s0f0np0
set -e
ssh node-b ip link set enp1s0f0np0 mtu 1500
