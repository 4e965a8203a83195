# The cables of node-b's two ports are crossed at the switch.
#
# suites: link mtu phy
# effect: ! ping -q -c 1 -W 1 198.18.1.2
# red: RailWiring\.IsHeardAtTheOtherEnd/rail0_
# red: RailWiring\.IsHeardAtTheOtherEnd/rail1_
# red: RailWiring\.IsHeardAtTheOtherEnd/rail2_
# red: RailWiring\.IsHeardAtTheOtherEnd/rail3_
# red: RailMtu\.CarriesFullSizePackets/rail0_
# may: /(rail[0-3]_|link[01]_|node_a_(to_)?node_b|node_b_to_node_a)
# may: ^rigproof\.run\.unused-limit
# names: node-a node-b rail0 rail3 enp1s0f1np1
set -e
ip -n fabric link set sw-b-port0 master sw-port1
ip -n fabric link set sw-b-port1 master sw-port0
