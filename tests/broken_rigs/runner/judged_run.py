"""What a run of rigproof came to, read from its reports: junit.xml for the cases, metrics.txt for the measurements."""

import dataclasses
import pathlib
import re
import xml.etree.ElementTree as ElementTree

ELEMENTS = {'failure': 'failed', 'error': 'error', 'skipped': 'not proven'}
LABELS = re.compile(r'^rigproof_measured_\w+\{(.*)\} \S+$', re.MULTILINE)
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
NOTHING_PASSED = 'rigproof.run.nothing-passed'  # an entry that says only that; of a few red cases it is as it must be
EXIT_CODES = {'error': 2, 'failed': 1, 'not proven': 3}  # of the worst status, which stands first


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    status: str                  # passed, failed, error, not proven
    kind: str = ''               # of what went wrong: limit, crash, deadline, disturbed, ...
    message: str = ''


@dataclasses.dataclass(frozen=True)
class Missed:
    """A measurement that missed its limit, or could not be judged."""
    case: str
    id: str
    node: str


@dataclasses.dataclass(frozen=True)
class JudgedRun:
    exit_code: int
    cases: tuple
    missed: tuple
    todo: tuple                  # lines of what is to be done
    told: str                    # console and summary
    out: pathlib.Path

    def red(self):
        return [case for case in self.cases if case.status != 'passed']

    def code_of_cases(self):
        statuses = {case.status for case in self.cases}
        return next((code for status, code in EXIT_CODES.items() if status in statuses),
                    0 if 'passed' in statuses else 3)


def read_case(element):
    found = [(child.tag, child) for child in element if child.tag in ELEMENTS]
    if not found:
        return Case(element.get('name'), 'passed')
    tag, verdict = found[0]
    return Case(element.get('name'), ELEMENTS[tag], verdict.get('type', ''), f'{verdict.get("message")}\n{verdict.text or ""}')


def read_missed(text):
    for line in LABELS.findall(text):
        labels = dict(LABEL.findall(line))
        if labels['verdict'] in ('fail', 'error'):
            yield Missed(f'{labels["suite"]}.{labels["case"]}', labels['id'], labels['node'])


def without_escapes(markdown):
    return re.sub(r'\\([!-/:-@\[-`{-~])', r'\1', markdown)


def read_judged_run(out, exit_code, console):
    """None when there is no report: nothing was judged."""
    if not (out / 'junit.xml').exists():
        return None
    elements = ElementTree.parse(out / 'junit.xml').iter('testcase')
    cases = tuple(case for case in map(read_case, elements) if case.name != NOTHING_PASSED)
    summary = (out / 'summary.md').read_text()
    todo = tuple(line[4:] for line in summary.splitlines() if line.startswith('    '))
    return JudgedRun(exit_code, cases, tuple(read_missed((out / 'metrics.txt').read_text())), todo,
                     console + without_escapes(summary), out)
