#!/usr/bin/env python3
"""The suite `switch` on a model rig whose ports a stand-in for RouterOS (tests/stand_ins/routeros.py) claims to switch:
sound, and with its faults.   judge_stand_in.py RIGPROOF          (starts itself inside a model rig)"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PORTS = {'node-a:port0': 'qsfp56-dd-1-1', 'node-b:port0': 'qsfp56-dd-1-5', 'node-a:port1': 'qsfp56-dd-2-1',
         'node-b:port1': 'qsfp56-dd-2-5'}
DEFAULTS = ('/interface/ethernet/set qsfp56-dd-2-1 auto-negotiation=no speed=200G-baseCR4 fec-mode=fec91 l2mtu=9216 '
            'mtu=9000   # node-a: on switch')
# fault -> what must turn red (None: whatever asks the switch), what must be said
EXPECTED = {'': ([], ''),
            'defaults': (['IsSetAsWanted/node_a_port1', 'IsSetAsItsSisters/node_a_port1'], DEFAULTS),
            'link-down': (['HasItsLink/node_a_port0'], '/interface/ethernet/monitor qsfp56-dd-1-1 once   # node-a: on switch; then the cable'),
            'other-port': (['SeesBothMacs/node_a_port0'],
                           '/interface/bridge/host/print where on-interface=qsfp56-dd-1-1   # node-a: on switch: follow the cable of port0'),
            'errors': (['Steady.switch_errors/node_a_switch_qsfp56_dd_1_1'],
                       '/interface/ethernet/print stats where name=qsfp56-dd-1-1   # node-a: on switch: reseat or replace the cable'),
            'wrong-login': (None, 'the switch does not accept the credentials (401)'),
            'missing-port': (None, "there is no interface 'qsfp56-dd-9-9'"),
            'nonsense': (None, "the answer is none of RouterOS'")}


def macs_of(rig):
    """The model rig's MACs, at the ports that their halves are cabled to."""
    node = port = None
    for line in rig.splitlines():
        if match := re.match(r'name = "(node-\w|port\d)"', line):
            node, port = (match[1], None) if match[1].startswith('node') else (node, match[1])
        elif match := re.match(r'mac = "(.*)"', line):
            yield f'{match[1].upper()}={PORTS[f"{node}:{port}"]}'


def limits():
    text = (ROOT / 'thresholds/dgx-spark-pair.toml').read_text()
    switch = [block for block in re.split(r'(?=\[\[limit\]\])', text) if re.search(r'^id\s*= "switch\.', block, re.MULTILINE)]
    return '\n'.join(re.sub(r'\n# ---.*', '', block, flags=re.DOTALL) for block in switch)


def judge(rigproof, fault, folder):
    rig = pathlib.Path(os.environ['RIGPROOF_RIG']).read_text()
    words = [sys.executable, HERE.parent / 'stand_ins/routeros.py', folder, '--fault', fault]
    words += [word for mac in macs_of(rig) for word in ('--mac', mac)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as stand_in:
        port = stand_in.stdout.readline().strip()
        ports = PORTS | ({'node-a:port0': 'qsfp56-dd-9-9'} if fault == 'missing-port' else {})
        table = ''.join(f'"{at}" = "{name}"\n' for at, name in ports.items())
        password = 'secret-of-nobody' if fault == 'wrong-login' else 'secret-of-the-stand-in'
        (folder / 'rig.toml').write_text(
            rig + f'\n[[switch]]\nname = "switch"\nkind = "routeros"\naddress = "https://127.0.0.1:{port}"\n'
            f'ca = "{folder}/ca.pem"\n[switch.ports]\n{table}')
        (folder / 'limits.toml').write_text(limits())
        run = subprocess.run([rigproof, 'run', '--rig', folder / 'rig.toml', '--thresholds', folder / 'limits.toml', '--suite',
                              'switch', '--out', folder / 'out'], capture_output=True, text=True,
                             env=os.environ | {'RIGPROOF_SWITCH_LOGIN': 'rigproof:' + password})
        stand_in.stdin.close()
    cases = ElementTree.parse(folder / 'out/junit.xml').iter('testcase')
    red = [case.get('name') for case in cases if any(child.tag in ('failure', 'error', 'skipped') for child in case)]
    expected, remedy = EXPECTED[fault]
    if expected is None:
        good = run.returncode == 2 and red
    else:
        good = run.returncode == (1 if expected else 0) and len(red) == len(expected)
        good = good and all(any(wanted in name for name in red) for wanted in expected)
    if fault == '':
        good = good and 'STAND-IN-1' in (folder / 'out/report.html').read_text()
    good = good and remedy in run.stdout and 'secret' not in run.stdout + run.stderr + ''.join(
        path.read_text(errors='replace') for path in (folder / 'out').rglob('*') if path.is_file())
    print(f'{fault or "sound"}: ' + ('as expected' if good else f'NOT as expected: {red}\n{run.stdout}\n{run.stderr}'))
    return good


def main():
    rigproof = os.path.abspath(sys.argv[1])
    if 'RIGPROOF_RIG' not in os.environ:
        os.execv(rigproof, [rigproof, 'model', 'exec', '--', sys.executable, __file__, rigproof])
    good = True
    for fault in EXPECTED:
        with tempfile.TemporaryDirectory() as folder:
            good = judge(rigproof, fault, pathlib.Path(folder)) and good
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
