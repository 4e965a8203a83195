#!/usr/bin/python3
"""rigproof run --operator in a pseudo-terminal on the model rig, where this script does what the operator is asked to.

Catches: an operator who is not asked, or asked for the wrong cable; a pull that is not waited for; a run that waits for
ever, or passes, when nobody pulls; a countdown that stays.

    operator_test.py RIGPROOF            starts itself again on a model rig
"""
import json
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

DEADLINE = 150
# An operator takes seconds where the rig's own hands take half of one, and TCP waits up to as long again.
LIMITS = '''
[[limit]]
id      = "redundancy.pulled.back"
at_most = "12 s"
basis   = { kind = "derived", source = "RFC 6298", reasoning = "TCP tries again after up to as long as it has waited: some 4 s" }
remedy.check  = "ss -ti"
'''
FILTER = '--gtest_filter=*PulledCable*/link1_*'


def fail(why, output):
    print(output)
    sys.exit('operator_test: ' + why)


def run(rigproof, act):
    """The run's exit code, what it wrote, and its events. `act(line)` is called with each request once."""
    with tempfile.TemporaryDirectory(prefix='rigproof-operator-') as folder:
        out = folder + '/out'
        with open(folder + '/limits.toml', 'w') as limits:
            limits.write(LIMITS)
        words = [rigproof, 'run', '--operator', '--thresholds', os.environ['RIGPROOF_THRESHOLDS'], '--thresholds', folder + '/limits.toml', '--no-pdf', '--profile', 'smoke', '--suite', 'redundancy', FILTER, '--out', out]
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(words[0], words)
        text, asked, end = '', 0, time.monotonic() + DEADLINE
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    text += os.read(terminal, 65536).decode(errors='replace')
                except OSError:
                    break
            requests = re.findall(r'(PULL|PLUG) the cable (?:out of|into) (\S+)', text)
            # A countdown writes its request again and again.
            fresh = [request for number, request in enumerate(requests) if number == 0 or request != requests[number - 1]]
            for request in fresh[asked:]:
                asked += 1
                act(*request)
        else:
            os.kill(pid, 15)
            fail('the run did not end', text)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with open(out + '/journal.jsonl') as journal:
            return code, text, [json.loads(line) for line in journal]


def set_cable(request, cable):
    if cable != 'node-a:port1':
        fail(f'asked for the cable of {cable}', '')
    time.sleep(0.7)
    subprocess.run(['ip', '-n', 'fabric', 'link', 'set', 'sw-a-port1', 'down' if request == 'PULL' else 'up'], check=True)


def moves_of(events):
    return [(event['step'], event['by']) for event in events if event['event'] == 'cable_moved']


def inside(rigproof):
    code, text, events = run(rigproof, set_cable)
    if code != 0:
        fail(f'exit code {code}, expected 0', text)
    if moves_of(events) != [(step, 'the operator') for step in ('pull', 'pulled', 'plug', 'plugged')]:
        fail(f'on record: {moves_of(events)}', text)
    if not re.search(r'PULL the cable out of node-a:port1 now \(\d+ s left\)', text) or 'the carrier is gone' not in text:
        fail('the request or its end is not shown', text)
    code, text, events = run(rigproof, lambda *_: None)
    if code != 3 or 'the cable of node-a:port1 was not pulled' not in text:
        fail(f'exit code {code}, expected 3 and why: nobody pulled', text)


if __name__ == '__main__':
    if 'RIGPROOF_RIG' in os.environ:
        inside(sys.argv[1])
    else:
        command = [sys.argv[1], 'model', 'exec', '--', sys.executable, __file__, os.path.abspath(sys.argv[1])]
        sys.exit(subprocess.run(command).returncode)
