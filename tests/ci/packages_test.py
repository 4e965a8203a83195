"""tests/packages where there can be no clean system, with a stand-in for it. Catches: that counted as a failure, or a failure
counted as that."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TREE = pathlib.Path(__file__).parents[2]


class WhereItCannot(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)

    def clean_system(self, code):
        shutil.copy(TREE / "tests" / "packages" / "packages_test.py", self.root)
        system = self.root / "in_clean_system"
        system.write_text(f"#!/bin/sh\necho no system here\nexit {code}\n")
        system.chmod(0o755)
        done = subprocess.run([sys.executable, self.root / "packages_test.py", self.root, self.root, "none"],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_without_a_clean_system_the_tests_are_skipped(self):
        code, words = self.clean_system(77)
        self.assertEqual(code, 77, words)
        self.assertIn("no system here", words)

    def test_a_clean_system_that_fails_is_no_success(self):
        self.assertEqual(self.clean_system(1)[0], 1)


if __name__ == "__main__":
    unittest.main()
