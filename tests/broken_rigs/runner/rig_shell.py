"""A started rig, as a shell on its first node that stays open from fault to fault."""

import os
import selectors
import shlex
import signal
import subprocess
import time
import uuid

RIG_ABSENT = 77  # rigproof's exit code where this machine lacks what the rig is made of
START_SECONDS = 300  # with the download of a kernel package


class RigLost(Exception):
    """The rig could not be started, ended, or does not answer within a deadline."""


class RigAbsent(Exception):
    """This machine can't have such a rig."""


class RigShell:
    """Runs commands one after the other, each in a subshell of its own. close() ends the rig and all that runs in it."""

    def __init__(self, words, folder):
        self.process = subprocess.Popen([*words, '--', 'sh'], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, start_new_session=True)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        self.run(':', START_SECONDS)

    def run(self, script, seconds=60):
        """Exit code and output. What it leaves in the background must have its outputs elsewhere."""
        mark = f'=== {uuid.uuid4()} '
        try:
            self.process.stdin.write(f"( eval {shlex.quote(script)} ) </dev/null 2>&1; echo '{mark}'$?\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # answer() says why
        return self.answer(mark.encode(), seconds)

    def answer(self, mark, seconds):
        text, deadline = b'', time.monotonic() + seconds
        while mark not in text or not text.endswith(b'\n'):
            if not self.selector.select(max(0, deadline - time.monotonic())):
                raise RigLost(f'no end within {seconds} s: {tail(text)}')
            part = os.read(self.process.stdout.fileno(), 65536)
            text += part
            if not part:
                code = self.process.wait()
                raise (RigAbsent if code == RIG_ABSENT else RigLost)(f'the rig ended with exit code {code}: {tail(text)}')
        output, code = text.split(mark)
        return int(code), output.decode(errors='replace')

    def close(self):
        self.selector.close()
        self.process.stdin.close()
        self.process.stdout.close()
        for end in (None, signal.SIGTERM, signal.SIGKILL):
            try:
                if end is not None:
                    os.killpg(self.process.pid, end)
                return self.process.wait(20)
            except subprocess.TimeoutExpired:
                continue


def tail(text):
    return text.decode(errors='replace').strip()[-2000:]
