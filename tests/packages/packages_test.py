"""The packages of out/packages in clean systems (Debian 12, 13, Ubuntu 24.04): they install by apt, qualify the model rig, and
a suite outside of the tree builds against them, runs with the installed ones, turns red on a broken rig. Catches: a missing
dependency, a library or file that only the build machine has, a path of the build tree.
   packages_test.py PACKAGES ROOTS RELEASE [TEST...]"""

import pathlib
import re
import subprocess
import sys
import time
import unittest

PACKAGES, ROOTS, RELEASE = sys.argv[1:4]
HERE = pathlib.Path(__file__).parent
RIGPROOF = "/packages/rigproof_*_$(dpkg --print-architecture).deb"  # those for other machines may lie beside it
SDK = RIGPROOF.replace("rigproof_", "librigproof-dev_")
NCCL = RIGPROOF.replace("rigproof_", "rigproof-nccl_")
SUITES = ("collective", "host", "link", "mtu", "phy", "preflight", "rdma", "redundancy", "switch", "tcp")
SPARK_SUITE = HERE / "spark_suite.cc"
MOST_INSTALLED_KB = 48 << 10  # a third above what it was when ci/README.md named it
UPDATE = "apt-get update -qq && apt-get install -y -qq --no-install-recommends"


def clean_system(*command):
    """What it printed, both streams; how long it took."""
    begun = time.monotonic()
    done = subprocess.run([HERE / "in_clean_system", RELEASE, ROOTS, PACKAGES, *command], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout, time.monotonic() - begun


class Packages(unittest.TestCase):
    def does(self, script):
        code, words, seconds = clean_system("bash", "-euo", "pipefail", "-c", script)
        self.assertEqual(code, 0, words[-6000:])
        return words, seconds

    def test_installs_and_qualifies_the_model_rig(self):
        words, seconds = self.does(f"""
            apt-get update -qq
            begun=$SECONDS
            apt-get install -y -qq {RIGPROOF} >/tmp/log 2>&1 || {{ cat /tmp/log; exit 1; }}
            installed=$SECONDS
            rigproof --version
            rigproof model run --profile smoke --out /tmp/out
            echo "installed after $((installed - begun)) s, verdict after $((SECONDS - begun)) s"
            du -sk --total $(dpkg -L rigproof | while read -r f; do [ -f "$f" ] && echo "$f"; done) | tail -n 1
            test -s /tmp/out/report.html && test -s /tmp/out/junit.xml
            rigproof verify /tmp/out""")
        print(words[-2500:])
        self.assertIn("QUALIFIED: rig model-rig (model), profile smoke", words)
        self.assertNotIn(str(HERE.parents[1]), words)  # where it was built
        self.assertLess(int(re.search(r"^(\d+)\s+total$", words, re.M)[1]), MOST_INSTALLED_KB)

    def test_holds_what_it_names_and_nothing_elsewhere(self):
        words, _ = self.does(f"""
            {UPDATE} {RIGPROOF} >/tmp/log 2>&1 || {{ cat /tmp/log; exit 1; }}
            dpkg -L rigproof""")
        files = set(words.split())
        owed = {f"/usr/libexec/rigproof/rigproof-suite-{name}" for name in SUITES}
        owed |= {"/usr/bin/rigproof", "/usr/share/bash-completion/completions/rigproof", "/usr/share/man/man1/rigproof.1.gz",
                 "/usr/share/rigproof/thresholds/dgx-spark-pair.toml", "/usr/share/rigproof/thresholds/model-rig.toml",
                 "/usr/share/rigproof/schemas/rig.schema.json", "/usr/share/rigproof/examples/dgx_spark_pair.toml"}
        self.assertEqual(owed - files, set())
        self.assertEqual([file for file in files if not f"{file}/".startswith(("/usr/", "/./"))], [])
        self.assertEqual([file for file in files if file.startswith("/usr/local")], [])

    # Catches: a cache, a state or a folder of its own that stays, also of what it has run. (Open MPI's sessions are its own.)
    def test_uninstalled_it_leaves_nothing(self):
        self.does(f"""
            apt-get update -qq
            mkdir /tmp/scratch && cd /tmp/scratch
            depends=$(apt-get install -s --no-install-recommends {RIGPROOF} | sed -n 's/^Inst \\([^ ]*\\).*/\\1/p' | grep -v '^rigproof')
            apt-get install -y -qq --no-install-recommends $depends >log 2>&1 || {{ cat log; exit 1; }}
            files() {{ find / -xdev ! -path '/tmp/scratch/*' ! -path '/tmp/ompi.*' | sort; }}
            files >before
            apt-get install -y -qq --no-install-recommends {RIGPROOF} >log 2>&1 || {{ cat log; exit 1; }}
            rigproof model run --suite mtu --profile smoke --no-pdf --out out
            apt-get purge -y -qq rigproof >log 2>&1 || {{ cat log; exit 1; }}
            files >after
            diff before after""")

    # The suites with NCCL can't be loaded there. Catches: a package that ends every run on a machine without a GPU.
    def test_without_nvidias_libraries_the_suites_without_nccl_run(self):
        if not list(pathlib.Path(PACKAGES).glob("rigproof-nccl_*")):
            self.skipTest("no package rigproof-nccl: CMake found no CUDA or no NCCL")
        words, _ = self.does(f"""
            {UPDATE} {RIGPROOF} {NCCL} >/tmp/log 2>&1 || {{ cat /tmp/log; exit 1; }}
            rigproof model run --suite mtu --profile smoke --no-pdf --out /tmp/mtu
            rigproof model run --suite collective --profile smoke --no-pdf --out /tmp/collective""")
        self.assertRegex(words, r"NOTE  NCCL cannot be used, its cases are not proven: lib(nccl|cudart)")

    def test_nothing_that_it_is_linked_with_is_missing(self):
        words, _ = self.does(f"""
            {UPDATE} {RIGPROOF} >/dev/null 2>&1
            for program in /usr/bin/rigproof /usr/libexec/rigproof/*; do ldd "$program"; done
            rigproof list --rig /usr/share/rigproof/examples/dgx_spark_pair.toml""")
        self.assertNotIn("not found", words)
        self.assertIn("RailRate", words)

    def test_manual_and_completion_are_there(self):
        words, _ = self.does(f"""
            {UPDATE} man-db bash-completion {RIGPROOF} >/dev/null 2>&1
            for page in /usr/share/man/man[157]/rigproof*; do
              MANWIDTH=100 man --warnings -l "$page" >/tmp/page 2>/tmp/warnings
              test -s /tmp/page && ! test -s /tmp/warnings || {{ echo "$page:"; cat /tmp/warnings; exit 1; }}
            done
            ls /usr/share/man/man1 /usr/share/man/man5 /usr/share/man/man7
            . /usr/share/bash-completion/completions/rigproof
            tries() {{ COMP_LINE=$1 COMP_POINT=${{#1}}; _rigproof; echo "$1: ${{COMPREPLY[*]}}"; }}
            tries 'rigproof mo'
            tries 'rigproof model run --profile '
            tries 'rigproof run --suite t'
            tries 'rigproof run --rig /usr/share/rigproof/examples/dgx_spark_pair.toml --gtest_filter EachRail/RailMtu'""")
        for page in ("rigproof.1.gz", "rigproof-run.1.gz", "rigproof-model-run.1.gz", "rigproof-rig.5.gz",
                     "rigproof-thresholds.5.gz", "rigproof-journal.5.gz"):
            self.assertIn(page, words)
        self.assertIn("rigproof mo: model\n", words)
        self.assertIn("--profile : smoke standard acceptance\n", words)
        self.assertIn("--suite t: tcp\n", words)
        self.assertIn("EachRail/RailMtu.CarriesFullSizePackets/rail0_node_a_to_node_b", words)


# The library goes with the distribution that built it.
@unittest.skipUnless(f"VERSION_CODENAME={RELEASE}\n" in pathlib.Path("/etc/os-release").read_text(),
                     "librigproof-dev is for the distribution that built it")
class Sdk(Packages):
    test_installs_and_qualifies_the_model_rig = test_nothing_that_it_is_linked_with_is_missing = None
    test_manual_and_completion_are_there = test_holds_what_it_names_and_nothing_elsewhere = None
    test_uninstalled_it_leaves_nothing = test_without_nvidias_libraries_the_suites_without_nccl_run = None

    def test_a_suite_of_ones_own_builds_runs_and_turns_red(self):
        words, _ = self.does(f"""
            {UPDATE} ninja-build {RIGPROOF} {SDK} >/tmp/log 2>&1 || {{ cat /tmp/log; exit 1; }}
            cp -r /usr/share/doc/librigproof-dev/examples /tmp/own
            cmake -G Ninja -S /tmp/own -B /tmp/own/build >/tmp/log 2>&1 || {{ cat /tmp/log; exit 1; }}
            begun=$SECONDS
            cmake --build /tmp/own/build
            echo "built in $((SECONDS - begun)) s"
            ctest --test-dir /tmp/own/build --output-on-failure
            rigproof model run --suites /tmp/own/build/suites --thresholds /tmp/own/limits.toml --suite latency --suite disk \
              --profile smoke --no-pdf --out /tmp/out
            layered() {{
              rigproof model run --suites /tmp/own/build/suites --suite mtu --suite latency --profile smoke --no-pdf \
                --thresholds /usr/share/rigproof/thresholds/model-rig.toml --thresholds /tmp/own/limits.toml "$@"
            }}
            layered --out /tmp/layered
            printf '%s\\n' '[[limit]]' 'id = "mtu.path"' 'equals = "1500 B"' 'remedy.check = "none"' \
              'basis = {{ kind = "policy", source = "us", reasoning = "small" }}' >/tmp/us
            code=0
            layered --thresholds /tmp/us --out /tmp/replaced || code=$?
            echo "mtu.path replaced: exit code $code"
            cat >/tmp/own/suites/spark.cc <<'SOURCE'
{SPARK_SUITE.read_text()}
SOURCE
            echo 'rigproof_add_suite(spark suites/spark.cc)' >>/tmp/own/CMakeLists.txt
            cmake --build /tmp/own/build
            for api in 0.0 99.0; do  # of another interface
              mkdir /tmp/api-$api
              printf '%s\\n' 'cmake_minimum_required(VERSION 3.25)' 'project(api LANGUAGES CXX)' \
                "find_package(Rigproof $api REQUIRED)" >/tmp/api-$api/CMakeLists.txt
              ! cmake -G Ninja -S /tmp/api-$api -B /tmp/api-$api/build >/tmp/api-$api/log 2>&1
              grep -q 'RigproofConfig.cmake, version: ' /tmp/api-$api/log || {{ cat /tmp/api-$api/log; exit 1; }}
            done
            RIGPROOF_SUITES=/tmp/own/build/suites rigproof list --rig /usr/share/rigproof/examples/dgx_spark_pair.toml
            for header in $(dpkg -L librigproof-dev | grep '\\.h$'); do
              echo "#include \\"$header\\"" | g++ -std=c++20 -fsyntax-only -I/usr/include/rigproof -x c++ - || exit 1
            done""")
        print(words[-3000:])
        self.assertIn("disk\n", words)
        self.assertIn("WriteRate.FillsTheHalf/rail0_node_a_to_node_b", words)
        self.assertIn("mtu.path replaced: exit code 1\n", words)
        self.assertIn("100% tests passed, 0 tests failed out of 3", words)


if __name__ == "__main__":
    code, words, _ = clean_system("true")
    if code != 0:  # 77: there can be no such system here
        print(words)
        sys.exit(code)
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
