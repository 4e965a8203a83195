"""Which cases are planned for a rig: RIGPROOF."""
import os
import re
import subprocess
import sys
import unittest

RIGPROOF = sys.argv.pop(1)
RIGS = os.path.join(os.path.dirname(__file__), "..", "rig")


def planned(rig, pattern, suites=("tcp", "rdma")):
    """How many cases of this rig match."""
    answer = subprocess.run([RIGPROOF, "list", "--rig", os.path.join(RIGS, rig), *(f"--suite={suite}" for suite in suites)],
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

    def test_for_storage_are_loaded_alone(self):
        self.assertEqual(planned("roce_hosts_storage.toml", r"[. ]FillsTheHalf/rail1_"), 2)
        self.assertEqual(planned("roce_hosts_storage.toml", r"OfWritesFillsTheHalf/rail1_"), 2)
        self.assertEqual(planned("roce_hosts_storage.toml", r"NodeRate.OfAllHalves/"), 2)

    def test_of_ipv6_are_those_of_ipv4(self):
        every = [planned(rig, r"/(rail|link|node)", ("preflight", "link", "mtu", "tcp", "rdma", "phy", "collective"))
                 for rig in ("roce_hosts_pair.toml", "roce_hosts_ipv6.toml")]
        self.assertGreater(every[0], 100)
        self.assertEqual(*every)

    def test_without_counters_are_not_compared_with_the_wire(self):
        self.assertEqual(planned("roce_hosts_pair.toml", r"WireBytes\.|QuietPort\.", ["phy", "rdma"]), 12)
        self.assertEqual(planned("roce_vms_pair.toml", r"WireBytes\.|QuietPort\.|RdmaWireBytes\.|MpiWire\.", ["rdma"]), 0)
        self.assertEqual(planned("roce_vms_pair.toml", r"OfWritesFillsTheHalf"), 4)


if __name__ == "__main__":
    unittest.main()
