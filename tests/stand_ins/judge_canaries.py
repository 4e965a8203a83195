#!/usr/bin/env python3
"""Runs the GPU canaries of the host suite on a fresh model rig against the stand-ins for CUDA, cuBLAS and NVML, sound and
with each fault, and checks what turned red, what was said of it, and that every report says "stand-in".

  judge_canaries.py RIGPROOF LIBRARY_FOLDERS
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

STAND_IN = 'CUDA, cuBLAS and NVML (tests/stand_ins)'
INSIDE = 'sed "s|^kind = .*|$EDIT|" "$RIGPROOF_RIG" >"$0" && exec "$@" --rig "$0"'
DECLARED, UNDECLARED = f'&\\nstand_in = "{STAND_IN}"', 'kind = "hardware"'
LIMITS = ''.join(f"""[[limit]]
id = "host.{name}"
{bound}
basis = {{ kind = "specification", source = "tests/stand_ins", quote = "what tells a sound stand-in from a faulty one" }}
remedy = "nvidia-smi -q"
""" for name, bound in (('gpu.copy', 'at_least = "1 Gbit/s"'), ('gpu.wrong', 'equals = "0 count"'),
                        ('gpu.clock', 'at_least = "50 %"'), ('steady', 'at_least = "1 %"')))
# fault -> exit code, what is red or not proven, what is said of it
EXPECTED = {'': (0, [], ''),
            'slow@node-b': (1, ['CopiesItsMemory/node_b'], 'host.gpu.copy on node-b'),
            'throttled@node-b': (1, ['ReachesItsClock/node_b'], 'host.gpu.clock on node-b'),
            'wrong@node-b': (1, ['MultipliesMatrices/node_b'], 'host.gpu.wrong on node-b: 1'),
            'no_gpu@node-b': (3, ['CopiesItsMemory/node_b', 'MultipliesMatrices/node_b', 'ReachesItsClock/node_b'],
                              'no CUDA-capable device is detected'),
            'memory@node-b': (3, ['CopiesItsMemory/node_b', 'MultipliesMatrices/node_b', 'ReachesItsClock/node_b'], 'cudaMalloc'),
            'undeclared': (2, [f'{case}/node_{node}' for case in ('CopiesItsMemory', 'MultipliesMatrices', 'ReachesItsClock')
                               for node in 'ab'], 'is a stand-in')}


def complaints(rigproof, stand_ins, fault, folder):
    (folder / 'limits.toml').write_text(LIMITS)
    declared = fault != 'undeclared'
    environment = os.environ | {'LD_LIBRARY_PATH': stand_ins, 'STAND_IN_FAULT': fault, 'EDIT': DECLARED if declared else UNDECLARED}
    done = subprocess.run([rigproof, 'model', 'exec', '--', 'sh', '-c', INSIDE, folder / 'rig.toml', rigproof, 'run', '--suite',
                           'host', '--gtest_filter=*GpuCanary*', '--profile', 'smoke', '--no-pdf', '--thresholds',
                           folder / 'limits.toml', '--out', folder / 'out'], capture_output=True, text=True, env=environment)
    code, wanted, words = EXPECTED[fault]
    if done.returncode != code:
        yield f'exit code {done.returncode}, expected {code}\n{done.stdout}\n{done.stderr}'
    if not (folder / 'out/junit.xml').exists():
        return
    cases = [case for case in ElementTree.parse(folder / 'out/junit.xml').iter('testcase')
             if any(child.tag in ('failure', 'error', 'skipped') for child in case)]
    names = [name for case in cases if not (name := case.get('name')).startswith('rigproof.run')]
    if len(names) != len(wanted) or not all(any(end in name for name in names) for end in wanted):
        yield f'{names}, expected {wanted}'
    if words not in (folder / 'out/summary.md').read_text().replace('\\', '') + done.stdout:
        yield f'nothing says: {words}\n{done.stdout}'
    if declared:
        for report in ('junit.xml', 'summary.md', 'report.html', 'metrics.txt', 'ocp.jsonl'):
            text = (folder / 'out' / report).read_text().lower()
            if 'stand-in' not in text and 'stand_in=' not in text:
                yield f'{report} does not say stand-in'


def main():
    rigproof, stand_ins = os.path.abspath(sys.argv[1]), sys.argv[2]
    sound = True
    for fault in EXPECTED:
        with tempfile.TemporaryDirectory() as folder:
            found = list(complaints(rigproof, stand_ins, fault, pathlib.Path(folder)))
        print(f'{fault or "sound"}: ' + ('as expected' if not found else 'NOT as expected: ' + '\n'.join(found)), flush=True)
        sound = sound and not found
    return 0 if sound else 1


if __name__ == '__main__':
    sys.exit(main())
