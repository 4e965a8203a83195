# Bulk traffic of 200 Mbit/s runs over the management network during the qualification.
# suites: link phy
#
# effect: test "$(python3 traffic.py carried node-a mgmt0)" -gt 100
# red: WireBytes\.AgreeWithThePayload/link0_
# red: WireBytes\.AgreeWithThePayload/link1_
# red: MpiWire\.CarriesThePayloadOnce/node_a_node_b
# names: node-a node-b phy.management
set -e
python3 "$(dirname "$0")/../traffic.py" flood 198.18.0.1 198.18.0.2 200 >/dev/null 2>&1 &
