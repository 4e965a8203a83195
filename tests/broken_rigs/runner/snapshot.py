"""Facts of two healthy Sparks (tests/preflight/sparks) with one fault each, judged offline by the real programs."""

import concurrent.futures
import copy
import json
import os
import pathlib
import shutil
import subprocess
import time

from .complaints import complaints
from .judged_run import read_judged_run

ROOT = pathlib.Path(__file__).resolve().parents[3]
HEALTHY = ROOT / 'tests/preflight/sparks'
RIG = ROOT / 'tests/rig/dgx_spark_pair.toml'
THRESHOLDS = ('thresholds/dgx-spark-pair.toml', 'thresholds/dgx-spark-tuned.toml')
NODES = ('node-a', 'node-b')


def read_facts(folder):
    return {node: json.loads((folder / f'{node}.json').read_text()) for node in NODES}


def changed(documents, changes):
    documents = copy.deepcopy(documents)
    for change in changes:
        *parents, last = change.path.split(' / ')
        at = documents[change.node]['facts']
        for part in parents:
            at = at.setdefault(part, {})
        if change.value is None:
            del at[last]
            if change.unread is not None:
                documents[change.node].setdefault('unread', {})['/'.join((*parents, last))] = change.unread
        else:
            at[last] = json.loads(change.value)
    return documents


def judge(fault, rigproof, out, healthy):
    documents = changed(healthy, fault.change)
    if fault.change and documents == healthy:
        return ['the fault changes nothing: the healthy Sparks have these facts, too']
    shutil.rmtree(out, ignore_errors=True)
    given = out.with_suffix('.facts')
    shutil.rmtree(given, ignore_errors=True)
    given.mkdir(parents=True)
    for node, document in documents.items():
        (given / f'{node}.json').write_text(json.dumps(document))
    layers = [fault.thresholds] if fault.thresholds else THRESHOLDS
    words = [rigproof, 'run', '--no-pdf', '--rig', RIG, *(word for file in layers for word in ('--thresholds', ROOT / file)),
             '--facts', given, '--out', out, *(word for suite in fault.suites for word in ('--suite', suite)), *fault.options]
    ran = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)
    out.with_suffix('.log').write_text(ran.stdout)
    found = list(complaints(fault, read_judged_run(out, ran.returncode, ran.stdout)))
    kept = out / 'facts'
    if not kept.is_dir() or any(read_facts(kept)[node]['facts'] != documents[node]['facts'] for node in NODES):
        found.append(f'{kept} does not keep the facts that were judged')
    return found


def judge_faults(faults, rigproof, out, tell):
    """As broken_rig.judge_faults(), side by side: nothing is measured."""
    healthy = read_facts(HEALTHY)

    def timed(fault):
        start = time.monotonic()
        return judge(fault, rigproof, out / fault.folder, healthy), time.monotonic() - start
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for fault, (found, seconds) in zip(faults, pool.map(timed, faults)):
            tell(fault, found, seconds)
