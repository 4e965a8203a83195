#!/usr/bin/env python3
"""The facts of a GPU by a stand-in for NVML, put into those of two healthy Sparks (tests/preflight/sparks) and judged
offline: sound, held back, wedged, with memory errors, with another driver.   judge_nvml.py RIGPROOF STAND_INS"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / 'preflight'))
import judge_faults  # noqa: E402

# fault on node-b -> what turns red, the remedy
EXPECTED = {'': ('', ''), 'no_ecc': ('', ''), 'power_cap': ('', ''),
            'wedged': ('NodeReady.HasItsGpusAtHand/node_b', ''),
            'throttled': ('NodeReady.HasItsGpusAtHand/node_b',
                          'nvidia-smi -q -d PERFORMANCE,TEMPERATURE,POWER   # node-b: let it cool; power the node off and on'),
            'ecc': ('NodeReady.HasItsGpusAtHand/node_b', 'nvidia-smi -q -d ECC   # node-b: replace the node when the count grows'),
            'driver': ('NodeAgreement.IsComplete/node_a_node_b',
                       'nvidia-smi   # node-b: 570.00.01 here, 580.95.05 on the other node'),
            'no_gpu': ('NodeReady.HasItsGpusAtHand/node_b', '')}


def gpus_of(rigproof, stand_ins, fault):
    environment = os.environ | {'LD_LIBRARY_PATH': stand_ins, 'STAND_IN_FAULT': fault}
    told = subprocess.run([rigproof, 'facts'], capture_output=True, text=True, check=True, env=environment, timeout=30)
    return json.loads(told.stdout)


def main():
    rigproof, stand_ins = sys.argv[1:3]
    bad = 0
    for fault, (red_case, remedy) in EXPECTED.items():
        documents = {node: json.loads((HERE.parent / f'preflight/sparks/{node}.json').read_text())
                     for node in ('node-a', 'node-b')}
        for node, told in (('node-a', gpus_of(rigproof, stand_ins, '')), ('node-b', gpus_of(rigproof, stand_ins, fault))):
            for key in ('gpus', 'nvidia'):
                documents[node]['facts'].pop(key, None)
                if key in told['facts']:
                    documents[node]['facts'][key] = told['facts'][key]
            documents[node]['unread'] |= {path: why for path, why in told['unread'].items() if path.split('/')[0] in ('gpus', 'nvidia')}
        with tempfile.TemporaryDirectory() as folder:
            code, red, todo, _ = judge_faults.judge(rigproof, documents, pathlib.Path(folder))
        good = (not red and code == 0) if not red_case else any(red_case in name for name in red)
        good = good and (remedy in todo if remedy else True)
        good = good and (len(red) <= 2 if red_case else True)
        print(f'{fault or "sound"}: ' + ('as expected' if good else f'NOT as expected: {code} {list(red)} {todo}'))
        bad += not good
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
