#!/usr/bin/python3
"""The live view in a pseudo-terminal: rigproof run and rigproof watch as a person at a terminal sees them.

Catches: a terminal that stays on the alternate screen, without a cursor or without an echo (at the end, after Ctrl-C,
Ctrl-Z, Ctrl-\\, SIGTERM or a crash), lines wider than the window, colours in spite of NO_COLOR, escapes where there is no
terminal, a run that fails because its counters can't be read, readers that outlive it, one that costs too much.

    live_test.py RIGPROOF SCRIPTED_SUITE
"""
import fcntl
import os
import pathlib
import pty
import re
import resource
import select
import shlex
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

PROGRAM, SUITE = sys.argv[1:3]
DEADLINE = 60
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"

LIMITS = """[[limit]]
id = "scripted.count"
at_most = "1 count"
basis = { kind = "policy", source = "s", quote = "q" }
remedy.check = "r"
"""


# node-a is this host, node-b is reached by an agent. Both ports are the loopback interface.
def rig_text():
    text = f'format = 1\nname = "live-{os.getpid()}"\nkind = "model"\n'
    for number, (node, address) in enumerate((("node-a", "127.0.0.1"), ("node-b", "node-b.invalid")), 1):
        text += f"""
[[node]]
name = "{node}"
address = "{address}"
[[node.port]]
name = "port0"
rate = "1 Gbit/s"
counters = {{ source = "netlink", device = "lo" }}
[[node.port.half]]
netdev = "half0"
address = "198.18.1.{number}/24"
rate = "1 Gbit/s"
mtu = "9000 B"
"""
    return text + """
[[link]]
name = "cable0"
ports = ["node-a:port0", "node-b:port0"]
[[rail]]
name = "rail0"
halves = ["node-a:half0", "node-b:half0"]
"""


