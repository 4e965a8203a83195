#!/usr/bin/env python3
"""The runner of the fault files: what counts as found, what as a false alarm, and which files are refused."""

import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from runner import broken_rig  # noqa: E402
from runner.complaints import complaints, is_disturbed  # noqa: E402
from runner.fault_file import Expected, Fault, FaultFile, FaultFileError, matches_case, read_fault_file  # noqa: E402
from runner.judged_run import Case, JudgedRun, Missed, read_judged_run  # noqa: E402
from runner.snapshot import changed  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
UP = 'link.EachHalf/HalfLink.IsUp/node_b_x'


def fault(text='', head='kind = "model"'):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'a.toml'
        path.write_text(f'{head}\n[[fault]]\nname = "x"\nsuites = ["link"]\n{text}')
        return read_fault_file(path).faults[0]


def broken(red, more=''):
    return fault(f'break = "false"\neffect = "false"\nred = [{red}]\n{more}')


def run(*cases, missed=(), code=None, todo=(), told=''):
    judged = JudgedRun(0, cases, missed, todo, told, HERE)
    return JudgedRun(judged.code_of_cases() if code is None else code, cases, missed, todo, told, HERE)


class Found(unittest.TestCase):
    def expect(self, fault, run, *words):
        said = list(complaints(fault, run))
        self.assertEqual(len(said), len(words), said)
        for one, wanted in zip(said, words):
            self.assertIn(wanted, one)

    def test_a_missed_limit(self):
        self.expect(broken('"HalfLink.IsUp/node_b_x"'), run(Case(UP, 'failed')))

    def test_an_error_is_not_a_missed_limit(self):
        self.expect(broken('"HalfLink.IsUp/node_b_x"'), run(Case(UP, 'error')), 'error, expected failed')

    def test_an_error_where_one_is_expected(self):
        self.expect(broken('{ case = "HalfLink.*", status = ["error"] }'), run(Case(UP, 'error')))

    def test_not_proven_is_not_a_missed_limit(self):
        self.expect(broken('"HalfLink.*"'), run(Case(UP, 'not proven')), 'not proven, expected failed')

    def test_nothing_when_the_case_passed(self):
        self.expect(broken('"HalfLink.*"'), run(Case(UP, 'passed')), 'passed, expected failed')

    def test_nothing_when_the_case_did_not_run(self):
        self.expect(broken('"HalfLink.IsUp/node_a_x"'), run(Case(UP, 'passed')), 'no such case ran')

    def test_every_case_that_matches_must_be_red(self):
        cases = Case(UP, 'failed'), Case(UP.replace('_b_', '_a_'), 'passed')
        self.expect(broken('"HalfLink.IsUp/*"'), run(*cases), 'node_a_x: passed')
        self.expect(broken('{ case = "HalfLink.IsUp/*", some = true }'), run(*cases))

    def test_by_the_right_measurement_of_the_right_node(self):
        found = broken('{ case = "HalfLink.*", id = "link.up", node = "node-b" }')
        self.expect(found, run(Case(UP, 'failed'), missed=(Missed(UP, 'link.up', 'node-b'),)))
        self.expect(found, run(Case(UP, 'failed'), missed=(Missed(UP, 'link.up', 'node-a'),)), 'not red for link.up on node-b')
        self.expect(found, run(Case(UP, 'failed'), missed=(Missed(UP, 'link.rate', 'node-b'),)), 'link.rate on node-b')

    def test_the_words_of_the_message_count_not_those_of_the_name(self):
        found = broken('{ case = "HalfLink.*", says = ["node_b_x"] }')
        self.expect(found, run(Case(UP, 'failed', message='no carrier')), 'does not say')
        self.expect(found, run(Case(UP, 'failed', message='node_b_x has no carrier')))

    def test_another_red_case_is_a_false_alarm(self):
        other = Case('mtu.EachRail/RailMtu.X/rail0', 'failed', message='too small\nmore')
        self.expect(broken('"HalfLink.*"'), run(Case(UP, 'failed'), other), 'false alarm: mtu.EachRail/RailMtu.X/rail0: failed: too small')
        self.expect(broken('"HalfLink.*"', 'may = ["RailMtu.*"]'), run(Case(UP, 'failed'), other))

    def test_what_may_fail_may_not_be_an_error(self):
        self.expect(broken('"HalfLink.*"', 'may = ["RailMtu.*"]'),
                    run(Case(UP, 'failed'), Case('mtu.EachRail/RailMtu.X/rail0', 'error')), 'false alarm')

    def test_a_crash_is_never_expected(self):
        self.expect(broken('{ case = "HalfLink.*", status = ["error"] }'), run(Case(UP, 'error', message='killed by SIGSEGV')), 'crash')

    def test_a_sound_rig_qualifies(self):
        sound = fault('no_effect = "nothing is broken"')
        self.expect(sound, run(Case(UP, 'passed')))
        self.expect(sound, run(Case(UP, 'passed'), Case('mtu.X.Y/z', 'not proven')), 'false alarm')
        self.expect(sound, run(), 'nothing passed')

    def test_what_must_be_green(self):
        green = fault('no_effect = "-"\ngreen = ["HalfLink.*", "RailMtu.*"]')
        self.expect(green, run(Case(UP, 'passed')), 'no such case ran: RailMtu.*')
        both = broken('"A.*"', 'may = ["HalfLink.*"]\ngreen = ["HalfLink.IsUp/*"]')
        self.expect(both, run(Case('a.A.B/c', 'failed'), Case(UP, 'failed')), 'expected passed')

    def test_an_exit_code_that_the_cases_contradict(self):
        self.expect(broken('"HalfLink.*"'), run(Case(UP, 'failed'), code=0), 'exit code 0')
        self.expect(broken('"HalfLink.*"'), run(Case(UP, 'failed'), code=2), 'exit code 2')

    def test_remedies_and_words(self):
        told = broken('"HalfLink.*"', 'remedies = ["ip link set x up   # node-b"]\nsays = ["STAND-IN"]')
        self.expect(told, run(Case(UP, 'failed'), todo=('ip link set x up   # node-b',), told='STAND-IN'))
        self.expect(told, run(Case(UP, 'failed')), 'no such remedy', 'STAND-IN')

    def test_no_report(self):
        self.expect(broken('"HalfLink.*"'), None, 'no report')


