# Nothing is broken: what each fault below turns red is green here.
#
# suites: preflight rdma
# option: '--gtest_filter=*HalfRdma.*:*NodeReady.*:*PortRdma.*:*Connection.*:*Latency.OfAWrite/rail0*:*RailRdmaRate.*/rail0_*:*DuplexRdmaRate.*/rail1*:*PortRdmaRate.*/link0_node_a_to*:*RdmaWireBytes.*/rail2*'
true