class Terminal:
    """A program on a terminal of its own: what it wrote, and the terminal's state."""

    def __init__(self, words, columns=80, rows=24, environment=None):
        self.master, self.slave = pty.openpty()  # the slave stays open here: its modes are looked at
        self.resize(columns, rows)
        self.modes = termios.tcgetattr(self.slave)
        self.text = ""
        variables = {"TERM": "xterm", "LANG": "C.UTF-8", "PATH": os.environ["PATH"], **(environment or {})}
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for number in range(3):
                os.dup2(self.slave, number)
            os.closerange(3, 256)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.execve(words[0], words, variables)
        self.code = None

    def resize(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        if select.select([self.master], [], [], seconds)[0]:
            self.text += os.read(self.master, 1 << 16).decode(errors="replace")

    def wait_for(self, what, start=0):
        """Where in the text, from `start` on, the expression matches first."""
        end = time.monotonic() + DEADLINE
        while not (found := re.compile(what).search(self.text, start)):
            if time.monotonic() > end:
                raise AssertionError(f"no '{what}' within {DEADLINE} s in: {self.text[start:]!r}")
            self.read(0.1)
        return found.start()

    def status(self, options=0):
        """As waitpid() has it, once the program ended (or stopped, with WUNTRACED)."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG | options)
            self.read(0.05)
            if pid:
                while select.select([self.master], [], [], 0.1)[0]:
                    self.read(0)
                return status
        os.kill(self.pid, signal.SIGKILL)
        raise AssertionError(f"did not end: {self.text[-2000:]!r}")

    def end(self):
        """The exit code; a negative number is a signal's."""
        self.code = os.waitstatus_to_exitcode(self.status())
        return self.code

    def close(self):
        if self.code is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
        os.close(self.master)
        os.close(self.slave)

    def frames(self):
        """Those that have arrived as a whole, as lines."""
        screens = [part.split(LEAVE)[0] for part in self.text.split(ENTER)[1:]]
        return [[ESCAPE.sub("", line) for line in frame.split("\x1b[J")[0].replace("\r", "").split("\n")]
                for screen in screens for frame in screen.split("\x1b[H")[1:] if "\x1b[J" in frame]

    def frame_with(self, *expressions):
        """The first one, as a text, in which all of them match."""
        end = time.monotonic() + DEADLINE
        while True:
            for lines in self.frames():
                frame = "\n".join(lines)
                if all(re.search(expression, frame) for expression in expressions):
                    return frame
            if time.monotonic() > end:
                raise AssertionError(f"no frame with {expressions} within {DEADLINE} s; the last: {self.frames()[-1:]}")
            self.read(0.1)

    def screen(self):
        """The lines of the last whole frame as a terminal shows them: with its pending wrap, so that erasing to the end of
        a full line erases the last character."""
        last = [part for part in self.text.split("\x1b[H") if "\x1b[J" in part][-1].split("\x1b[J")[0]
        columns = struct.unpack("HHHH", fcntl.ioctl(self.slave, termios.TIOCGWINSZ, bytes(8)))[1]
        lines, at = [[]], 0
        for part in re.findall(ESCAPE.pattern + r"|[^\x1b]", last):
            if part == "\x1b[K":
                del lines[-1][min(at, columns - 1):]
            elif part == "\n":
                lines.append([])
            elif part == "\r":
                at = 0
            elif part[0] != "\x1b":
                lines[-1][at:at + 1] = part
                at += 1
        return ["".join(line) for line in lines]

    def normal_screen(self):
        return ESCAPE.sub("", re.sub(re.escape(ENTER) + ".*?" + re.escape(LEAVE), "", self.text, flags=re.S))


class LiveTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.mkdir(self.path("bin"))
        self.write("rig.toml", rig_text())
        self.write("limits.toml", LIMITS)
        # As ssh: a shell reads the words behind the host's name.
        self.agent = self.script("agent", 'shift; exec sh -c "$*"')

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def script(self, name, text):
        path = self.write(name, "#!/bin/sh\n" + text + "\n")
        os.chmod(path, 0o755)
        return path

    def run_words(self, script, more=()):
        self.script("bin/rigproof-suite-tcp", f"SCRIPT='{script}' exec {SUITE} tcp \"$@\"")
        return [PROGRAM, "run", "--rig", self.path("rig.toml"), "--thresholds", self.path("limits.toml"), "--out",
                self.path("out"), "--suite-dir", self.path("bin"), "--launcher", "env", "--no-pdf", *more]

    def watch_words(self, more=()):
        return [PROGRAM, "watch", "--rig", self.path("rig.toml"), *more]

    def on_terminal(self, words, environment=None, **size):
        agent = {"OMPI_MCA_plm_rsh_agent": self.agent}
        terminal = Terminal(words, environment={**agent, **(environment or {})}, **size)
        self.addCleanup(terminal.close)
        return terminal

    def running(self, more=(), environment=None, **size):
        """A run whose last case waits, with rates on its screen."""
        terminal = self.on_terminal(self.run_words("A.pass B.fail C.wait", more), environment, **size)
        self.rates_seen(terminal, terminal.wait_for(r"C\.wait"))
        return terminal

    def rates_seen(self, terminal, start=0):
        """Until a frame with rates has begun and ended."""
        at = terminal.wait_for(r"TX (\x1b\[\d+m)?[█░▌]", start)
        terminal.wait_for(re.escape("\x1b[J"), at)

    def is_as_before(self, terminal):
        """The terminal, and no process is left."""
        self.assertEqual(termios.tcgetattr(terminal.slave), terminal.modes)
        for on, off in ((ENTER, LEAVE), ("\x1b[?25l", "\x1b[?25h"), ("\x1b[?7l", "\x1b[?7h")):
            self.assertIn(on, terminal.text)
            self.assertLess(terminal.text.rindex(on), terminal.text.rindex(off), f"{on!r} is not taken back")
        end = time.monotonic() + DEADLINE  # readers end once nobody reads
        while (left := self.processes()) and time.monotonic() < end:
            terminal.read(0.05)
        self.assertEqual(left, [], "a process is left")

    def processes(self):
        """What a terminal of this test has started and what that has: their environment names its folder. (PID, command)"""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if self.folder.encode() in (process / "environ").read_bytes():
                    found.append((int(process.name), (process / "cmdline").read_bytes()))
            except OSError:  # it has ended
                pass
        return found

    def kill_readers(self):
        readers = [pid for pid, command in self.processes() if b"\0counters\0" in command]
        self.assertEqual(len(readers), 2)
        for pid in readers:
            os.kill(pid, signal.SIGKILL)

    def watched_until(self, expression, agent):
        """What `watch --seconds N` wrote without a terminal: of more seconds, on a busy machine."""
        for seconds in ("2.5", "8", "30"):
            watched = subprocess.run(self.watch_words(("--seconds", seconds)), capture_output=True, text=True, check=False,
                                     env={**os.environ, "TERM": "xterm", "OMPI_MCA_plm_rsh_agent": agent})
            if re.search(expression, watched.stdout + watched.stderr) and "waiting" not in watched.stderr:
                return watched
        raise AssertionError(f"no '{expression}' in: {watched}")

    def test_a_run_shows_what_runs_and_its_cables(self):
        terminal = self.running()
        # A cable is seen from its other port for as long as only that one's node has answered.
        frame = terminal.frame_with("node-a:port0 +TX [█░▌]", r"C\.wait")
        self.assertIn("profile standard", frame)
        self.assertIn("tcp  C.wait  (wait)", frame)
        self.assertRegex(frame, r"2/3 cases  0:\d\d, about 0:\d\d left")
        self.assertRegex(frame, r"cable0  node-a:port0 +TX [█░▌]+ +[0-9.]+ +[0-9.]+")
        self.assertRegex(frame, r"1 Gbit/s to node-b:port0 RX [█░▌]+")
        self.assertRegex(frame, r"NOW +TX +[0-9.]+ +RX +[0-9.]+ +full duplex +[0-9.]+ Gbit/s")
        self.assertRegex(frame, r"PEAK +TX")
        self.assertIn("1 failed, 1 passed", frame)
        self.assertRegex(frame, r"PASS +tcp.A.pass")
        self.assertRegex(frame, r"FAIL +tcp.B.fail")

    def test_a_run_of_recorded_facts_contacts_no_node(self):
        called = self.path("called")
        self.script("agent", f"echo $* >>{called}; exit 255")
        tree = pathlib.Path(__file__).parents[2]
        terminal = self.on_terminal([PROGRAM, "run", "--rig", str(tree / "tests/rig/dgx_spark_pair.toml"), "--thresholds",
                                     str(tree / "thresholds/dgx-spark-pair.toml"), "--facts", str(tree / "tests/preflight/sparks"),
                                     "--suite", "preflight", "--out", self.path("out"), "--no-pdf"])
        terminal.frame_with(r"profile standard", r"cases")
        terminal.end()
        self.assertFalse(os.path.exists(called))
        self.assertNotIn("counters", terminal.text)

    def test_a_full_line_keeps_its_last_character(self):
        terminal = self.running()
        header = [line for line in terminal.screen() if line.startswith("cable ")]
        self.assertEqual([(len(line), line[-4:]) for line in header], [(80, "PEAK")])

    def test_readers_that_started_during_a_suite_outlive_it(self):
        self.script("bin/rigproof-suite-rdma", f"SCRIPT='D.wait' exec {SUITE} rdma \"$@\"")
        terminal = self.on_terminal(self.run_words("A.gate"), {"GATE": self.path("gate")})
        self.rates_seen(terminal, terminal.wait_for(r"A\.gate"))
        self.kill_readers()
        self.rates_seen(terminal, terminal.wait_for("no counters from node-a: the reader was killed"))
        self.write("gate", "")
        at = terminal.wait_for(r"D\.wait")
        self.rates_seen(terminal, at)
        self.assertNotIn("killed", terminal.text[at:])
        os.write(terminal.master, b"\x03")
        self.assertEqual(terminal.end(), 2)

    def test_ctrl_c_leaves_the_terminal_as_it_was(self):
        terminal = self.running()
        self.assertFalse(termios.tcgetattr(terminal.slave)[3] & termios.ECHO)
        os.write(terminal.master, b"\x03")
        self.assertEqual(terminal.end(), 2)
        self.is_as_before(terminal)
        self.assertRegex(terminal.normal_screen(),
                         r"(?s)^3 cases, record in .*reports:.*stopped by SIGINT.*\nERROR: rig [^\n]*\n")

    def test_the_end_of_a_run_is_on_the_normal_screen(self):
        terminal = self.on_terminal(self.run_words("A.pass B.gate"), {"GATE": self.path("gate")})
        terminal.wait_for(re.escape(ENTER))
        self.write("gate", "")
        self.assertEqual(terminal.end(), 0, terminal.text)
        self.is_as_before(terminal)
        self.assertRegex(terminal.normal_screen().replace("\r", ""), r"(?s)^2 cases, record in .*reports:.*\nQUALIFIED: [^\n]*\n$")

    def test_a_signal_and_a_crash_leave_it_as_it_was(self):
        for number, code in ((signal.SIGTERM, 2), (signal.SIGHUP, 2)):
            terminal = self.running()
            os.kill(terminal.pid, number)
            self.assertEqual(terminal.end(), code, number)
            self.is_as_before(terminal)
            subprocess.run(["rm", "-r", self.path("out")], check=True)
        terminal = self.on_terminal(self.watch_words())
        self.rates_seen(terminal)
        os.kill(terminal.pid, signal.SIGSEGV)
        self.assertNotEqual(terminal.end(), 0)
        self.is_as_before(terminal)

    def test_ctrl_backslash_leaves_the_terminal_as_it_was(self):
        for start in (self.running, lambda: self.on_terminal(self.watch_words())):
            terminal = start()
            self.rates_seen(terminal)
            os.write(terminal.master, b"\x1c")
            self.assertEqual(terminal.end(), -signal.SIGQUIT)
            self.is_as_before(terminal)

    def test_a_run_that_goes_on_counts_what_had_ended(self):
        terminal = self.running()
        os.write(terminal.master, b"\x03")
        self.assertEqual(terminal.end(), 2)
        words = [PROGRAM, "run", "--resume", self.path("out"), "--suite-dir", self.path("bin"), "--launcher", "env", "--no-pdf"]
        terminal = self.on_terminal(words)
        frame = terminal.frame_with("TX [█░▌]", r"C\.wait")
        self.assertIn("live-", frame)
        self.assertRegex(frame, "2/3 cases")
        self.assertIn("1 failed, 1 passed", frame)
        os.write(terminal.master, b"\x03")
        self.assertEqual(terminal.end(), 2)
        self.is_as_before(terminal)
        self.assertRegex(terminal.normal_screen(), "^3 cases, 2 ended earlier, record in ")

    def test_ctrl_z_leaves_it_and_fg_comes_back(self):
        shell = self.on_terminal(["/bin/bash", "--norc", "--noediting", "-i"])
        os.write(shell.master, (" ".join(map(shlex.quote, self.run_words("A.pass B.fail C.wait"))) + "\n").encode())
        self.rates_seen(shell, shell.wait_for(r"C\.wait"))
        seen = 0
        for _ in range(5):  # in a frame and between two
            os.write(shell.master, b"\x1a")
            stopped = shell.wait_for("Stopped", seen)
            self.assertGreater(shell.text.rindex(LEAVE, 0, stopped), shell.text.rindex(ENTER))
            self.assertNotIn("\x1b", shell.text[shell.text.rindex(LEAVE) + len(LEAVE):])
            seen = len(shell.text)
            os.write(shell.master, b"fg\n")
            seen = shell.wait_for(re.escape(ENTER), seen)
        self.rates_seen(shell, seen)
        os.write(shell.master, b"\x03")
        end = shell.wait_for("stopped by SIGINT", seen)
        os.write(shell.master, b"exit 7\n")
        self.assertEqual(shell.end(), 7)
        self.assertGreater(shell.text.rindex(LEAVE), shell.text.rindex(ENTER))
        self.assertGreater(end, seen)
        self.is_as_before(shell)

    def test_ctrl_z_without_a_shell_does_not_stop_it(self):
        terminal = self.running()
        seen = len(terminal.text)
        os.write(terminal.master, b"\x1a")
        left = terminal.wait_for(re.escape(LEAVE), seen)
        self.rates_seen(terminal, terminal.wait_for(re.escape(ENTER), left))
        os.write(terminal.master, b"\x03")
        self.assertEqual(terminal.end(), 2)
        self.is_as_before(terminal)

    def test_no_line_is_wider_than_the_window_whatever_its_size(self):
        terminal = self.running()
        for columns, rows in ((40, 12), (120, 30), (20, 5), (80, 24)):
            seen = len(terminal.text)
            terminal.resize(columns, rows)
            at = terminal.wait_for(re.escape("\x1b[2J"), seen)
            terminal.wait_for(re.escape("\x1b[J"), at)
            frame = terminal.text[at:].split("\x1b[J")[0]
            lines = [ESCAPE.sub("", line) for line in frame.replace("\r", "").split("\n")]
            self.assertLessEqual(len(lines), rows)
            self.assertLessEqual(max(map(len, lines)), columns, lines)
            self.assertGreater(max(map(len, lines)), columns // 2, lines)
        self.assertLessEqual(max(len(line) for line in terminal.frames()[0]), 80)

    def test_no_color_is_heeded_on_the_screen_and_in_the_lines(self):
        for more in ((), ("--plain",)):
            terminal = self.on_terminal(self.run_words("A.pass B.fail", more), {"NO_COLOR": "1"})
            self.assertEqual(terminal.end(), 1)
            self.assertNotRegex(terminal.text.replace("\x1b[0m\x1b[?7h", ""), r"\x1b\[[0-9;]*m")
            subprocess.run(["rm", "-r", self.path("out")], check=True)
        terminal = self.on_terminal(self.run_words("A.pass B.fail"))
        terminal.end()
        self.assertIn("\x1b[31mFAIL", terminal.text)  # what would be seen otherwise

    def test_lines_without_a_screen(self):
        for more, environment in ((("--plain",), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"})):
            terminal = self.on_terminal(self.run_words("A.pass B.fail", more), environment)
            self.assertEqual(terminal.end(), 1)
            self.assertNotIn("\x1b", terminal.text)
            self.assertRegex(terminal.text, r"(?s)\[1/2\] PASS +tcp +A.pass +1 of 1 .*\[2/2\] FAIL +tcp.B.fail")
            subprocess.run(["rm", "-r", self.path("out")], check=True)
        piped = self.watched_until(r"cable0  node-a:port0  TX [0-9.]+ Gbit/s", self.agent)
        self.assertEqual(piped.returncode, 0, piped)
        self.assertNotIn("\x1b", piped.stdout)
        self.assertRegex(piped.stdout, r"\d s  cable0  node-a:port0  TX [0-9.]+ Gbit/s \(peak [0-9.]+\), RX ")
        self.assertRegex(piped.stdout, r"\d s  all cables  TX .*full duplex")

    def test_without_counters_the_rest_is_shown_and_the_run_goes_on(self):
        agent = {"OMPI_MCA_plm_rsh_agent": self.script("broken", "echo 'ssh: connect to host node-b: no route'; exit 255")}
        rig = rig_text().replace('device = "lo"', 'device = "no-such-netdev"')
        self.write("rig.toml", rig)
        terminal = self.on_terminal(self.run_words("A.pass B.wait"), agent, columns=150)
        terminal.wait_for("no counters from node-a: ")
        terminal.wait_for("no-such-netdev")
        terminal.wait_for("without 1 cable")
        os.write(terminal.master, b"\x03")
        self.assertEqual(terminal.end(), 2)
        subprocess.run(["rm", "-r", self.path("out")], check=True)
        terminal = self.on_terminal(self.run_words("A.pass"), {"OMPI_MCA_plm_rsh_agent": "/no/such/agent"})
        self.assertEqual(terminal.end(), 0, terminal.text)
        watched = self.watched_until("no counters from node-b: ssh: connect to host node-b: no route",
                                     agent["OMPI_MCA_plm_rsh_agent"])
        self.assertEqual(watched.returncode, 2, watched)

    def test_a_reader_that_dies_costs_the_run_nothing(self):
        terminal = self.running()
        self.kill_readers()
        seen = terminal.wait_for("no counters from node-a: the reader was killed")
        self.rates_seen(terminal, seen)  # after some seconds another one reads
        os.write(terminal.master, b"\x03")
        self.assertEqual(terminal.end(), 2)
        self.is_as_before(terminal)

    def test_metrics_are_whole_whenever_they_are_read(self):
        terminal = self.running()
        file = pathlib.Path(self.path("out"), "metrics.prom")
        end = time.monotonic() + DEADLINE
        while not file.exists() and time.monotonic() < end:
            terminal.read(0.05)
        os.write(terminal.master, b"\x03")
        seen, pid = set(), 0
        while not pid and time.monotonic() < end:
            seen.add(file.read_text(encoding="utf-8"))
            pid, status = os.waitpid(terminal.pid, os.WNOHANG)
            terminal.read(0)
        terminal.code = os.waitstatus_to_exitcode(status)
        self.assertEqual(terminal.code, 2)
        seen.add(file.read_text(encoding="utf-8"))
        for text in seen:
            self.assertTrue(text.startswith("# HELP rigproof_run 1, ") and text.endswith("\n"), text)
            self.assertEqual(text.count("\nrigproof_run_cases{"), 6, text)
        self.assertEqual({re.search(r"\nrigproof_run_ended\{.*\} (\d)", text)[1] for text in seen}, {"0", "1"})
        self.assertEqual([name for name in os.listdir(self.path("out")) if name.startswith(".")], [])

    def test_watch_shows_any_load_and_costs_little(self):
        terminal = self.on_terminal(self.watch_words(), columns=100)
        self.rates_seen(terminal)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender, \
                socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sink:
            sink.bind(("127.0.0.1", 0))
            for _ in range(1000):
                sender.sendto(bytes(50_000), sink.getsockname())
        terminal.frame_with(r"NOW +TX +(0\.0[2-9]|0\.[1-9]|[1-9])", "reading takes .* on node-a, .* on node-b")
        os.write(terminal.master, b"\x03")
        self.assertEqual(terminal.end(), 0, terminal.text)
        self.is_as_before(terminal)
        end = terminal.normal_screen()
        peak = re.search(r"node-a:port0  TX [0-9.]+ Gbit/s \(peak ([0-9.]+)\), RX [0-9.]+ Gbit/s \(peak ([0-9.]+)\)", end)
        self.assertGreater(float(peak[1]), 0.02, end)
        self.assertGreater(float(peak[2]), 0.02, end)
        cost = re.search(r"reading takes ([0-9.]+) % of a core on node-a, ([0-9.]+) % on node-b", end)
        for share in cost.groups():
            self.assertLess(float(share), 1.0, end)
        self.assertIn("Ctrl-C ends", "\n".join(terminal.frames()[-1]))

    def test_watch_ends_with_ctrl_c(self):
        terminal = self.on_terminal(self.watch_words())
        self.rates_seen(terminal)
        os.write(terminal.master, b"\x03")
        self.assertEqual(terminal.end(), 0, terminal.text)
        self.is_as_before(terminal)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