class Refused(unittest.TestCase):
    def expect(self, words, text, head='kind = "model"'):
        with self.assertRaises(FaultFileError) as refused:
            fault(text, head)
        self.assertIn(words, str(refused.exception))

    def test_unknown_keys(self):
        self.expect("unknown key 'colour'", 'colour = "red"')
        self.expect("unknown key 'kase'", 'effect = "false"\nred = [{ kase = "X" }]')
        self.expect("unknown key 'every_'", '', 'kind = "model"\n[every_]')

    def test_a_fault_without_a_proof_of_its_effect(self):
        self.expect("'effect'", 'break = "true"\nred = ["X"]')
        self.expect("'effect'", 'break = "true"\nred = ["X"]\neffect = "true"\nno_effect = "why not"')

    def test_commands_for_facts_and_changes_of_rigs(self):
        self.expect("by 'change' alone", 'red = ["X"]\nbreak = "true"', 'kind = "facts"')
        self.expect("'change' is for facts", 'red = ["X"]\neffect = "true"\nchange = [{ node = "a", path = "b" }]')

    def test_a_fault_that_expects_nothing(self):
        self.expect("no 'red'", 'break = "true"\neffect = "true"')

    def test_a_status_that_is_none(self):
        self.expect("status ['red']", 'effect = "true"\nred = [{ case = "X", status = ["red"] }]')
        self.expect("status", 'effect = "true"\nred = [{ case = "X", status = [] }]')

    def test_patterns_that_googletest_does_not_know(self):
        self.expect('brackets', 'filter = "*rail[01]*"')

    def test_a_text_for_a_list_is_one_entry(self):
        self.assertEqual(fault('no_effect = "-"\nsays = "one"').says, ('one',))

    def test_wrong_types(self):
        self.expect("'filter'", 'filter = 1')
        self.expect("'undo'", 'undo = ["a"]')

    def test_a_kind_of_rig_that_is_none(self):
        self.expect("'kind'", '', 'kind = "paper"')

    def test_all_files_of_this_folder_can_be_used(self):
        files = sorted(HERE.glob('*/*.toml'))
        self.assertTrue(files)
        for file in files:
            read_fault_file(file)


