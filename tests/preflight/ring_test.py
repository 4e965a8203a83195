#!/usr/bin/env python3
"""Three Sparks in a ring: what NCCL's settings may not say there, and may elsewhere. Catches: devices merged of ports that lead to
different nodes, by which NCCL falls back to sockets and says nothing.

ring_test.py RIGPROOF"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGPROOF = sys.argv.pop(1)


def verdict(rig, nodes, setting):
    """Exit code and words of a run of the NCCL settings' case alone."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / 'facts').mkdir()
        for node in nodes:
            document = json.loads((ROOT / 'tests/preflight/sparks/node-a.json').read_text())
            document['node'] = node
            document['facts']['nccl'] = {'environment': setting}
            (folder / 'facts' / f'{node}.json').write_text(json.dumps(document))
        done = subprocess.run([RIGPROOF, 'run', '--plain', '--no-pdf', '--suite', 'preflight', '--gtest_filter=*NodeNccl*', '--rig',
                               ROOT / 'tests/rig' / rig, '--facts', folder / 'facts', '--out', folder / 'out', '--thresholds',
                               ROOT / 'thresholds/dgx-spark-pair.toml'], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


class Merging(unittest.TestCase):
    def test_in_a_ring_is_red(self):
        code, said = verdict('dgx_spark_ring_of_three.toml', ('node-a', 'node-b', 'node-c'), {'NCCL_IB_MERGE_NICS': '1'})
        self.assertEqual(code, 1, said)
        self.assertIn('NCCL_IB_MERGE_NICS=1 makes one device of ports that lead to different nodes', said)

    def test_switched_off_in_a_ring_is_sound(self):
        code, said = verdict('dgx_spark_ring_of_three.toml', ('node-a', 'node-b', 'node-c'), {'NCCL_IB_MERGE_NICS': '0'})
        self.assertEqual(code, 0, said)

    def test_on_two_cables_to_one_node_is_sound(self):
        code, said = verdict('dgx_spark_pair.toml', ('node-a', 'node-b'), {'NCCL_IB_MERGE_NICS': '1'})
        self.assertEqual(code, 0, said)


if __name__ == '__main__':
    unittest.main()
