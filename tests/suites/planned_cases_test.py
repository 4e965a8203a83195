"""Which cases are planned for a rig: RIGPROOF."""
import os
import re
import subprocess
import sys
import unittest

RIGPROOF = sys.argv.pop(1)
RIGS = os.path.join(os.path.dirname(__file__), "..", "rig")


def planned(rig, pattern):
    """How many cases of this rig match."""
    answer = subprocess.run([RIGPROOF, "list", "--rig", os.path.join(RIGS, rig), "--suite", "tcp", "--suite", "rdma"],
                            capture_output=True, text=True, timeout=120)
    assert answer.returncode == 0, answer.stderr
    return len(re.findall(pattern, answer.stdout))


class Ports(unittest.TestCase):
    def test_of_one_half_are_not_loaded_again(self):
        self.assertEqual(planned("roce_hosts_pair.toml", r"FillsThePortByBothHalves"), 0)
        self.assertEqual(planned("roce_hosts_pair.toml", r"[. ]FillsTheHalf"), 4)
        self.assertEqual(planned("roce_hosts_pair.toml", r"OfWritesFillsTheHalf"), 4)

    def test_of_one_half_keep_what_no_half_measures(self):
        self.assertEqual(planned("roce_hosts_pair.toml", r"CpuUnderRdma.Idles"), 4)

    def test_of_two_halves_are_loaded_by_both(self):
        self.assertEqual(planned("dgx_spark_pair.toml", r"FillsThePortByBothHalves"), 8)


if __name__ == "__main__":
    unittest.main()
