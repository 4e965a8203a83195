#!/usr/bin/env python3
"""Two Sparks whose halves are all in one subnet, with the kernel's default settings: sound, as long as each half has its address
and no other network comes into it. The exact sysctls are advice.

one_subnet_test.py RIGPROOF
"""
import ipaddress
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGPROOF = sys.argv.pop(1)
NODES = ('node-a', 'node-b')
DEFAULTS = {'arp_ignore': '0', 'arp_announce': '0', 'rp_filter': '2'}  # Ubuntu's


def gid_of(address):
    high, low = divmod(int(ipaddress.IPv4Address(address)), 1 << 16)
    return f'0000:0000:0000:0000:0000:ffff:{high:04x}:{low:04x}'


def in_one_subnet(text):
    """198.18.RAIL.NODE/24 becomes 10.0.RAIL.NODE/16, its GID, too."""
    for rail in (1, 2, 3, 4):
        for node in (1, 2):
            old, new = f'198.18.{rail}.{node}', f'10.0.{rail}.{node}'
            text = text.replace(gid_of(old), gid_of(new))
            text = re.sub(re.escape(old) + r'/24', new + '/16', text)
            text = re.sub(re.escape(old) + r'(?!\d)', new, text)
    return text


class OneSubnet(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)
        (self.folder / 'facts').mkdir()
        (self.folder / 'rig.toml').write_text(in_one_subnet((ROOT / 'tests/rig/dgx_spark_pair.toml').read_text()))
        for node in NODES:
            document = json.loads(in_one_subnet((ROOT / f'tests/preflight/sparks/{node}.json').read_text()))
            facts = document['facts']
            for name, value in DEFAULTS.items():
                facts['sysctls'][f'net.ipv4.conf.all.{name}'] = value
            for routes in facts['routes'].values():  # the kernel names the first half for all
                for route in routes.values():
                    route['netdev'] = 'enp1s0f0np0'
            self.write(node, document)

    def write(self, node, document):
        (self.folder / 'facts' / f'{node}.json').write_text(json.dumps(document))

    def change(self, node, change):
        document = json.loads((self.folder / 'facts' / f'{node}.json').read_text())
        change(document['facts'])
        self.write(node, document)

    def red(self, *tuned):
        done = subprocess.run([RIGPROOF, 'run', '--plain', '--no-pdf', '--suite', 'preflight', '--rig', self.folder / 'rig.toml',
                               '--facts', self.folder / 'facts', '--out', self.folder / 'out',
                               '--thresholds', ROOT / 'thresholds/dgx-spark-pair.toml', *tuned],
                              capture_output=True, text=True, check=False)
        self.said, self.code = done.stdout + done.stderr, done.returncode
        self.assertTrue((self.folder / 'out/junit.xml').exists(), self.said)
        report = xml.etree.ElementTree.parse(self.folder / 'out/junit.xml')
        return sorted(case.get('name').split('/', 1)[1] for case in report.iter('testcase')
                      if case.find('failure') is not None or case.find('error') is not None)

    def test_the_kernels_defaults_are_sound_and_advised_against(self):
        self.assertEqual(self.red(), [], self.said)
        self.assertEqual(self.code, 0, self.said)
        self.assertIn('net.ipv4.conf.all.arp_ignore=1', (self.folder / 'out/summary.md').read_text())

    def test_the_tuned_limits_ask_for_the_sysctls(self):
        tuned = self.red('--thresholds', ROOT / 'thresholds/dgx-spark-tuned.toml')
        self.assertIn('NodeSettings.NoArpFlux/node_a', tuned)

    def test_a_route_by_the_management_network_is_red(self):
        self.change('node-a', lambda facts: facts['routes']['rail1']['10.0.2.2'].update(netdev='enP7s7'))
        self.assertEqual(self.red(), ['HalfRoute.LeavesByTheRail/node_a_enP2p1s0f0np0'], self.said)

    def test_the_management_network_in_the_same_subnet_is_red(self):
        def change(facts):
            facts['netdevs']['enP7s7']['ipv4'] = ['10.0.9.1/16']
            facts['routes']['rail1']['10.0.2.2'].update(netdev='enP7s7')
        self.change('node-a', change)
        self.assertIn('HalfRoute.LeavesByTheRail/node_a_enP2p1s0f0np0', self.red(), self.said)

    def test_a_half_without_its_address_is_red(self):
        self.change('node-a', lambda facts: facts['netdevs']['enP2p1s0f0np0'].update(ipv4=[]))
        self.assertIn('HalfRoute.LeavesByTheRail/node_a_enP2p1s0f0np0', self.red(), self.said)

    def test_halves_that_have_each_others_address_are_red(self):
        def change(facts):
            one, other = facts['netdevs']['enp1s0f0np0'], facts['netdevs']['enP2p1s0f0np0']
            one['ipv4'], other['ipv4'] = other['ipv4'], one['ipv4']
        self.change('node-a', change)
        red = self.red()
        self.assertIn('HalfAddress.HasOnlyItsAddress/node_a_enP2p1s0f0np0', red, self.said)
        self.assertIn('HalfRoute.LeavesByTheRail/node_a_enP2p1s0f0np0', red, self.said)


if __name__ == '__main__':
    unittest.main()
