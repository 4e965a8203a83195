#!/usr/bin/env python3
"""Two Sparks whose halves are VLANs, as a switch with tagged ports wants it: sound. What the cards under them have is judged, and
what to type names the card; a failure's sentence names the node that it is about.

vlan_test.py RIGPROOF
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGPROOF = sys.argv.pop(1)
NODES = ('node-a', 'node-b')
CARDS = {'enp1s0f0np0': 'v0.100', 'enP2p1s0f0np0': 'v1.100', 'enp1s0f1np1': 'v2.100', 'enP2p1s0f1np1': 'v3.100'}
OF_THE_VLAN = ('mac', 'mtu', 'state', 'up', 'carrier', 'carrier_changes', 'speed_bits_per_s', 'duplex', 'offloads', 'ipv4')


def tagged(facts):
    for card, vlan in CARDS.items():
        of_card = facts['netdevs'][card]
        facts['netdevs'][vlan] = {key: of_card[key] for key in OF_THE_VLAN} | {
            'kind': 'vlan', 'lower': [card], 'driver': '802.1Q VLAN Support', 'counters': {}}
        of_card['ipv4'] = []
        for device in facts['rdma'].values():
            if card in device['netdevs']:
                for gid in device['ports']['1']['gids'].values():
                    gid['netdev'] = vlan
        facts['persistence']['netdevs'][vlan] = facts['persistence']['netdevs'].pop(card)
        facts['load']['netdevs'][vlan] = facts['load']['netdevs'][card]
        facts['sysctls'][f'net.ipv6.conf.{vlan.replace(".", "/")}.disable_ipv6'] = '1'
        for routes in facts['routes'].values():
            for route in routes.values():
                route['netdev'] = vlan if route['netdev'] == card else route['netdev']


def rig_of_vlans(text):
    for card, vlan in CARDS.items():
        text = text.replace(f'netdev  = "{card}"', f'netdev  = "{vlan}"').replace(f':{card}"', f':{vlan}"')
    return text


class Vlans(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)
        (self.folder / 'facts').mkdir()
        (self.folder / 'rig.toml').write_text(rig_of_vlans((ROOT / 'tests/rig/dgx_spark_pair.toml').read_text()))
        self.documents = {node: json.loads((ROOT / f'tests/preflight/sparks/{node}.json').read_text()) for node in NODES}
        for document in self.documents.values():
            tagged(document['facts'])

    def red(self, thresholds=ROOT / 'thresholds/dgx-spark-pair.toml'):
        for node, document in self.documents.items():
            (self.folder / 'facts' / f'{node}.json').write_text(json.dumps(document))
        done = subprocess.run([RIGPROOF, 'run', '--plain', '--no-pdf', '--suite', 'preflight', '--rig', self.folder / 'rig.toml',
                               '--facts', self.folder / 'facts', '--out', self.folder / 'out',
                               '--thresholds', thresholds],
                              capture_output=True, text=True, check=False)
        self.said, self.code = done.stdout + done.stderr, done.returncode
        self.assertTrue((self.folder / 'out/junit.xml').exists(), self.said)
        report = xml.etree.ElementTree.parse(self.folder / 'out/junit.xml')
        return sorted(case.get('name').split('/', 1)[1] for case in report.iter('testcase')
                      if case.find('failure') is not None or case.find('error') is not None
                      or case.find('skipped') is not None)

    def test_halves_that_are_vlans_are_sound(self):
        self.assertEqual(self.red(), [], self.said)
        self.assertEqual(self.code, 0, self.said)
        self.assertNotIn('the rig file leaves it out', self.said)

    def test_halves_that_are_bonds_are_not_proven_and_their_cards_not_left_out(self):
        for document in self.documents.values():
            for vlan in 'v0.100', 'v1.100':
                document['facts']['netdevs'][vlan] |= {'kind': 'bond', 'driver': 'bonding'}
        red = self.red()
        self.assertNotIn('the rig file leaves it out', self.said)
        self.assertEqual(self.code, 3, self.said)  # nothing failed
        for case in ('HalfLink.HasTheWantedDriver/node_a_v0_100', 'HalfLink.UsesTheWantedFec/node_a_v0_100',
                     'HalfPcie.HasAllItsLanes/node_a_v0_100', 'PortMap.HasOnlyItsHalves/node_a_port0'):
            self.assertIn(case, red, self.said)
        self.assertIn("netdevs/v0.100/pci: v0.100 is a bond over enp1s0f0np0, which can't be qualified as one half", self.said)

    def test_fec_of_the_card_under_a_vlan_is_judged_and_the_card_is_named(self):
        self.documents['node-b']['facts']['netdevs']['enp1s0f0np0']['fec'] = ['Off']
        self.assertEqual(self.red(), ['HalfLink.UsesTheWantedFec/node_b_v0_100'], self.said)
        self.assertIn('sudo ethtool --set-fec enp1s0f0np0 encoding rs   # node-b', self.said)

    def test_a_load_that_the_card_alone_sees_is_red(self):
        load = self.documents['node-a']['facts']['load']['netdevs']
        load['enp1s0f0np0'] = load['enp1s0f0np0'] | {'rx_bits_per_s': 5e9}
        self.assertEqual(self.red(), ['QuietHalf.CarriesNothing/node_a_v0_100'], self.said)

    def test_a_card_trained_at_x2_is_red(self):
        self.documents['node-a']['facts']['pci']['0002:01:00.0']['link_width'] = 2
        self.assertEqual(self.red(), ['HalfPcie.HasAllItsLanes/node_a_v1_100'], self.said)

    def test_a_sentence_names_the_node_that_it_is_about(self):
        self.documents['node-b']['facts']['netdevs']['v0.100']['ipv4'] = ['198.18.1.77/24']
        self.assertIn('HalfAddress.HasOnlyItsAddress/node_b_v0_100', self.red(), self.said)
        self.assertIn('node-b: v0.100 lacks 198.18.1.2/24', self.said)
        self.assertNotIn('node-a: v0.100 lacks', self.said)

    def test_what_no_driver_shows_is_not_proven_where_a_limit_asks_for_it_and_nowhere_else(self):
        for document in self.documents.values():
            document['facts']['routes'] = {}
            for card in CARDS:
                for key in 'port', 'port_name':
                    document['facts']['netdevs'][card].pop(key)
        red = self.red()
        self.assertNotIn('PortMap.HasOnlyItsHalves/node_b_port0', red, self.said)  # the cards' PCI functions show it
        self.assertIn('HalfRoute.LeavesByTheRail/node_b_v0_100', red, self.said)
        self.assertEqual(self.code, 3, self.said)
        own = self.folder / 'own.toml'
        own.write_text('[[limit]]\nid = "preflight.mtu"\nequals = "100 % of half.mtu"\nremedy.check = "ip link show {netdev}"\n'
                       'basis = { kind = "policy", source = "the owner", reasoning = "jumbo frames" }\n')
        shutil.rmtree(self.folder / 'out')
        self.red(own)
        self.assertEqual(self.code, 0, self.said)


if __name__ == '__main__':
    unittest.main()
