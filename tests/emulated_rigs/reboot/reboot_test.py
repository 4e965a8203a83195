#!/usr/bin/env python3
"""A node of a model rig reboots in mid-run: the run ends with a record, and goes on in it when the node is back.   reboot_test.py BUILD

A node that reboots is silent at once: its links go down before its processes are killed, so that no peer hears of it.
Catches: a run that hangs or leaves no record when a node or the head node is gone, one that can't be taken up again, cases
that are lost or run twice by that, ranks of the old run that keep a node from the new one.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
RIGPROOF = BUILD / 'bin/rigproof'

REBOOT = r'''
netdevs() { ip -n "$1" -br link | sed -n 's/^\([a-zA-Z0-9]*\)@\?.* .*/\1/p' | grep -v '^lo$'; }
lose() {  # NODE: nothing of it answers any more
  for netdev in $(netdevs "$1"); do ip -n "$1" link set "$netdev" down; done
  touch /run/netns/.gone-"$1"
  mount --bind /run/netns/"$1" /run/netns/.gone-"$1"
  for pid in $(ip netns pids "$1"); do
    case " $KEPT $$ $PPID $BASHPID " in *" $pid "*) ;; *) kill -KILL "$pid" 2>/dev/null ;; esac
  done
  ip netns delete "$1"
}
come_back() {
  touch /run/netns/"$1"
  mount --bind /run/netns/.gone-"$1" /run/netns/"$1"
  umount /run/netns/.gone-"$1"
  rm /run/netns/.gone-"$1"
  for netdev in $(netdevs "$1"); do ip -n "$1" link set "$netdev" up; done
  sleep 1
}
run() { "$RIGPROOF" run --rig "$RIGPROOF_RIG" --thresholds "$RIGPROOF_THRESHOLDS" --profile smoke --no-pdf --out "$OUT" \
  --suite link --suite mtu; }
resume() { "$RIGPROOF" run --resume "$OUT" --no-pdf; }
until_case() { until [ "$(grep -sc '"case_ended".*"mtu"' "$OUT/journal.jsonl")" -ge "$1" ] 2>/dev/null; do sleep 0.05; done; }
'''


class InAModelRig(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='reboot-')
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name) / 'run'

    def in_rig(self, script):
        text = f'RIGPROOF={RIGPROOF}\nOUT={self.out}\n{REBOOT}\n{script}'
        done = subprocess.run([RIGPROOF, 'model', 'exec', '--', 'bash', '-c', text], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=240)
        return done.returncode, done.stdout

    def events(self):
        return [json.loads(line) for line in (self.out / 'journal.jsonl').read_text().splitlines()]

    def check_whole(self, said):
        """One record, in which every planned case has passed once."""
        events = self.events()
        self.assertEqual([event['seq'] for event in events], list(range(len(events))), said)
        planned, passed = set(), collections.Counter()
        for event in events:
            if event['event'] == 'suite_planned':
                planned |= {(event['suite'], case['name']) for case in event['cases']}
            if event['event'] == 'case_ended' and not event['failures']:
                passed[event['suite'], event['name']] += 1
        self.assertEqual(len(planned), 24)
        self.assertEqual({case: 1 for case in planned}, dict(passed), said)
        self.assertEqual(subprocess.run([RIGPROOF, 'verify', self.out], capture_output=True).returncode, 0)

    def test_a_node_that_reboots(self):
        code, said = self.in_rig('''
            run & run=$!
            until_case 3
            lose node-b
            wait $run; echo "the run ended with $?"
            resume; echo "without the node it ended with $?"
            come_back node-b
            resume''')
        self.assertIn('the run ended with 2', said)
        self.assertIn('without the node it ended with 2', said)
        self.assertTrue(any(event['event'] == 'problem' and event['type'] == 'node-absent' and 'node-b' in event['message']
                            for event in self.events()), said)
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r'PARTIAL: .*resumed')
        self.check_whole(said)

    def test_a_head_node_that_reboots(self):
        code, said = self.in_rig('''
            KEPT=$(pgrep -f 'rigproof model exec' | tr '\\n' ' ')
            run & run=$!
            until_case 3
            lose node-a
            wait $run; echo "the run ended with $?"
            come_back node-a
            cp $OUT/journal.jsonl $OUT.before
            resume''')
        self.assertIn('the run ended with 137', said)
        before = pathlib.Path(f'{self.out}.before').read_text()
        self.assertNotIn('run_ended', before)
        self.assertTrue((self.out / 'journal.jsonl').read_text().startswith(before[:before.rindex('\n') + 1]))
        self.assertEqual(code, 0, said)
        self.check_whole(said)


if __name__ == '__main__':
    unittest.main()
