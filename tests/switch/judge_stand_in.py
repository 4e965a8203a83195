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
            'mtu=9000   # node-a: fix')
# fault -> what must turn red (None: whatever asks the switch), what must be said
EXPECTED = {'': ([], ''),
            'defaults': (['IsSetAsWanted/node_a_port1', 'MatchesFirstPort/node_a_port1'], DEFAULTS),
            'slow': (['HasItsLink/node_a_port0'], 'auto-negotiation=no speed=200G-baseCR4'),
            'cages': ([], ''),
            'odd-rate': (['HasItsLink/node_a_port0'], 'does not report it for qsfp56-dd-1-1'),
            'link-down': (['HasItsLink/node_a_port0'], '/interface/ethernet/monitor qsfp56-dd-1-1 once   # node-a: check'),
            'other-port': (['SeesBothMacs/node_a_port0'],
                           '# node-a: Type it on switch, and follow the cable of port0.'),
            'aged': ([], ''),
            'unheard': (['SeesBothMacs/node_a_port0'], 'is not in the forwarding table'),
            'errors': (['Steady.switch_errors/node_a_switch_qsfp56_dd_1_1'],
                       '# node-a: Type it on switch. Reseat or replace the cable.'),
            'one-block': ([], ''),
            'trained': (['Steady.switch_errors/node_a_switch_qsfp56_dd_1_1'], ''),
            'drops': ([], '# node-a: Type it on switch: which queue drops?'),
            'flow-control': (['MatchesFirstPort/node_a_port1'], 'tx-flow-control'),
            'endless-mtu': ([f'IsSetAsWanted/node_{node}_port{port}' for node in 'ab' for port in '01'], 'qsfp56-dd-1-1 shows no valid MTU (got inf)'),
            'no-counters': (['Steady.switch_errors/node_a_switch_qsfp56_dd_1_1'], 'the switch shows no counter of errors'),
            'wrong-login': (None, 'the switch does not accept the credentials (401)'),
            'missing-port': (None, "there is no interface 'qsfp56-dd-9-9'"),
            'nonsense': (None, "not an answer of RouterOS"),
            'no-login': (None, 'no credentials: name a file with USER:PASSWORD as `credentials` in the rig file'),
            'unreachable': (None, 'try: curl --cacert'),
            'untrusted': (None, 'give the PEM file of its certificate authority as `ca` in the rig file')}
NOT_PROVEN = ['endless-mtu', 'no-counters', 'odd-rate']
SILENT = ['wrong-login', 'no-login', 'unreachable', 'untrusted']


def macs_of(rig):
    """The model rig's MACs, at the ports that their halves are cabled to."""
    node = port = None
    for line in rig.splitlines():
        if match := re.match(r'name = "(node-\w|port\d)"', line):
            node, port = (match[1], None) if match[1].startswith('node') else (node, match[1])
        elif match := re.match(r'mac = "(.*)"', line):
            yield f'{match[1].upper()}={PORTS[f"{node}:{port}"]}'


def rate_of(rig):
    """What RouterOS would say of the rate that the model's ports have."""
    number, unit = re.search(r'name = "port0"\nrate = "(\S+) ([GM])bit/s"', rig).groups()
    return f'{number}{unit}bps'


def limits():
    """Those of the switch, as the pair's file and the tuned one over it have them."""
    switch = {}
    for file in 'dgx-spark-pair.toml', 'dgx-spark-tuned.toml':
        for block in re.split(r'(?=\[\[limit\]\])', (ROOT / 'thresholds' / file).read_text()):
            if found := re.search(r'^id\s*= "(switch\..*)"', block, re.MULTILINE):
                switch[found[1]] = re.sub(r'\n# ---.*', '', block, flags=re.DOTALL)
    return '\n'.join(switch.values())