class Read(unittest.TestCase):
    def test_names_with_and_without_their_suite(self):
        for pattern in ('HalfLink.IsUp/node_b_x', 'link.HalfLink.*', '*/node_[ab]_x'):
            self.assertTrue(matches_case(UP, pattern), pattern)
        for pattern in ('IsUp/node_b_x', 'mtu.HalfLink.*', 'HalfLink.IsUp/node_b'):
            self.assertFalse(matches_case(UP, pattern), pattern)
        self.assertTrue(matches_case('run.Steady.state/node_b', 'Steady.state/node_b'))

    def test_the_approved_reports(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ('junit.xml', 'metrics.txt', 'summary.md'):
                (pathlib.Path(folder) / name).write_bytes((HERE.parent / 'golden' / name).read_bytes())
            judged = read_judged_run(pathlib.Path(folder), 2, '')
        self.assertEqual({case.status for case in judged.cases}, {'passed', 'failed', 'error', 'not proven'})
        self.assertIn(Missed('tcp.Rail/BothHalves.Fill/rail1_node_a_node_b', 'tcp.rate.half', 'node-a'), judged.missed)
        self.assertEqual(judged.code_of_cases(), 2)
        self.assertIn("check the link's rate (ethtool half1)   # node-a: check", judged.todo)

    def test_changed_facts(self):
        facts = {'node-b': {'facts': {'netdevs': {'x': {'mtu': 9000}}}}}
        change = fault('red = ["X"]\nchange = [{ node = "node-b", path = "netdevs / x / mtu", value = "1500" }]', 'kind = "facts"').change
        self.assertEqual(changed(facts, change)['node-b']['facts']['netdevs']['x']['mtu'], 1500)
        self.assertEqual(facts['node-b']['facts']['netdevs']['x']['mtu'], 9000)


# Stands for rigproof: a "rig" is a shell whose rig file is $HOME/rig.toml; its one case is red where $HOME/broken is.
FAKE = r"""#!/bin/sh
export RIGPROOF_RIG=$HOME/rig.toml RIGPROOF_THRESHOLDS=limits.toml
if [ "$1" = model ]; then
  echo started >>$HOME/starts
  shift 3
  exec "$@"
fi
while [ "$1" != --out ]; do shift; done
mkdir -p $2; : >$2/metrics.txt; : >$2/summary.md
verdict= code=0
[ -e $HOME/broken ] && verdict='<failure message="-"/>' code=1
[ -e $HOME/out/busy ] && verdict='<skipped type="disturbed" message="-"/>' code=3 && rm $HOME/out/busy
echo "<testsuites><testcase name='a.B/C.D/x'>$verdict</testcase></testsuites>" >$2/junit.xml
exit $code
"""
RED = (Expected('C.D/x'),)


class OnARig(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        for name, text in (('rig.toml', ''), ('rig.toml.sound', ''), ('rigproof', FAKE), ('starts', '')):
            (self.home / name).write_text(text)
        (self.home / 'out').mkdir()
        (self.home / 'rigproof').chmod(0o755)
        for patch in (mock.patch.dict(broken_rig.STATE, model='ls $HOME'), mock.patch.object(broken_rig, 'EFFECT_TRIES', 2),
                      mock.patch.dict('os.environ', HOME=folder.name)):
            patch.start()
            self.addCleanup(patch.stop)

    def judge(self, *faults):
        """The complaints about each fault; `starts` is how many rigs were started."""
        told = []
        broken_rig.judge_faults(FaultFile(self.home, 'model', faults), faults, self.home / 'rigproof', self.home / 'out',
                                lambda fault, found, seconds: told.append(found))
        self.starts = len((self.home / 'starts').read_text().splitlines())
        return told

    def fault(self, name='x', **keys):
        return Fault(**{'name': name, 'suites': ('a',), 'red': RED, 'breaks': 'touch $HOME/broken', 'undo': 'rm $HOME/broken',
                        'effect': 'test -e $HOME/broken'} | keys)

    def expect(self, words, **keys):
        (found,) = self.judge(self.fault(**keys))
        self.assertTrue(found and words in found[0], found)

    def test_faults_that_can_be_undone_share_a_rig(self):
        self.assertEqual(self.judge(self.fault('x'), self.fault('y')), [[], []])
        self.assertEqual(self.starts, 1)

    def test_after_one_that_cannot_there_is_a_fresh_rig(self):
        gone = self.fault(breaks='trap "rm $HOME/broken" EXIT; touch $HOME/broken', effect='', no_effect='-', undo='')
        self.judge(gone, self.fault('y'))
        self.assertEqual(self.starts, 2)

    def test_an_effect_that_a_sound_rig_shows(self):
        self.expect('a sound rig shows it too', effect='true')
        self.expect('a sound rig shows it too', effect_after='true')

    def test_an_effect_that_the_broken_rig_does_not_show(self):
        self.expect('the broken rig does not show it', breaks='true')
        self.expect('after the run the rig does not show it', effect_after='false')

    def test_an_effect_that_comes_late_is_waited_for(self):
        self.assertEqual(self.judge(self.fault(breaks='(sleep 0.1; touch $HOME/broken) >/dev/null 2>&1 &')), [[]])

    def test_a_command_that_fails(self):
        self.expect('exit code 3', breaks='sh -c "exit 3"; true')
        self.expect('exit code 4', undo='rm $HOME/broken; sh -c "exit 4"')

    def test_an_undo_that_leaves_something(self):
        self.expect('does not bring back the sound rig', breaks='touch $HOME/broken $HOME/more')

    def test_complaints_about_the_run_survive_a_bad_undo(self):
        (found,) = self.judge(self.fault(red=(Expected('C.D/y'),), undo='false'))
        self.assertIn('no such case ran: C.D/y', found[0])
        self.assertIn('exit code 1', found[-1])

    def test_a_rig_that_ends_costs_its_fault_only(self):
        first, second = self.judge(self.fault(breaks='kill -9 $$'), self.fault('y'))
        self.assertIn('the rig ended', first[0])
        self.assertEqual(second, [])

    def test_a_fault_is_tried_once_more_when_the_machine_was_busy(self):
        (self.home / 'out/busy').write_text('')
        self.assertEqual(self.judge(self.fault()), [[]])
        self.assertFalse((self.home / 'out/busy').exists())

    def test_a_fault_that_is_missed_is_not_tried_again_because_the_machine_was_busy(self):
        busy = Case(UP, 'not proven', 'disturbed')
        self.assertTrue(is_disturbed(broken('"HalfLink.*"'), run(busy)))
        self.assertFalse(is_disturbed(broken('"HalfLink.*"'), run(busy, Case('a.A.B/c', 'failed'))))
        self.assertFalse(is_disturbed(broken('"A.B/c"'), run(busy, Case('a.A.B/c', 'passed'))))
        self.assertFalse(is_disturbed(broken('"HalfLink.*"'), run(Case(UP, 'passed'))))

    def test_the_rig_file_is_put_back(self):
        edits = self.fault(breaks='touch $HOME/broken; echo edited >$RIGPROOF_RIG')
        self.assertEqual(self.judge(edits), [[]])
        self.assertEqual((self.home / 'rig.toml').read_text(), '')


if __name__ == '__main__':
    unittest.main()
