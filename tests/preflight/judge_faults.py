#!/usr/bin/env python3
"""Judges the facts of two healthy Sparks (sparks/) offline, then the same with each fault of faults.toml: what must
turn red does, nothing else, and what the run says is to be done holds the remedy.   judge_faults.py RIGPROOF [NAME]"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RIG, THRESHOLDS = ROOT / 'tests/rig/dgx_spark_pair.toml', ROOT / 'thresholds/dgx-spark-pair.toml'


def change(documents, node, path, value=None):
    parts = path.split(' / ')
    at = documents[node]['facts']
    for part in parts[:-1]:
        at = at.setdefault(part, {})
    if value is None:
        del at[parts[-1]]
    else:
        at[parts[-1]] = json.loads(value)


def judge(rigproof, documents, folder):
    """The exit code, the verdict of each case and the lines of what is to be done."""
    facts, out = folder / 'facts', folder / 'out'
    facts.mkdir(parents=True)
    for node, document in documents.items():
        (facts / f'{node}.json').write_text(json.dumps(document))
    words = [rigproof, 'run', '--rig', RIG, '--thresholds', THRESHOLDS, '--facts', facts, '--suite', 'preflight',
             '--no-pdf', '--out', out]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=100)
    if not (out / 'junit.xml').exists():
        sys.exit(f'no report: {ran.stdout}\n{ran.stderr}')
    cases = {case.get('name'): case for case in ElementTree.parse(out / 'junit.xml').iter('testcase')}
    red = {name: case for name, case in cases.items() if any(child.tag in ('failure', 'error', 'skipped') for child in case)}
    todo = ran.stdout.split('What to do (nothing was changed):\n')[-1] if 'What to do' in ran.stdout else ''
    summary = (out / 'summary.md').read_text()
    return ran.returncode, red, [line.strip() for line in todo.splitlines()], summary


def complaints(fault, code, red, todo, summary):
    if code != 1:
        yield f'exit code {code}'
    for wanted in fault['red']:
        if not any(wanted in name for name in red):
            yield f'not red: {wanted}'
    for name in red:
        if not any(wanted in name for wanted in fault['red'] + fault.get('may', [])):
            yield f'innocent, but red: {name}'
    if fault['remedy'] not in todo:
        yield f'no remedy {fault["remedy"]!r} in {todo}'
    if '    ' + fault['remedy'] not in summary.splitlines():
        yield 'no such remedy in summary.md'


def complaints_of_the_record(out):
    """What was judged is kept beside the journal, and the reports tell serials, firmware and drivers from it."""
    manifest = (out / 'manifest.sha256').read_text()
    for node in ('node-a', 'node-b'):
        kept = out / f'facts/{node}.json'
        if not kept.exists() or f'facts/{node}.json' not in manifest:
            yield f'facts/{node}.json is not kept, or not in the manifest'
        elif json.loads(kept.read_text())['facts'] != json.loads((HERE / f'sparks/{node}.json').read_text())['facts']:
            yield f'facts/{node}.json holds other facts'
    for report in ('summary.md', 'report.html', 'ocp.jsonl'):
        text = (out / report).read_text().replace('\\', '')
        for told in ('APF254300010', '28.45.4028', '580.95.05', 'mlx5_core'):
            if told not in text:
                yield f'{report} does not tell {told}'


def main():
    rigproof, only = sys.argv[1], sys.argv[2:]
    healthy = {node: json.loads((HERE / f'sparks/{node}.json').read_text()) for node in ('node-a', 'node-b')}
    faults = tomllib.loads((HERE / 'faults.toml').read_text())['fault']
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        code, red, todo, summary = judge(rigproof, healthy, pathlib.Path(folder) / 'healthy')
        if code != 0 or red:
            bad += 1
            print(f'healthy: NOT as expected: exit code {code}, red: {list(red)}, to do: {todo}')
        for complaint in complaints_of_the_record(pathlib.Path(folder) / 'healthy/out'):
            bad += 1
            print(f'healthy: {complaint}')
        for number, fault in enumerate(faults):
            if only and fault['name'] not in only:
                continue
            documents = copy.deepcopy(healthy)
            for one in fault['change']:
                change(documents, **one)
            found = list(complaints(fault, *judge(rigproof, documents, pathlib.Path(folder) / str(number))))
            print(f'{fault["name"]}: ' + ('NOT as expected' if found else 'as expected'), flush=True)
            for complaint in found:
                print('  ' + complaint)
            bad += bool(found)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
