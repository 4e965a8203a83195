""".ci/run against stand-ins of ci/setup and ci/test: a test that is skipped fails, whatever it gives as its reason, but for
those of one user and those that RIGPROOF_MAY_SKIP names."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
RUN = ROOT / ".ci" / "run"


class Run(unittest.TestCase):
    def run_with(self, inside="", ctest="", code=0, may_skip=None):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in (".ci", "ci", "build/Testing/Temporary"):
                (root / name).mkdir(parents=True)
            shutil.copy(RUN, root / ".ci" / "run")
            (root / "build/Testing/Temporary/LastTest.log").write_text(inside)
            for name, body in {"setup": "exit 0", "test": f"cat <<'END'\n{ctest}\nEND\nexit {code}"}.items():
                (root / "ci" / name).write_text(f"#!/bin/sh\n{body}\n")
                (root / "ci" / name).chmod(0o755)
            environment = {key: value for key, value in os.environ.items() if key != "RIGPROOF_MAY_SKIP"}
            if may_skip:
                environment["RIGPROOF_MAY_SKIP"] = may_skip
            done = subprocess.run([root / ".ci" / "run"], capture_output=True, text=True, env=environment)
            self.output = done.stdout
            return done.returncode, done.stderr

    def skip(self, file, reason):
        return f"Running main()\n/home/ci/rigproof/{file}:63: Skipped\n{reason}\n\n[==========] 1 test\n"

    def test_is_as_ci_test_is_where_nothing_is_skipped(self):
        for code in (0, 8):
            self.assertEqual(self.run_with("[  PASSED  ] 3 tests.\n", code=code), (code, ""))

    def test_tests_that_failed_are_shown_at_the_end(self):
        tests = {"good": ("all is well", "Passed"), "bad": ("\n".join(f"line {at}" for at in range(99)), "Failed")}
        log = "".join(f'{at}/2 Testing: {name}\n{at}/2 Test: {name}\nOutput:\n{said}\n<end of output>\nTest {result}.\n"{name}" '
                      "end time\n" for at, (name, (said, result)) in enumerate(tests.items(), 1))
        self.assertEqual(self.run_with(log, ctest="0% tests passed", code=8), (8, ""))
        self.assertRegex(self.output, r"\A0% tests passed\n\.ci/run: the end of bad:\nline 41\n[^\0]*line 98\n<end of output>\nTest Failed\.\n\Z")

    def test_a_skip_inside_a_program_fails_whatever_its_reason(self):
        for reason in ("private network namespaces are not permitted here", "no private mounts here", "xmllint is not installed"):
            code, says = self.run_with(self.skip("tests/support/private_network.h", reason))
            self.assertEqual((code, says),
                             (1, f".ci/run: skipped inside a test program: tests/support/private_network.h: {reason}\n"))
        self.assertEqual(self.run_with("Ran 3 tests\nOK (skipped=1)\n")[0], 1)

    def test_tests_for_one_user_or_kernel_may_be_skipped_for_that_reason_only(self):
        allowed = re.search(r"^allowed='(.*?)'", RUN.read_text(), re.S | re.M)[1].split("\n")
        for line in allowed:
            file, reason = line.split(": ", 1)
            self.assertIn(f'GTEST_SKIP() << "{reason}"', (ROOT / file).read_text())
            self.assertEqual(self.run_with(self.skip(file, reason))[0], 0)
        file, reason = "tests/toml/document_test.cc", "root reads everything"
        self.assertEqual(self.run_with(self.skip(file, "no file system"))[0], 1)
        self.assertEqual(self.run_with(self.skip("tests/toml/table_test.cc", reason))[0], 1)

    def test_a_test_that_ctest_skips_fails_unless_it_may_be(self):
        line = "12/99 Test #12: broken-rigs.stand_in.nccl ..........***Skipped   0.01 sec"
        self.assertEqual(self.run_with(ctest=line)[0], 1)
        self.assertEqual(self.run_with(ctest=line, may_skip=r"stand_in\.nccl"), (0, ""))
        self.assertEqual(self.run_with(self.skip("tests/host/a_test.cc", "one CPU"), may_skip="one CPU$"), (0, ""))


if __name__ == "__main__":
    unittest.main()
