#!/usr/bin/env python3
"""What the campaign prints of its runs. Catches: a red case whose limits are not told, a limit of another case's taken for this
one's, a sound rig that was red passed off as promised, a strength taken for sure though a stronger one was missed."""

import collections
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
loader = importlib.machinery.SourceFileLoader('campaign_run', str(HERE / 'run'))
campaign = importlib.util.module_from_spec(importlib.util.spec_from_loader('campaign_run', loader))
loader.exec_module(campaign)
from runner.judged_run import Case, JudgedRun, Missed  # noqa: E402

PATTERN = 'RailRate.*/rail0_*'
ENTRY = {'name': 'loss', 'broken': 'packets are lost', 'unit': '%', 'red': [PATTERN]}


def run_with(cases, missed):
    return JudgedRun(1, tuple(cases), tuple(missed), (), '', HERE)


def row(strength, trials, **red):
    return strength, {PATTERN: collections.Counter({id.replace('__', '.'): count for id, count in red.items()})}, trials


class RedOf(unittest.TestCase):
    def test_names_the_limits_that_the_case_missed(self):
        run = run_with([Case('tcp.All/RailRate.Fills/rail0_a', 'failed'), Case('tcp.All/RailRate.Fills/rail1_a', 'failed')],
                       [Missed('tcp.All/RailRate.Fills/rail0_a', 'tcp.rate', 'node-a'),
                        Missed('tcp.All/RailRate.Fills/rail1_a', 'tcp.retransmits', 'node-a')])
        self.assertEqual(campaign.red_of(run, PATTERN), {campaign.ANY, 'tcp.rate'})

    def test_an_error_has_no_limit(self):
        self.assertEqual(campaign.red_of(run_with([Case('tcp.RailRate.Fills/rail0_a', 'error')], []), PATTERN), {campaign.ANY})
        self.assertEqual(campaign.red_of(run_with([Case('tcp.RailRate.Fills/rail0_a', 'passed')], []), PATTERN), set())


class Table(unittest.TestCase):
    def printed(self, rows):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            campaign.print_table(ENTRY, rows)
        return text.getvalue()

    def test_tells_of_each_limit_from_which_strength_on(self):
        text = self.printed([row(0, 4), row(1, 4, any=4, tcp__rate=1, tcp__gap=4), row(3, 4, any=4, tcp__rate=4, tcp__gap=3),
                             row(9, 4, any=4, tcp__rate=4, tcp__gap=4)])
        self.assertIn('any: never up to 0, each time from 1 % on (0: 0/4  1: 4/4  3: 4/4  9: 4/4)', text)
        self.assertIn('tcp.rate: never up to 0, each time from 3 % on', text)
        self.assertIn('tcp.gap: never up to 0, each time from 9 % on', text)

    def test_tells_what_was_not_measured_or_not_caught(self):
        text = self.printed([row(0, 2), row(1, 0), row(3, 2, any=1)])
        self.assertIn('1  not measured', text)
        self.assertIn('any: never up to 0, not each time by any strength', text)


class Promise(unittest.TestCase):
    def test_is_a_green_sound_rig_and_a_red_strongest_fault(self):
        self.assertTrue(campaign.is_as_promised(ENTRY, [row(0, 2), row(3, 2, any=2)]))
        self.assertFalse(campaign.is_as_promised(ENTRY, [row(0, 2, any=1), row(3, 2, any=2)]))
        self.assertFalse(campaign.is_as_promised(ENTRY, [row(0, 2), row(3, 2, any=1)]))
        self.assertFalse(campaign.is_as_promised(ENTRY, [row(0, 0), row(3, 2, any=2)]))


if __name__ == '__main__':
    unittest.main()
