#!/usr/bin/env python3
"""Eight nodes of a model rig of which one is slow: it is rejected by name, and joins once it is healed and retested.   retest_test.py BUILD

Catches: a partner that is rejected with a slow node, or does not meet others where both are in doubt, a former result that is lost, a repaired
node that cannot join, a record that does not verify after it."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
RIGPROOF = BUILD / 'bin/rigproof'

SLOW = r'''
rate=$(tc -n fabric qdisc show dev e-port0 root | sed -En 's/.* rate ([0-9]+)Mbit.*/\1/p')
slow() {  # NODE'S LETTER, PER MILLE: it sends and receives so much of its rate by both ports
  for p in 0 1; do
    tc -n fabric qdisc replace dev $1-port$p root tbf rate $((rate * $2))kbit burst 256kb latency 20ms
    tc -n fabric qdisc add dev sw-$1-port$p root tbf rate $((rate * $2))kbit burst 256kb latency 20ms
  done
}
heal() {
  for p in 0 1; do
    tc -n fabric qdisc replace dev $1-port$p root tbf rate ${rate}mbit burst 256kb latency 20ms
    tc -n fabric qdisc del dev sw-$1-port$p root
  done
}
run() { "$RIGPROOF" run --rig "$RIGPROOF_RIG" --thresholds "$RIGPROOF_THRESHOLDS" --profile smoke --no-pdf --out "$OUT" \
  --suite tcp --gtest_filter='*PortRate*' --sample 10 --seed 7 "$@"; }
'''


class OfEightNodes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='retest-')
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name) / 'run'

    def in_rig(self, script):
        text = f'RIGPROOF={RIGPROOF}\nOUT={self.out}\n{SLOW}\n{script}'
        done = subprocess.run([RIGPROOF, 'model', 'exec', '--nodes', '8', '--', 'bash', '-c', text], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=900)
        return done.returncode, done.stdout

    def events(self, kind):
        events = [json.loads(line) for line in (self.out / 'journal.jsonl').read_text().splitlines()]
        return [event for event in events if event['event'] == kind]

    def test_a_repaired_node_joins(self):
        # It meets its limits: other programs void no attempt that does.
        code, said = self.in_rig('''
            slow e 880
            run --rounds 3; echo "the run ended with $?"
            "$RIGPROOF" run --resume "$OUT" --retest node-e --no-pdf; echo "still slow it ended with $?"
            heal e
            "$RIGPROOF" run --resume "$OUT" --retest node-e --no-pdf''')
        first, second, third = said.split(' ended with ')
        for part, tries in ((first, ''), (second, '; try 2')):
            self.assertIn('node-e: rejected', part, said)
            self.assertIn('7 of 8 nodes accepted', part, said)
            self.assertIn(tries, part)
        self.assertTrue(second.startswith('1') and third.startswith('1'), said)
        self.assertRegex(third, r'node-e: accepted; try 3; until \S+Z rejected: .* slower than the other nodes; until')
        self.assertIn('8 of 8 nodes accepted', third)
        self.assertEqual(code, 0, said)
        retested = self.events('run_resumed')[0]['time']
        again = {tuple(sorted(event['name'].rsplit('/', 1)[1].split('_to_'))) for event in self.events('case_ended') if event['time'] > retested}
        self.assertTrue(all('node_e' in ' '.join(pair) for pair in again), again)
        self.assertEqual(subprocess.run([RIGPROOF, 'verify', self.out], capture_output=True).returncode, 0)

    def test_a_slow_node_and_its_only_partner_meet_others(self):
        code, said = self.in_rig('slow e 880; run --rounds 1')
        self.assertEqual(code, 3, said)  # one round of pairs proves too little
        self.assertRegex(said, '2 further pairs met to tell slow nodes from their partners')
        pairs = {tuple(sorted(event['nodes'])) for event in self.events('suite_started') if len(event.get('nodes', [])) == 2}
        self.assertEqual(len(pairs), 6, pairs)
        self.assertEqual(sum('node-e' in pair for pair in pairs), 2, pairs)


if __name__ == '__main__':
    unittest.main()