def run(rigproof, fault, folder, suite, limits):
    """The suite's answer, and its cases as (name, what is said of it or None)."""
    rig = pathlib.Path(os.environ['RIGPROOF_RIG']).read_text()
    words = [sys.executable, HERE.parent / 'stand_ins/routeros.py', folder, '--fault', fault, '--rate', rate_of(rig)]
    words += [word for mac in macs_of(rig) for word in ('--mac', mac)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as stand_in:
        port = stand_in.stdout.readline().strip()
        ports = PORTS | ({'node-a:port0': 'qsfp56-dd-9-9'} if fault == 'missing-port' else {})
        table = ''.join(f'"{at}" = "{name}"\n' for at, name in ports.items())
        login = {'wrong-login': {'RIGPROOF_SWITCH_LOGIN': 'rigproof:secret-of-nobody'}, 'no-login': {}}.get(
            fault, {'RIGPROOF_SWITCH_LOGIN': 'rigproof:secret-of-the-stand-in'})
        authority = '' if fault == 'untrusted' else f'ca = "{folder}/ca.pem"\n'
        address = f'https://127.0.0.1:{1 if fault == "unreachable" else port}'
        (folder / 'rig.toml').write_text(rig + f'\n[[switch]]\nname = "switch"\nkind = "routeros"\naddress = "{address}"\n'
                                         f'{authority}[switch.ports]\n{table}')
        (folder / 'limits.toml').write_text(limits)
        answer = subprocess.run([rigproof, 'run', '--rig', folder / 'rig.toml', '--thresholds', folder / 'limits.toml', '--suite',
                                 suite, '--out', folder / suite], capture_output=True, text=True,
                                env={name: value for name, value in os.environ.items() if name != 'RIGPROOF_SWITCH_LOGIN'} | login)
        stand_in.stdin.close()
    cases = ElementTree.parse(folder / suite / 'junit.xml').iter('testcase')
    said = {case.get('name'): next((child.get('message') for child in case if child.tag in ('failure', 'error', 'skipped')), None)
            for case in cases}
    return answer, said


def is_secret(answer, folder):
    return 'secret' not in answer.stdout + answer.stderr + ''.join(
        path.read_text(errors='replace') for path in folder.rglob('*') if path.is_file())


def tell(name, good, said, answer):
    print(f'{name}: ' + ('as expected' if good else f'NOT as expected: {answer.returncode} {said}\n{answer.stdout}\n{answer.stderr}'))
    return good


def judge(rigproof, fault, folder):
    answer, said = run(rigproof, fault, folder, 'switch', limits())
    red = [name for name, message in said.items() if message]
    expected, words = EXPECTED[fault]
    if expected is None:
        good = answer.returncode == 2 and red
    else:
        good = answer.returncode == (3 if fault in NOT_PROVEN else 1 if expected else 0) and len(red) == len(expected)
        good = good and all(any(wanted in name for name in red) for wanted in expected)
    if fault == '':
        good = good and 'STAND-IN-1' in (folder / 'switch/report.html').read_text()
    if fault in SILENT:  # one case says why, the others refer to it
        errors = [message for name, message in said.items() if 'SwitchPort' in name]
        good = good and sum(words in message for message in errors) == 1 and all('switch switch' in message for message in errors)
    return tell(fault or 'sound', good and words in answer.stdout and is_secret(answer, folder / 'switch'), said, answer)


def judge_others(rigproof, fault, folder):
    """A switch that can't be asked costs what it alone can tell, and no other suite its verdict."""
    ours = (ROOT / 'thresholds/model-rig.toml').read_text()
    answer, said = run(rigproof, fault, folder, 'mtu', ours)
    good = answer.returncode == 0 and not any(said.values())
    sound = tell(f'mtu, {fault}', good, said, answer)
    (folder / 'mtu').rename(folder / 'without-limits')
    answer, said = run(rigproof, fault, folder, 'mtu', ours + limits())
    unread = {name: message for name, message in said.items() if message}
    good = answer.returncode == 3 and set(unread) == {'run.Steady.switch_errors/node_a_switch'}  # pauses: informative
    good = good and all('could not be read: switch switch' in message for message in unread.values())
    return tell(f'mtu with limits of the switch, {fault}', good and is_secret(answer, folder / 'mtu'), said, answer) and sound


def main():
    rigproof = os.path.abspath(sys.argv[1])
    if 'RIGPROOF_RIG' not in os.environ:
        os.execv(rigproof, [rigproof, 'model', 'exec', '--', sys.executable, __file__, rigproof])
    good = True
    for fault in EXPECTED:
        with tempfile.TemporaryDirectory() as folder:
            good = judge(rigproof, fault, pathlib.Path(folder)) and good
    with tempfile.TemporaryDirectory() as folder:
        good = judge_others(rigproof, 'no-login', pathlib.Path(folder)) and good
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
