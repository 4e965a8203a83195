#!/usr/bin/env python3
"""Runs in an allocation of a real Slurm, without ssh: slurmctld and slurmds in a model rig.   slurm_test.py BUILD

Catches: an allocation that is not used or not understood, ssh inside of it, pairs that wait for each other, a rank that hangs
and holds up other steps, readers of counters that outlive their run, a run that can't be taken up in another allocation.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else HERE.parents[2] / 'build'
RIGPROOF = BUILD / 'bin/rigproof'
LINKS = '--suite link --suite mtu'


def events(out):
    lines = (pathlib.Path(out) / 'journal.jsonl').read_text().splitlines()
    return [json.loads(line) for line in lines]


def of_type(out, name):
    return [event for event in events(out) if event.get('event', event.get('type')) == name]


class InAnAllocation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not all(shutil.which(tool) for tool in ('slurmctld', 'slurmd', 'salloc', 'srun')):
            print('slurm is missing; ci/setup --slurm installs it')
            sys.exit(77)

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix='slurm-')
        self.addCleanup(self.folder.cleanup)
        self.out = pathlib.Path(self.folder.name) / 'run'

    def allocated(self, nodes, script, rig_nodes=None):
        """`script` in an allocation of `nodes` nodes; in it, `qualify ARGUMENTS` is a run, and ssh a trap."""
        trap = pathlib.Path(self.folder.name) / 'trap'
        trap.mkdir(exist_ok=True)
        (trap / 'ssh').write_text(f'#!/bin/sh\necho "$@" >>{trap}/called\nexit 99\n')
        (trap / 'ssh').chmod(0o755)
        text = f'''
export PATH={trap}:$PATH
qualify() {{ {RIGPROOF} run --rig "${{RIG:-$RIGPROOF_RIG}}" --thresholds "$RIGPROOF_THRESHOLDS" --profile smoke --no-pdf \\
  --out {self.out} "$@"; }}
{script}
'''
        rig_nodes = rig_nodes or nodes
        done = subprocess.run([RIGPROOF, 'model', 'exec', '--nodes', str(rig_nodes), '--', HERE / 'slurm_rig', str(rig_nodes),
                               str(nodes), 'bash', '-c', text], capture_output=True, text=True, timeout=240)
        said = '\n'.join(line for line in (done.stdout + done.stderr).splitlines() if '] PASS ' not in line)
        self.assertFalse((trap / 'called').exists(), said)
        return done.returncode, said

    def test_suites_are_steps_of_the_allocation(self):
        code, said = self.allocated(2, 'qualify --suite link --suite preflight --suite collective')
        self.assertEqual(code, 0, said)
        self.assertIn('PARTIAL', said)
        for started in of_type(self.out, 'suite_started'):
            self.assertRegex(started['command'], r'^srun --mpi=pmix --overlap .*--nodelist=node-a,node-b ')

    def pairs(self):
        """Of each pair's job of suite mtu: its nodes, when it was launched and when it ended."""
        began = {e['job']: e for e in of_type(self.out, 'suite_started') if e['suite'] == 'mtu' and len(e.get('nodes', [])) == 2}
        ended = {e['job']: e for e in of_type(self.out, 'suite_ended') if e['suite'] == 'mtu' and e.get('job') in began}
        return [(set(began[job]['nodes']), began[job]['time'], ended[job]['time']) for job in sorted(began)]

    def test_pairs_of_four_nodes_are_steps_at_once(self):
        code, said = self.allocated(4, f'qualify {LINKS}')
        self.assertEqual(code, 0, said)
        pairs = self.pairs()
        self.assertEqual(len(pairs), 6)
        for nodes, began, ended in pairs:
            beside = [other for other in pairs if not other[0] & nodes]
            self.assertEqual(len(beside), 1)
            self.assertTrue(beside[0][1] < ended and began < beside[0][2], pairs)
            for other in pairs:
                if other[0] != nodes and other[0] & nodes:
                    self.assertTrue(other[2] <= began or ended <= other[1], pairs)

    def test_a_rank_that_hangs_in_a_step_holds_up_no_other(self):
        code, said = self.allocated(4, f'''
            qualify --suite mtu & run=$!
            until hung=$(ip netns pids node-d | xargs -r ps -o pid=,comm= | grep rigproof-suite) &&
              grep -q '"suite_started".*"nodes":."node-.","node-d".' {self.out}/journal.jsonl; do sleep 0.1; done
            sleep 1
            ip netns pids node-d | xargs ps -o pid=,comm= | grep rigproof-suite | while read pid name; do kill -STOP $pid; done
            wait $run''')
        self.assertEqual(code, 2, said)
        hung = [pair for pair in self.pairs() if 'node-d' in pair[0]]
        sound = [pair for pair in self.pairs() if 'node-d' not in pair[0]]
        self.assertEqual(len(sound), 3, said)
        first_end = min(ended for _, _, ended in hung)
        self.assertTrue(any(ended < first_end for _, _, ended in sound), self.pairs())
        for case in of_type(self.out, 'case_ended'):
            if 'node_d' not in case['name']:
                self.assertFalse(case['failures'], case)
        self.assertIn('node-d', said)

    def test_counters_and_facts_are_read_without_ssh(self):
        code, said = self.allocated(2, f'''
            {RIGPROOF} watch --rig $RIGPROOF_RIG --seconds 4 || exit
            sleep 1
            ! pgrep -af "$(readlink -f {RIGPROOF}) counters" || exit 1
            {RIGPROOF} snapshot --rig $RIGPROOF_RIG --out {self.folder.name}/facts''')
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r'reading takes .* on node-a, .* on node-b')
        self.assertEqual(sorted(path.stem for path in pathlib.Path(self.folder.name, 'facts').glob('node-*')), ['node-a', 'node-b'])

    def test_the_screen_of_a_run_needs_no_ssh(self):
        code, said = self.allocated(2, f'''
            export -f qualify
            SHELL=$BASH TERM=xterm script -qec 'qualify --suite mtu' /dev/null''')
        self.assertEqual(code, 0, said)
        self.assertIn('PEAK', said)
        self.assertNotIn('no counters from', said)

    def test_ranks_find_their_nodes_in_a_rig_of_another_order(self):
        reverse = HERE / 'reverse_nodes.py'
        code, said = self.allocated(2, f'RIG={self.folder.name}/rig.toml; {reverse} "$RIGPROOF_RIG" >$RIG; qualify --suite link')
        self.assertEqual(code, 0, said)
        rig = (pathlib.Path(self.folder.name) / 'rig.toml').read_text()
        self.assertLess(rig.index('"node-b"'), rig.index('"node-a"'))

    def test_a_node_that_is_drained_meanwhile_ends_no_run(self):
        code, said = self.allocated(2, f'''
            qualify {LINKS} & run=$!
            until grep -q case_ended {self.out}/journal.jsonl; do sleep 0.05; done
            scontrol update NodeName=node-b State=DRAIN Reason=test
            wait $run''')
        self.assertEqual(code, 0, said)

    def test_an_allocation_that_ends_meanwhile_leaves_a_run_that_another_takes_up(self):
        code, said = self.allocated(2, f'''
            qualify {LINKS} & run=$!
            until [ "$(grep -sc case_ended {self.out}/journal.jsonl)" -gt 8 ] 2>/dev/null; do sleep 0.05; done
            scancel $SLURM_JOB_ID
            wait $run; echo "the run ended with $?"
            cp {self.out}/journal.jsonl {self.folder.name}/broken_off.jsonl
            unset ${{!SLURM_JOB*}}
            salloc --quiet --nodes=2 {RIGPROOF} run --resume {self.out} --no-pdf''')
        self.assertIn('the run ended with 2', said)
        before = (pathlib.Path(self.folder.name) / 'broken_off.jsonl').read_text()
        self.assertRegex(before, r'"allocation-ended"')
        self.assertEqual(code, 0, said)
        self.assertTrue((self.out / 'journal.jsonl').read_text().startswith(before))
        ended = [(case['suite'], case['name']) for case in of_type(self.out, 'case_ended') if not case.get('failures')]
        planned = [(plan['suite'], case['name']) for plan in of_type(self.out, 'suite_planned') for case in plan['cases']]
        self.assertEqual(sorted(ended), sorted(set(planned)))

    def test_the_example_for_sbatch(self):
        job = HERE.parents[2] / 'ci/pipelines/slurm/qualify.sbatch'
        code, said = self.allocated(1, f'''
            scancel $SLURM_JOB_ID; unset ${{!SLURM_JOB*}}; cd {self.folder.name}; export PATH={RIGPROOF.parent}:$PATH
            sbatch --wait {job} --suite link --profile smoke --no-pdf; code=$?; cat rigproof-*.log; exit $code''', rig_nodes=2)
        self.assertEqual(code, 0, said)
        self.assertTrue(list(pathlib.Path(self.folder.name).glob('out/slurm-*/report.html')), said)

    def test_an_allocation_that_lacks_a_node_of_the_rig_is_refused(self):
        code, said = self.allocated(1, 'qualify --suite link', rig_nodes=2)
        self.assertEqual(code, 2, said)
        self.assertRegex(said, r'this Slurm allocation has node-a, but not node-b')
        self.assertFalse(self.out.exists())


if __name__ == '__main__':
    unittest.main()
