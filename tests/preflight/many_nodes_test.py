#!/usr/bin/env python3
"""Facts of many nodes on one switch: the node that differs is the one that is red, and no other.

many_nodes_test.py RIGPROOF            the tests
many_nodes_test.py RIGPROOF N FOLDER   only makes rig.toml and facts/ of N healthy nodes there
"""
import copy
import ipaddress
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGPROOF = sys.argv[1]
HALVES = [('port0', 'enp1s0f0np0', 'rocep1s0f0'), ('port0', 'enP2p1s0f0np0', 'roceP2p1s0f0'),
          ('port1', 'enp1s0f1np1', 'rocep1s0f1'), ('port1', 'enP2p1s0f1np1', 'roceP2p1s0f1')]


def name_of(node):
    return f'node-{node:03}'


def address_of(node, rail):
    return str(ipaddress.IPv4Address(f'198.18.{rail * 32}.0') + node + 1)


def gid_of(address):
    high, low = divmod(int(ipaddress.IPv4Address(address)), 1 << 16)
    return f'0000:0000:0000:0000:0000:ffff:{high:04x}:{low:04x}'


def rig_text(count, with_one_port=()):
    """`with_one_port`: nodes of which only port0 has a cable."""
    def has(node, port):
        return port == 0 or node not in with_one_port

    text = 'format = 1\nname = "many-sparks"\nkind = "hardware"\n'
    for node in range(count):
        text += f'[[node]]\nname = "{name_of(node)}"\naddress = "spark-{node:03}"\nmanagement = "enP7s7"\n'
        for rail, (port, netdev, rdma) in enumerate(HALVES):
            if not has(node, rail // 2):
                continue
            if rail % 2 == 0:
                text += (f'  [[node.port]]\n  name = "{port}"\n  rate = "200 Gbit/s"\n'
                         f'  counters = {{ source = "ethtool", device = "{netdev}" }}\n')
            text += (f'    [[node.port.half]]\n    netdev = "{netdev}"\n    rdma = "{rdma}"\n'
                     f'    address = "{address_of(node, rail)}/19"\n    rate = "100 Gbit/s"\n    mtu = "9000 B"\n')
    for port in (0, 1):
        ends = ', '.join(f'"{name_of(node)}:port{port}"' for node in range(count) if has(node, port))
        text += f'[[link]]\nname = "link{port}"\nthrough = "switch"\nports = [{ends}]\n'
    for rail, (_, netdev, _) in enumerate(HALVES):
        ends = ', '.join(f'"{name_of(node)}:{netdev}"' for node in range(count) if has(node, rail // 2))
        text += f'[[rail]]\nname = "rail{rail}"\nhalves = [{ends}]\n'
    return text


def healthy_facts(count):
    """Those of tests/preflight/sparks/node-a.json, for each node."""
    text = (ROOT / 'tests/preflight/sparks/node-a.json').read_text()
    for node in range(count):
        own = text
        for rail in range(4):
            own = own.replace(f'198.18.{rail + 1}.1/24', f'{address_of(node, rail)}/19')
            own = own.replace(gid_of(f'198.18.{rail + 1}.1'), gid_of(address_of(node, rail)))
        facts = json.loads(own)
        facts['node'], facts['host'] = name_of(node), f'spark-{node:03}'
        others = [other for other in range(count) if other != node]
        facts['facts']['logins'] = {name_of(other): 'ok' for other in others}
        facts['facts']['routes'] = {f'rail{rail}': {address_of(other, rail): {'netdev': netdev} for other in others}
                                    for rail, (_, netdev, _) in enumerate(HALVES)}
        yield facts


def make(folder, count):
    facts = pathlib.Path(folder, 'facts')
    facts.mkdir(parents=True, exist_ok=True)
    pathlib.Path(folder, 'rig.toml').write_text(rig_text(count))
    for one in healthy_facts(count):
        (facts / f'{one["node"]}.json').write_text(json.dumps(one))


# For a pair it is advice.
LIMITS_TEXT = '''[[limit]]
id = "preflight.same.kernel"
equals = "1 count"
basis = { kind = "policy", source = "this test", reasoning = "one kernel everywhere" }
remedy.check = "uname -r"
remedy.hint = "{here} here, {there} on {others}"
'''


class ManyNodes(unittest.TestCase):
    COUNT = 12

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)
        make(self.folder, self.COUNT)
        (self.folder / 'limits.toml').write_text(LIMITS_TEXT)

    def change(self, node, change):
        file = self.folder / 'facts' / f'{name_of(node)}.json'
        facts = json.loads(file.read_text())
        change(facts['facts'])
        file.write_text(json.dumps(facts))

    def red(self):
        """Names of the cases that did not pass, with their messages; what the run said."""
        done = subprocess.run([RIGPROOF, 'run', '--plain', '--no-pdf', '--suite', 'preflight', '--rig', self.folder / 'rig.toml',
                               '--facts', self.folder / 'facts', '--out', self.folder / 'out',
                               '--thresholds', ROOT / 'thresholds/dgx-spark-pair.toml',
                               '--thresholds', self.folder / 'limits.toml'],
                              capture_output=True, text=True, check=False)
        self.said = done.stdout + done.stderr
        report = xml.etree.ElementTree.parse(self.folder / 'out/junit.xml')
        return {case.get('name'): ' '.join(part.get('message', '') + (part.text or '') for part in case)
                for case in report.iter('testcase') if case.find('failure') is not None or case.find('error') is not None}

    def test_healthy_nodes_pass(self):
        self.assertEqual(self.red(), {}, self.said)

    def test_a_node_with_one_cable_among_nodes_with_two_passes(self):
        (self.folder / 'rig.toml').write_text(rig_text(self.COUNT, with_one_port={3}))
        self.assertEqual(self.red(), {}, self.said)

    def test_a_node_whose_cards_are_on_two_numa_nodes_is_one_red_case(self):
        (self.folder / 'rig.toml').write_text(rig_text(self.COUNT, with_one_port={3}))
        self.change(7, lambda facts: facts['pci']['0002:01:00.0'].update(numa_node=1))
        self.assertEqual(list(self.red()), ['preflight.EachNode/NodeAgreement.IsAsMostNodesAre/node_007'], self.said)

    def test_one_kernel_of_another_version_is_one_red_case(self):
        self.change(7, lambda facts: facts['kernel'].update(release='6.11.0-1016-nvidia'))
        red = self.red()
        self.assertEqual(list(red), ['preflight.EachNode/NodeAgreement.IsAsMostNodesAre/node_007'], self.said)
        self.assertIn('6.11.0-1016-nvidia here, 6.14.0-1013-nvidia on most nodes', (self.folder / 'out/summary.md').read_text())

    def test_the_first_node_is_no_measure_of_the_others(self):
        self.change(0, lambda facts: facts['kernel'].update(release='6.11.0-1016-nvidia'))
        self.assertEqual(list(self.red()), ['preflight.EachNode/NodeAgreement.IsAsMostNodesAre/node_000'], self.said)

    def test_seven_of_eight_gpus_is_one_red_case(self):
        for node in range(self.COUNT):
            self.change(node, lambda facts: facts.update(gpus={str(gpu): facts['gpus']['0'] for gpu in range(8)}))
        self.change(0, lambda facts: facts['gpus'].pop('3'))
        self.assertEqual(list(self.red()), ['preflight.EachNode/NodeAgreement.IsAsMostNodesAre/node_000'], self.said)
        self.assertIn('7x NVIDIA GB10 here, 8x NVIDIA GB10 on most nodes', (self.folder / 'out/summary.md').read_text())

    def test_one_of_32_memory_modules_that_is_missing_is_one_red_case(self):
        for node in range(self.COUNT):  # the firmware of each reserves some MiB more than that of the one before
            self.change(node, lambda facts: facts['memory'].update(total_bytes=facts['memory']['total_bytes'] - (node << 24)))
        self.change(0, lambda facts: facts['memory'].update(total_bytes=facts['memory']['total_bytes'] * 31 // 32))
        self.assertEqual(list(self.red()), ['preflight.EachNode/NodeAgreement.IsAsMostNodesAre/node_000'], self.said)

    def test_one_route_by_the_management_network_is_told_with_its_peer(self):
        self.change(3, lambda facts: facts['routes']['rail2'][address_of(5, 2)].update(netdev='enP7s7'))
        red = self.red()
        self.assertEqual(list(red), ['preflight.EachHalf/HalfRoute.LeavesByTheRail/node_003_enp1s0f1np1'], self.said)
        self.assertIn(f'sudo ip route replace {address_of(5, 2)} dev enp1s0f1np1 src {address_of(3, 2)}',
                      (self.folder / 'out/summary.md').read_text())

    def test_a_half_without_rdma_where_its_sister_and_its_rail_have_it(self):
        rig = (self.folder / 'rig.toml').read_text().split('[[node]]')
        rig[6] = rig[6].replace('    rdma = "roceP2p1s0f0"\n', '')  # as discover leaves it out where the device is gone
        (self.folder / 'rig.toml').write_text('[[node]]'.join(rig))
        self.change(5, lambda facts: facts['rdma'].pop('roceP2p1s0f0'))
        red = self.red()
        port, node = 'preflight.EachPort/PortRdma.OneDevicePerHalf/node_005_port0', 'preflight.EachNode/RigOfNode.NamesItsRdmaDevices/node_005'
        self.assertEqual(set(red), {port, node}, self.said)
        self.assertIn('names no RDMA device of enP2p1s0f0np0', red[port])
        self.assertIn('its rail has one at another end: is the driver loaded?', red[node])

    def test_a_port_without_rdma_at_one_end_of_its_rails_is_red_as_are_the_devices_left_out(self):
        rig = (self.folder / 'rig.toml').read_text().split('[[node]]')
        for device in ('rocep1s0f0', 'roceP2p1s0f0'):
            rig[6] = rig[6].replace(f'    rdma = "{device}"\n', '')
        (self.folder / 'rig.toml').write_text('[[node]]'.join(rig))
        self.assertEqual(set(self.red()), {'preflight.EachPort/PortRdma.OneDevicePerHalf/node_005_port0',
                                           'preflight.EachNode/RigOfNode.NamesItsRdmaDevices/node_005'}, self.said)

    def test_one_login_that_needs_a_password_is_told_with_its_node(self):
        self.change(4, lambda facts: facts['logins'].update({name_of(9): 'Permission denied (publickey,password).'}))
        self.red()
        self.assertIn('ssh-copy-id spark-009', (self.folder / 'out/summary.md').read_text())


if __name__ == '__main__':
    if len(sys.argv) == 4:
        make(sys.argv[3], int(sys.argv[2]))
        sys.exit(0)
    unittest.main(argv=sys.argv[:1])
