"""The suite and the limit that suites/README.md shows, on the model rig: green, and red under a limit that nothing
can meet.   example_test.py RIGPROOF FOLDER_OF_THE_SUITE"""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

RIGPROOF, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])


class Example(unittest.TestCase):
    def qualify(self, limit):
        """The exit code, and of each case its name and the text of its failure or None."""
        with tempfile.TemporaryDirectory() as scratch:
            thresholds, out = pathlib.Path(scratch, "latency.toml"), pathlib.Path(scratch, "out")
            thresholds.write_text(limit)
            done = subprocess.run([RIGPROOF, "model", "run", "--no-pdf", "--suite-dir", FOLDER, "--suite", "latency",
                                   "--profile", "smoke", "--thresholds", thresholds, "--out", out])
            cases = xml.etree.ElementTree.parse(out / "junit.xml").iter("testcase")
            return done.returncode, {case.get("name"): case.findtext("failure") for case in cases}

    def test_passes_on_a_healthy_rig(self):
        code, cases = self.qualify((FOLDER / "latency.toml").read_text())
        self.assertEqual(code, 0)
        self.assertEqual({text for name, text in cases.items() if "FullSize" in name}, {None})

    def test_fails_under_a_limit_that_nothing_can_meet(self):
        code, cases = self.qualify((FOLDER / "latency.toml").read_text().replace("20 ms", "1 ns"))
        self.assertEqual(code, 1)
        missed = [text for name, text in cases.items() if "FullSize" in name]
        self.assertEqual(len(missed), 4)  # a case for each rail
        for text in missed:
            self.assertIn("latency.full_size", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
