#!/usr/bin/env python3
"""Three Sparks in a ring: how its cables must be put in, and which of NCCL's settings suit it. Catches: a cable between ports of
one index, by which NCCL over all nodes dies though each pair is sound; a verdict on a value that NCCL has by default; a setting of
an image that nobody is told of.

ring_test.py RIGPROOF"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGPROOF = sys.argv.pop(1)
RING = ROOT / 'tests/rig/dgx_spark_ring_of_three.toml'
GUIDE = {'NCCL_IB_SUBNET_AWARE_ROUTING': '1', 'NCCL_IB_MERGE_NICS': '0'}  # as in NVIDIA's script for three Sparks


def swapped(text, *pairs):
    for one, other in pairs:
        text = text.replace(one, '\0').replace(other, one).replace('\0', other)
    return text


def miscabled():
    """The ring with both plugs of node-b exchanged: port0 to port0, port1 to port1, port0 to port1."""
    return swapped(RING.read_text(), ('node-b:port0', 'node-b:port1'), ('node-b:enp1s0f0np0', 'node-b:enp1s0f1np1'),
                   ('node-b:enP2p1s0f0np0', 'node-b:enP2p1s0f1np1'), ('198.18.3.1/', '198.18.1.2/'), ('198.18.4.1/', '198.18.2.2/'))


def verdict(rig, filter_, environment=(), configuration=(), version='2.30.7', gpus=True):
    """Exit code and words of a run of some cases of preflight."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / 'facts').mkdir()
        (folder / 'rig.toml').write_text(rig)
        for node in ('node-a', 'node-b', 'node-c')[:rig.count('[[node]]')]:
            document = json.loads((ROOT / 'tests/preflight/sparks/node-a.json').read_text())
            document['node'] = node
            document['facts']['versions']['nccl'] = version
            document['facts']['nccl'] = {'environment': dict(environment), 'configuration': dict(configuration),
                                         'files': {name: '/etc/nccl.conf' for name in dict(configuration)}}
            if not gpus:
                document['facts'].pop('gpus')
            (folder / 'facts' / f'{node}.json').write_text(json.dumps(document))
        done = subprocess.run([RIGPROOF, 'run', '--plain', '--no-pdf', '--suite', 'preflight', f'--gtest_filter={filter_}', '--rig',
                               folder / 'rig.toml', '--facts', folder / 'facts', '--out', folder / 'out', '--thresholds',
                               ROOT / 'thresholds/dgx-spark-pair.toml'], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


class Cabling(unittest.TestCase):
    FILTER = '*RingCable*'

    def test_from_each_port_0_to_the_next_port_1_is_sound(self):
        code, said = verdict(RING.read_text(), self.FILTER, GUIDE)
        self.assertEqual(code, 0, said)

    def test_between_ports_of_one_index_is_red_and_names_cables_and_plugs(self):
        for environment in (GUIDE, {}):
            code, said = verdict(miscabled(), self.FILTER, environment)
            self.assertEqual(code, 1, said)
            self.assertIn('node-a port0 to node-b port0', said)
            self.assertIn('node-b port1 to node-c port1', said)
            self.assertIn('exchange the two plugs of node-b.', said)
            self.assertNotIn('node-a port1 to node-c port0 joins', said)

    def test_between_ports_of_one_index_serves_merged_devices_with_routing_by_subnet(self):
        code, said = verdict(miscabled(), self.FILTER, {'NCCL_IB_SUBNET_AWARE_ROUTING': '1'})
        self.assertEqual(code, 0, said)

    def test_does_not_matter_without_a_gpu_or_with_a_plugin(self):
        self.assertEqual(verdict(miscabled(), self.FILTER, GUIDE, gpus=False)[0], 0)
        self.assertEqual(verdict(miscabled(), self.FILTER, GUIDE | {'NCCL_NET_PLUGIN': 'mesh'})[0], 0)

    def test_of_two_nodes_has_no_such_case(self):
        code, said = verdict((ROOT / 'tests/rig/dgx_spark_pair.toml').read_text(), '*Ring*:*NodeNccl*')
        self.assertEqual(code, 0, said)
        self.assertNotIn('RingCable', said)


class Settings(unittest.TestCase):
    FILTER = '*NodeNccl*'
    PREDICTED = 'NCCL_IB_SUBNET_AWARE_ROUTING=0 by default'
    MERGED = 'makes one device of ports that lead to different nodes'

    def said(self, environment=(), version='2.30.7', rig=RING, configuration=()):
        code, said = verdict(rig.read_text(), self.FILTER, environment, configuration, version)
        self.assertEqual(code, 0, said)
        return said

    def test_have_one_verdict_for_a_default_and_for_its_absence(self):
        for routing in ({}, {'NCCL_IB_SUBNET_AWARE_ROUTING': '1'}):
            merged = [self.said(routing | own).count(self.MERGED) for own in ({}, {'NCCL_IB_MERGE_NICS': '1'})]
            self.assertEqual(merged[0], merged[1])
            self.assertEqual(merged[0] > 0, not routing)

    def test_that_suit_a_ring_need_no_advice(self):
        said = self.said(GUIDE)
        self.assertNotIn(self.PREDICTED, said)
        self.assertNotIn('preflight.nccl.transport', said)

    def test_by_default_or_before_2_30_7_are_an_advice_in_a_ring(self):
        self.assertIn(self.PREDICTED, self.said())
        self.assertIn(self.PREDICTED, self.said(version='2.28.9'))

    def test_between_two_nodes_may_be_the_defaults(self):
        said = self.said(rig=ROOT / 'tests/rig/dgx_spark_pair.toml')
        self.assertNotIn(self.PREDICTED, said)
        self.assertNotIn(self.MERGED, said)

    def test_other_than_the_defaults_are_named_with_their_file(self):
        said = self.said(configuration={'NCCL_IB_USE_INLINE': '1', 'NCCL_IB_PREPOST_RECEIVE_WORK_REQUESTS': '1',
                                        'NCCL_IB_QPS_PER_CONNECTION': '1'})
        self.assertIn("NCCL_IB_USE_INLINE=1 (/etc/nccl.conf, default 0)", said)
        self.assertIn('NCCL_IB_PREPOST_RECEIVE_WORK_REQUESTS=1 (/etc/nccl.conf', said)
        self.assertNotIn('NCCL_IB_QPS_PER_CONNECTION', said)


if __name__ == '__main__':
    unittest.main()
