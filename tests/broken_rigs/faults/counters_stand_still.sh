# The counters that the rig file names for node-a's port 0 stand still: they are another device's.
# suites: phy
#
# effect: grep -q 'device = "lo", namespace = "fabric"' "$RIGPROOF_RIG"
# red: MpiWire\.CarriesThePayloadOnce/node_a_node_b
# red: WireBytes\.AgreeWithThePayload/link0_node_a_to_node_b
# red: WireBytes\.AgreeWithThePayload/link0_node_b_to_node_a
# names: node-a port0 phy.collective.agreement phy.agreement
set -e
sed -i 's/device = "a-port0"/device = "lo"/' "$RIGPROOF_RIG"
