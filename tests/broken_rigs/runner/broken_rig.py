"""Breaks a rig by one fault after the other, qualifies it each time, and makes it sound again."""

import pathlib
import shlex
import shutil
import time

from .complaints import complaints, is_disturbed
from .judged_run import read_judged_run
from .rig_shell import RigLost, RigShell

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
EFFECT_TRIES = 40  # four a second
RUN_SECONDS = 500
STATE = {'model': 'for at in node-a node-b fabric; do echo "== $at"; ip netns exec $at sh runner/state.sh; done',
         'roce_vm': 'sh runner/state.sh; echo "== node-b"; ssh node-b "cd $PWD && sh runner/state.sh"; ulimit -l'}
LOGIN_HOST = 'ip|netns|exec|{}|unshare|--uts|sh|-c|hostname login; exec "$@"|sh'
COMMANDS = {'model': ('model', 'exec'), 'roce_vm': ('roce-vm', 'exec')}


class BadFault(Exception):
    """The fault was not in place, or not gone after it: whatever the run said proves nothing."""


class BrokenRig:
    def __init__(self, kind, options, rigproof, out):
        self.kind, self.rigproof, self.scratch = kind, rigproof, out
        writable = ['--writable', out] if kind == 'roce_vm' else []
        self.shell = RigShell([rigproof, *COMMANDS[kind], *options, *writable], HERE)
        self.done('cp "$RIGPROOF_RIG" "$RIGPROOF_RIG.sound"')
        self.sound_state = self.done(STATE[kind])

    def run(self, script, seconds=60):
        variables = f'SCRATCH={shlex.quote(str(self.scratch))} RIGPROOF={shlex.quote(str(self.rigproof))}'
        return self.shell.run(f'export {variables}\n{script}', seconds)

    def done(self, script):
        code, output = self.run(script)
        if code != 0:
            raise BadFault(f'exit code {code}: {output.strip()}\n{script}')
        return output

    def shows(self, script, tries=1):
        """Whether the command succeeds, at the latest after so many tries."""
        tried = f'n={tries}; until {{ {script}\n}}; do n=$((n - 1)); [ $n -gt 0 ] || exit 1; sleep 0.25; done'
        return self.run(tried, 30 + tries)[0] == 0

    def judge(self, fault, out):
        """Breaks the rig; the complaints, and whether the machine is to blame. undo() makes it sound again."""
        self.scratch = out.with_suffix('.scratch')
        self.done(f'rm -rf {shlex.quote(str(self.scratch))}; mkdir -p {shlex.quote(str(self.scratch))}')
        self.done('set -e\n' + fault.prepare)
        for effect in filter(None, (fault.effect, fault.effect_after)):
            if self.shows(effect):
                raise BadFault(f'a sound rig shows it too: {effect}')
        self.done('set -e\n' + fault.breaks)
        if fault.effect and not self.shows(fault.effect, EFFECT_TRIES):
            raise BadFault(f'the broken rig does not show it: {fault.effect}')
        run = self.qualify(fault, out)
        if run is None:
            raise BadFault(f'no report was written: {out.with_suffix(".log").read_text().strip()[-500:]}')
        found = list(complaints(fault, run))
        if fault.effect_after and not self.shows(fault.effect_after, EFFECT_TRIES):
            raise BadFault(f'after the run the rig does not show it: {fault.effect_after}')
        return found, is_disturbed(fault, run)

    def qualify(self, fault, out):
        words = [self.rigproof, 'run', '--no-pdf', '--rig', '$RIGPROOF_RIG', '--profile', fault.profile, '--out', out]
        words += ['--thresholds', ROOT / fault.thresholds if fault.thresholds else '$RIGPROOF_THRESHOLDS']
        words += [word for suite in fault.suites for word in ('--suite', suite)]
        words += ([f'--gtest_filter={fault.filter}'] if fault.filter else []) + list(fault.options)
        if fault.head:
            words = [*LOGIN_HOST.format(fault.head).split('|'), *words]
        environment = fault.environment_of(self.rigproof.parent.parent, str(self.scratch))
        # As on hardware, nothing of the head's environment reaches the other nodes but what mpirun is told to hand on.
        if environment and '--launcher' not in fault.options:
            words += ['--launcher', ' '.join(['mpirun'] + [f'-x {name}' for name in environment])]
        text = ''.join(f'export {name}={quoted(value)}\n' for name, value in environment.items())
        code, console = self.run(text + ' '.join(map(quoted, words)), RUN_SECONDS)
        out.with_suffix('.log').write_text(console)
        return read_judged_run(out, code, console)

    def undo(self, fault):
        self.done('cp "$RIGPROOF_RIG.sound" "$RIGPROOF_RIG"\nset -e\n' + fault.undo)
        for _ in range(EFFECT_TRIES):
            state = self.done(STATE[self.kind])
            if state == self.sound_state:
                break
            time.sleep(0.25)
        else:
            before, after = set(self.sound_state.splitlines()), set(state.splitlines())
            raise BadFault(f'`undo` does not bring back the sound rig: gone: {sorted(before - after)}, new: {sorted(after - before)}')
        for effect in filter(None, (fault.effect, fault.effect_after if fault.undo else '')):
            if not self.shows(f'! {{ {effect}\n}}', EFFECT_TRIES):
                raise BadFault(f'`undo` leaves it in place: {effect}')


def quoted(word):
    """Variables of the rig's shell are filled in there."""
    text = str(word)
    return f'"{text}"' if text.startswith('$') else shlex.quote(text)


def judge_faults(file, faults, rigproof, out, tell):
    """Tells (fault, complaints, seconds) of each. Faults share a rig as long as each can be undone."""
    rig = None
    waiting = [(fault, True) for fault in faults]
    try:
        while waiting:
            fault, first_time = waiting.pop(0)
            start, folder = time.monotonic(), out / fault.folder
            shutil.rmtree(folder, ignore_errors=True)
            found, disturbed, sound_again = [], False, False
            try:
                rig = rig or BrokenRig(file.kind, file.rig, rigproof, out)
                found, disturbed = rig.judge(fault, folder)
                if fault.undo or fault.leaves_no_trace:
                    rig.undo(fault)
                    sound_again = True
            except (BadFault, RigLost) as error:
                found, disturbed = found + [str(error)], False
            if rig and not sound_again:
                rig.shell.close()
                rig = None
            if found and disturbed and first_time:
                waiting.insert(0, (fault, False))
                print(f'{fault.name}: again, the machine was busy with something else', flush=True)
            else:
                tell(fault, found, time.monotonic() - start)
    finally:
        if rig:
            rig.shell.close()
