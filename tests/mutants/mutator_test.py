#!/usr/bin/env python3
"""Which mutants a text has. Catches: an operand cut off or taken too long, a mutant of a comment, a string or a template, a dropped
statement that gives an `else` another `if`, lines that move, a draw that another call does not repeat, a known survivor that no
source has any more."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from mutator import Mutator, with_mutants  # noqa: E402

loader = importlib.machinery.SourceFileLoader('mutants_run', str(HERE / 'run'))
run = importlib.util.module_from_spec(importlib.util.spec_from_loader('mutants_run', loader))
loader.exec_module(run)


def mutants(text):
    return {mutant.what: with_mutants(text, [(7, mutant)]) for mutant in Mutator('a.cc', text).mutants()}


def body(text):
    return f'void f() {{\n  {text}\n}}\n'


class Mutants(unittest.TestCase):
    def holds(self, text, what, mutated):
        self.assertEqual(mutants(body(text)).get(what), body(mutated), mutants(body(text)).keys())

    def test_a_comparison_takes_its_operands_and_no_more(self):
        self.holds('return a + g(b, c) < d && e;', 'a + g(b, c) < d -> a + g(b, c) <= d',
                   'return (mutant_on(7) ? (a + g(b, c)) <= (d) : (a + g(b, c)) < (d)) && e;')
        self.holds('x = h([&] { return a || b && !c; });', 'a || b && !c -> a && b && !c',
                   'x = h([&] { return (mutant_on(7) ? (a) && (b && !c) : (a) || (b && !c)); });')

    def test_a_condition_is_negated_behind_its_declaration(self):
        self.holds('if (const int a = g(); a > b) h();', 'a > b -> !(a > b)',
                   'if (const int a = g();(mutant_on(7) != static_cast<bool>(a > b))) h();')
        self.holds('return a ? b : c;', 'a -> !(a)', 'return (mutant_on(7) != static_cast<bool>(a)) ? b : c;')

    def test_a_number_is_moved_by_one(self):
        self.holds('x = y[0];', 'x = y[0]; -> x = y[1];', 'x = y[(0 + mutant_on(7))];')
        self.holds('x = y - 2;', 'x = y - 2; -> x = y - 1;', 'x = y - (2 - mutant_on(7));')
        self.assertIn('const int kMost = (8 + mutant_on(7));\n', mutants('constexpr int kMost = 8;\n').values())

    def test_a_dropped_statement_leaves_each_else_with_its_if(self):
        self.holds('if (a) b();\n  else c = 1;', 'b(); -> dropped', 'if (a) { if (!mutant_on(7)) b(); }\n  else c = 1;')
        self.assertNotIn('return; -> dropped', mutants(body('return;')))

    def test_neither_words_nor_templates_nor_declarations_are_mutated(self):
        for text in ('// a < b', 'g("a < b");', 'static_assert(a < b);', 'std::vector<int> x(y);', 'constexpr bool x = a < b;'):
            self.assertEqual([what for what in mutants(body(text)) if 'dropped' not in what], [], text)

    def test_every_line_stays_where_it_is(self):
        text = body('if (a &&  // why\n      b)\n    return;\n  c();')
        self.assertEqual({len(mutated.splitlines()) for mutated in mutants(text).values()}, {len(text.splitlines())})


class Draw(unittest.TestCase):
    def test_is_the_same_each_time_and_begins_alike_for_every_count(self):
        few, many = run.draw(3, 50), run.draw(3, 90)
        self.assertEqual(few, {number: many[number] for number in range(1, 51)})
        self.assertNotEqual(few, run.draw(4, 50))


class KnownSurvivors(unittest.TestCase):
    def test_are_mutants_of_the_source_and_say_why(self):
        names = {mutant.name for file in run.sources() for mutant in Mutator(file, (run.ROOT / file).read_text()).mutants()}
        for name, reason in run.known_survivors().items():
            self.assertIn(name, names)
            self.assertTrue(reason)


if __name__ == '__main__':
    unittest.main()
