"""What is wrong with how a broken rig was judged."""

import dataclasses
import re

from .fault_file import matches_case
from .judged_run import without_escapes

NOT_RUN = 'no such case ran'
CRASHED = re.compile(r'SIG(ABRT|BUS|FPE|ILL|SEGV)|signal (4|6|7|8|11)\b')


def of_red(entry, run):
    cases = [case for case in run.cases if entry.matches(case.name)]
    if not cases:
        yield f'{NOT_RUN}: {entry.case}'
        return
    found = [(case, list(of_red_case(entry, case, run))) for case in cases]
    if not entry.some:
        for case, complaints in found:
            yield from complaints
    elif all(complaints for case, complaints in found):
        yield f'none of {len(cases)} cases {entry.case} is as expected, for example: {found[0][1][0]}'


def of_red_case(entry, case, run):
    if case.status not in entry.status:
        yield f'{case.name}: {case.status}, expected {" or ".join(entry.status)}' + (f': {first_line(case)}' if case.message else '')
        return
    for words in entry.says:
        if words not in case.message:
            yield f'{case.name}: does not say {words!r}: {case.message.strip()}'
    if entry.id and not any(missed.case == case.name and missed.id == entry.id and entry.node in ('', missed.node)
                            for missed in run.missed):
        missed = sorted({f'{one.id} on {one.node}' for one in run.missed if one.case == case.name})
        yield f'{case.name}: not red for {entry.id}{entry.node and " on " + entry.node}, but for {missed or first_line(case)}'


def of_false_alarms(fault, run):
    for case in run.red():
        covering = [entry for entry in fault.red + fault.may if entry.matches(case.name)]
        told = any(entry in fault.red and not entry.some for entry in covering)  # by of_red()
        if not told and not any(case.status in entry.status for entry in covering):
            yield f'false alarm: {case.name}: {case.status}: {beginning(case)}'
        if CRASHED.search(case.message):
            yield f'no fault of a rig may crash a rank: {case.name}: {first_line(case)}'


def of_green(fault, run):
    for pattern in fault.green:
        cases = [case for case in run.cases if matches_case(case.name, pattern)]
        if not cases:
            yield f'{NOT_RUN}: {pattern}'
        for case in cases:
            if any(entry.matches(case.name) for entry in fault.may) and case.status != 'passed':  # else a false alarm
                yield f'{case.name}: {case.status}, expected passed'


def of_words(fault, run):
    for line in fault.remedies:
        if line not in run.todo:
            yield f'no such remedy: {line}; there are: {list(run.todo)}'
    for words in fault.says:
        if words not in run.told:
            yield f'neither console nor summary.md says {words!r}'
    for name, wanted in fault.reports.items():
        file = run.out / name
        text = file.read_text(errors='replace') if file.exists() else ''
        text = without_escapes(text) if name.endswith('.md') else text
        for words in [wanted] if isinstance(wanted, str) else wanted:
            if words not in text:
                yield f'{name} does not say {words!r}'


def complaints(fault, run):
    """A line for each way in which this run is not what the fault expects of it."""
    if run is None:
        yield 'no report was written'
        return
    if not fault.red and not any(case.status == 'passed' for case in run.cases):
        yield 'nothing passed'
    if run.exit_code != run.code_of_cases():
        yield f'exit code {run.exit_code}, but the cases of junit.xml come to {run.code_of_cases()}'
    for entry in fault.red:
        yield from of_red(entry, run)
    yield from of_false_alarms(fault, run)
    yield from of_green(fault, run)
    yield from of_words(fault, run)


def is_disturbed(fault, run):
    """Whether nothing is to be complained about but cases that the machine under the rig left unproven."""
    sure = tuple(case for case in run.cases if case.kind != 'disturbed') if run else ()
    if not run or len(sure) == len(run.cases):
        return False
    proven = dataclasses.replace(run, cases=sure)
    proven = dataclasses.replace(proven, exit_code=proven.code_of_cases())
    return not [one for one in complaints(fault, proven) if not one.startswith(NOT_RUN)]


# A false alarm is often seen in a log only, of a machine that is gone.
def beginning(case):
    return ' | '.join(case.message.splitlines()[:8])


def first_line(case):
    return next(iter(case.message.splitlines()), '')
