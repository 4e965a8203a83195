"""The suite and the limits that suites/README.md shows, on the model rig: green, red under a limit that nothing can
meet, and red on a rig that is broken.   example_test.py RIGPROOF FOLDER_OF_THE_SUITE"""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

RIGPROOF, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])


class Example(unittest.TestCase):
    def qualify(self, limit, broken_by="true"):
        """The exit code, and of each case its name and the text of its failure or None."""
        with tempfile.TemporaryDirectory() as scratch:
            thresholds, out = pathlib.Path(scratch, "latency.toml"), pathlib.Path(scratch, "out")
            thresholds.write_text(limit)
            run = [RIGPROOF, "run", "--no-pdf", "--suite-dir", FOLDER, "--suite", "latency", "--profile", "smoke",
                   "--thresholds", thresholds, "--out", out]
            done = subprocess.run([RIGPROOF, "model", "exec", "--", "sh", "-c",
                                   f'{broken_by} && exec "$@" --rig "$RIGPROOF_RIG"', "sh", *run])
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

    # Catches: a dead path that ends the case in an error instead of missing a limit.
    def test_fails_where_a_full_size_packet_does_not_arrive(self):
        code, cases = self.qualify((FOLDER / "latency.toml").read_text(), "ip -n fabric link set sw-a-port0 mtu 1500")
        self.assertEqual(code, 1)
        missed = [text for name, text in cases.items() if "FullSize" in name and text]
        self.assertEqual(len(missed), 2)  # the halves of that port
        for text in missed:
            self.assertIn("latency.lost", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
