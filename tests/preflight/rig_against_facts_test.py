#!/usr/bin/env python3
"""The rig file of two Sparks held against their facts: what it leaves out or calls by another name is red before any load.
Catches: cases that are not there because of a word in the rig file, counters that nobody can read.

rig_against_facts_test.py RIGPROOF
"""
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


class RigAgainstFacts(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / 'facts').mkdir()
        self.runs = 0
        self.layers = ['dgx-spark-pair.toml']
        self.rig = (ROOT / 'tests/rig/dgx_spark_pair.toml').read_text()
        self.facts = {node: json.loads((ROOT / f'tests/preflight/sparks/{node}.json').read_text()) for node in ('node-a', 'node-b')}
        for document in self.facts.values():
            document['facts']['port_counters'] = {'port0': 'ok', 'port1': 'ok'}

    def red(self):
        self.runs += 1
        out = self.folder / f'out{self.runs}'
        (self.folder / 'rig.toml').write_text(self.rig)
        for node, document in self.facts.items():
            (self.folder / 'facts' / f'{node}.json').write_text(json.dumps(document))
        done = subprocess.run([RIGPROOF, 'run', '--verbose', '--no-pdf', '--suite', 'preflight', '--rig', self.folder / 'rig.toml',
                               '--facts', self.folder / 'facts', '--out', out,
                               *(word for layer in self.layers for word in ('--thresholds', ROOT / 'thresholds' / layer))], capture_output=True, text=True, check=False)
        self.said, self.code = done.stdout + done.stderr, done.returncode
        self.assertTrue((out / 'junit.xml').exists(), self.said)
        report = xml.etree.ElementTree.parse(out / 'junit.xml')
        return sorted(case.get('name').split('/', 1)[1] for case in report.iter('testcase')
                      if case.find('failure') is not None or case.find('error') is not None)

    def test_a_sound_rig(self):
        self.assertEqual(self.red(), [], self.said)
        self.assertEqual(self.code, 0, self.said)  # all proven

    def test_rdma_devices_that_the_rig_file_leaves_out_on_a_cable(self):
        """At both ends, so that no other case misses them."""
        self.rig, count = re.subn(r'\n *rdma *= *"roce(P2)?p1s0f1"', '', self.rig)
        self.assertEqual(count, 4)
        self.assertEqual(self.red(), ['RigOfNode.NamesItsRdmaDevices/node_a', 'RigOfNode.NamesItsRdmaDevices/node_b'], self.said)
        self.assertIn('roceP2p1s0f1', self.said)

    def test_real_cards_that_are_called_a_model(self):
        self.rig, count = re.subn(r'kind +(= )"hardware"', r'kind \1"model"', self.rig)
        self.assertEqual(count, 1)
        self.assertEqual(self.red(), ['RigOfNode.IsOfTheKindOfTheRigFile/node_a', 'RigOfNode.IsOfTheKindOfTheRigFile/node_b'], self.said)

    def test_a_model_that_is_called_hardware(self):
        for document in self.facts.values():
            for netdev in document['facts']['netdevs'].values():
                netdev['kind'] = 'macvlan'
        self.assertIn('RigOfNode.IsOfTheKindOfTheRigFile/node_a', self.red(), self.said)

    def set_nccl(self, node, **settings):
        self.facts[node]['facts']['nccl'].setdefault('configuration', {}).update(settings)

    def leave_port1_to_storage(self):
        self.rig, count = re.subn(r'\n( *)name *= "port1"', r'\g<0>\n\1use = "storage"', self.rig)
        self.assertEqual(count, 2)

    def test_nccl_that_leaves_out_ports_for_storage(self):
        for node in self.facts:
            self.facts[node]['facts']['nccl']['environment']['NCCL_IB_HCA'] = '=rocep1s0f0,roceP2p1s0f0'
        self.assertEqual(self.red(), ['NodeNccl.NcclUsesRails/node_a', 'NodeNccl.NcclUsesRails/node_b'], self.said)
        self.leave_port1_to_storage()
        self.assertEqual(self.red(), [], self.said)
        self.assertEqual(self.code, 0, self.said)

    def test_nccl_that_uses_a_port_for_storage(self):
        self.leave_port1_to_storage()
        self.facts['node-a']['facts']['nccl']['environment']['NCCL_IB_HCA'] = '^rocep1s0f1,roceP2p1s0f1'
        self.facts['node-b']['facts']['nccl']['environment']['NCCL_IB_HCA'] = 'roce'
        self.assertEqual(self.red(), ['NodeNccl.NcclUsesRails/node_b'], self.said)
        self.assertIn('NCCL_IB_HCA=roce lets NCCL use rocep1s0f1, whose port is for storage', self.said)

    def make_virtual(self):
        for document in self.facts.values():
            facts = document['facts']
            for name in 'enp1s0f0np0', 'enP2p1s0f0np0', 'enp1s0f1np1', 'enP2p1s0f1np1':
                netdev, function = facts['netdevs'][name], facts['pci'][facts['netdevs'][name]['pci']]
                for key in ('port', 'port_name', 'switch_id', 'fec', 'module', 'pause', 'pfc', 'autoneg', 'firmware'):
                    netdev.pop(key, None)
                document['unread'][f'netdevs/{name}/fec'] = f'ethtool --show-fec on {name}: Operation not supported'
                for key in 'link_width', 'max_link_width', 'max_link_speed':
                    function.pop(key, None)
                function['link_speed'] = 'Unknown'
            facts.pop('port_counters')
        self.rig, count = re.subn(r'\n *counters *= .*', '', self.rig)
        self.assertEqual(count, 4)

    def test_virtual_functions_do_not_miss_what_they_cannot_show(self):
        self.make_virtual()
        self.assertEqual(self.red(), [], self.said)
        self.assertEqual(self.code, 0, self.said)  # all proven
        self.assertIn('is a virtual function, which does not show it', self.said)

    def test_a_physical_function_misses_them(self):
        self.make_virtual()
        for document in self.facts.values():
            for function in document['facts']['pci'].values():
                function['link_speed'] = '32.0 GT/s PCIe'
        self.red()
        self.assertEqual(self.code, 3, self.said)  # not proven

    def give_class(self, text):
        self.rig, count = re.subn(r'\nkind .*', r'\g<0>\n' + text, self.rig, count=1)
        self.assertEqual(count, 1)

    def test_nccl_in_the_class_of_the_rig_file(self):
        """Also where one rail has its own, and by NCCL's way to write numbers."""
        self.give_class('traffic_class = 106\nservice_level = 3')
        self.set_nccl('node-a', NCCL_IB_TC='106', NCCL_IB_SL='3')
        self.set_nccl('node-b', NCCL_IB_TC='0x6a', NCCL_IB_SL='3')
        self.assertEqual(self.red(), [], self.said)
        self.assertEqual(self.code, 0, self.said)
        self.rig = re.sub(r'\nname += "rail1"', r'\g<0>\ntraffic_class = 104', self.rig)
        self.assertEqual(self.red(), ['NodeClass.IsTheClassOfNccl/node_a', 'NodeClass.IsTheClassOfNccl/node_b'], self.said)
        self.assertIn('rail1: the rig file has traffic_class 104 and service_level 0, NCCL uses 106 and 3', self.said)

    def test_a_class_of_one_rail_alone(self):
        """NCCL has one class for all its devices, and RDMA's loads on the other rails have class 0."""
        for node in self.facts:
            self.set_nccl(node, NCCL_IB_TC='106')
        self.rig = re.sub(r'\nname += "rail1"', r'\g<0>\ntraffic_class = 106', self.rig)
        self.assertEqual(self.red(), ['NodeClass.IsTheClassOfNccl/node_a', 'NodeClass.IsTheClassOfNccl/node_b'], self.said)
        self.assertIn('rail0: the rig file has traffic_class 0 and service_level 0 (it names none), NCCL uses 106 and 0', self.said)

    def set_pfc(self, unread=None, **facts):
        for document in self.facts.values():
            for name in 'enp1s0f0np0', 'enP2p1s0f0np0', 'enp1s0f1np1', 'enP2p1s0f1np1':
                document['facts']['netdevs'][name].pop('pfc', None)
                document['facts']['netdevs'][name].update(facts)
                if unread:
                    document['unread'][f'netdevs/{name}/pfc'] = unread

    def test_a_class_that_no_half_may_pause(self):
        """Advice: lossy RoCE in a class of its own is legitimate."""
        self.give_class('traffic_class = 106')
        for node in self.facts:
            self.set_nccl(node, NCCL_IB_TC='106')
        advice = 'sudo dcb app show dev enp1s0f0np0'
        self.assertEqual((self.red(), self.code), ([], 0), self.said)
        self.assertIn(advice, self.said)
        self.set_pfc(pfc='priorities 3', trust='dscp', dscp_priorities={'26': 3})
        self.assertEqual((self.red(), self.code), ([], 0), self.said)
        self.assertNotIn(advice, self.said)
        self.set_pfc(pfc='priorities 3', dscp_priorities={'26': 4})
        self.assertEqual((self.red(), self.code), ([], 0), self.said)
        self.assertIn(advice, self.said)
        journal = (self.folder / f'out{self.runs}/journal.jsonl').read_text()
        self.assertIn('packets with DSCP 26 have priority 4 at enp1s0f0np0', journal)
        self.set_pfc(pfc='priorities 0', trust='pcp', dscp_priorities={})
        self.assertEqual((self.red(), self.code), ([], 0), self.said)
        self.assertNotIn(advice, self.said)
        self.set_pfc(unread='DCB_CMD_IEEE_GET on enp1s0f0np0: Operation not supported')
        self.assertEqual((self.red(), self.code), ([], 0), self.said)
        self.assertNotIn(advice, self.said)

    def test_a_gpu_that_trained_with_half_its_lanes(self):
        self.layers.append('roce-hosts-gpu.toml')
        lanes = 'NodeReady.HasAllLanesOfItsGpus/node_b'
        function = {'class': '0x030200', 'vendor': '0x10de', 'device': '0x2330', 'driver': 'nvidia', 'link_speed': '2.5 GT/s PCIe',
                    'link_width': 16, 'max_link_width': 16, 'slot_max_link_width': 16}
        for document in self.facts.values():
            document['facts']['pci']['0000:41:00.0'] = dict(function)
        self.facts['node-b']['facts']['pci']['0000:41:00.0']['link_width'] = 8
        self.assertNotIn(lanes, self.red(), 'the GPU of a GB10 has no slot')
        for document in self.facts.values():
            document['facts']['cpu']['model'] = '2x Xeon'
            document['facts']['gpus']['0']['name'] = 'NVIDIA H100'
        self.assertIn(lanes, self.red(), self.said)
        self.assertNotIn('NodeReady.HasAllLanesOfItsGpus/node_a', self.red(), self.said)
        self.assertIn("sudo lspci -vv -s 0000:41:00.0 | grep -E 'LnkCap:|LnkSta:'", self.said)
        self.facts['node-b']['facts']['pci']['0000:41:00.0']['link_width'] = 16
        self.assertNotIn(lanes, self.red(), self.said)

    def test_gpus_that_the_rig_file_leaves_out(self):
        for document in self.facts.values():
            document['facts']['gpus']['1'] = dict(document['facts']['gpus']['0'])
        self.assertEqual(self.red(), [], self.said)
        self.assertIn('Write gpus = 2 at node-a into the rig file', self.said)

    def test_nccl_in_another_class(self):
        """Without a setting NCCL uses class 0."""
        self.give_class('traffic_class = 106')
        self.set_nccl('node-a', NCCL_IB_TC='106')
        self.assertEqual(self.red(), ['NodeClass.IsTheClassOfNccl/node_b'], self.said)
        self.assertIn(r"printf 'NCCL_IB_TC=%s\nNCCL_IB_SL=%s\n' 106 0 | sudo tee -a /etc/nccl.conf", self.said)

    def test_a_class_that_the_rig_file_leaves_out(self):
        self.set_nccl('node-a', NCCL_IB_TC='106')
        self.assertEqual(self.red(), [], self.said)
        self.assertIn('before its first table: traffic_class = 106 and service_level = 0', self.said)
        self.set_nccl('node-a', NCCL_IB_TC='0')
        self.assertEqual(self.red(), [], self.said)
        self.assertNotIn('traffic_class', self.said)

    def test_counters_that_are_not_there(self):
        self.facts['node-b']['facts']['port_counters']['port1'] = "enp1s0f1np1 has no counter 'tx_bytes_phy'"
        self.assertEqual(self.red(), ['PortCounting.HasTheCountersOfTheRigFile/node_b_port1'], self.said)

    def test_counters_that_the_rig_file_leaves_out(self):
        """A port without counters has no case about its wire: that is for NICs that show none."""
        self.rig = re.sub(r'(?m)^ *counters *=.*\n', '', self.rig, count=1)
        for document in self.facts.values():
            for netdev in document['facts']['netdevs'].values():
                netdev['port_counters'] = ['tx_bytes_phy', 'rx_bytes_phy']
        self.assertEqual(self.red(), ['PortCounting.HasTheCountersOfTheRigFile/node_a_port0'], self.said)
        self.assertIn('the rig file names none, and enp1s0f0np0 has tx_bytes_phy', self.said)
        for netdev in self.facts['node-a']['facts']['netdevs'].values():
            netdev.pop('port_counters')
        self.assertEqual(self.red(), [], self.said)

    def test_a_driver_that_shows_no_port(self):
        """The PCI functions of one card tell which halves share a port, and which do not."""
        for document in self.facts.values():
            for netdev in document['facts']['netdevs'].values():
                for key in ('port', 'port_name', 'switch_id'):
                    netdev.pop(key, None)
        self.assertEqual(self.red(), [], self.said)
        self.assertEqual(self.code, 0, self.said)  # all proven
        one, other = (re.search(rf'\n *netdev *= *"{name}"', self.rig)[0] for name in ('enP2p1s0f0np0', 'enP2p1s0f1np1'))
        self.rig = self.rig.replace(one, '@').replace(other, one).replace('@', other)
        self.assertIn('PortMap.HasOnlyItsHalves/node_a_port0', self.red(), self.said)


if __name__ == '__main__':
    unittest.main()
