"""ci/setup against a stand-in of apt: what it installs, when it stays silent, what it says when it may not."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SETUP = pathlib.Path(__file__).parents[2] / "ci" / "setup"
NEEDED = re.findall(r"^(?:packages|run|tests)=\((.*?)\)$", SETUP.read_text(), re.S | re.M)
PACKAGES = re.sub(r"#.*", "", "\n".join(NEEDED)).split()


class Setup(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for folder in ("bin", "ci", "build"):
            (self.root / folder).mkdir()
        shutil.copy(SETUP, self.root / "ci")
        for tool in ("bash", "env", "grep", "sed", "rm", "dirname"):
            (self.root / "bin" / tool).symlink_to(shutil.which(tool))
        self.command("id", "echo 0")
        self.command("apt-get", f'echo "$DEBIAN_FRONTEND apt-get $*" >>{self.root}/log')

    def command(self, name, body):
        path = self.root / "bin" / name
        path.write_text(f"#!{shutil.which('bash')}\n{body}\n")
        path.chmod(0o755)

    def installed(self, packages):
        self.command("dpkg-query", "echo '" + "\n".join(f"{name} installed" for name in packages) + "'")

    def setup(self, *arguments):
        return subprocess.run([self.root / "ci" / "setup", *arguments], capture_output=True, text=True,
                              env=os.environ | {"PATH": str(self.root / "bin")})

    def log(self):
        path = self.root / "log"
        return path.read_text() if path.exists() else ""

    def test_is_silent_and_calls_nothing_when_all_is_there(self):
        self.installed(PACKAGES)
        done = self.setup()
        self.assertEqual((done.returncode, done.stdout, done.stderr, self.log()), (0, "", "", ""))

    def test_installs_only_what_is_missing_without_questions(self):
        self.installed([name for name in PACKAGES if name != "iperf3"])
        self.assertEqual(self.setup().returncode, 0)
        self.assertIn("noninteractive apt-get install -y --no-install-recommends iperf3 ", self.log())

    def test_a_removed_package_whose_settings_remain_is_missing(self):
        self.installed(PACKAGES)
        body = (self.root / "bin" / "dpkg-query").read_text()
        self.command("dpkg-query", body.replace("iperf3 installed", "iperf3 config-files"))
        self.setup()
        self.assertIn("iperf3", self.log())

    def test_a_build_tree_made_without_the_packages_is_configured_anew(self):
        (self.root / "build" / "build.ninja").touch()
        self.installed([])
        self.setup()
        self.assertFalse((self.root / "build" / "build.ninja").exists())

    def test_without_root_it_names_what_is_missing_and_what_to_type(self):
        self.command("id", "echo 1000")
        self.installed([name for name in PACKAGES if name not in ("iperf3", "cmake")])
        done = self.setup()
        self.assertEqual(done.returncode, 1)
        self.assertIn("  cmake\n  iperf3\n", done.stderr)
        self.assertIn("su -c 'apt-get update && apt-get install -y --no-install-recommends cmake iperf3'", done.stderr)
        self.assertEqual(self.log(), "")

    def test_without_root_it_uses_a_sudo_that_asks_nothing(self):
        self.command("id", "echo 1000")
        self.command("sudo", f'[[ $1 == -n ]] && shift; echo sudo >>{self.root}/log; "$@"')
        self.command("true", "")
        self.installed([])
        self.assertEqual(self.setup().returncode, 0)
        self.assertIn("sudo\nnoninteractive apt-get install", self.log())

    def test_a_sudo_that_wants_a_password_is_told_to_the_user(self):
        self.command("id", "echo 1000")
        self.command("sudo", "exit 1")
        self.installed([])
        done = self.setup()
        self.assertEqual(done.returncode, 1)
        self.assertIn("sudo sh -c 'apt-get update && apt-get install", done.stderr)

    def test_a_failing_installation_fails_and_names_the_packages(self):
        self.command("apt-get", "exit 100")
        self.installed([name for name in PACKAGES if name != "iperf3"])
        done = self.setup()
        self.assertEqual(done.returncode, 1)
        self.assertIn("could not install iperf3", done.stderr)

    def test_the_tools_of_check_come_only_when_asked_for(self):
        self.installed(PACKAGES)
        self.setup("--check-tools")
        self.assertIn("clang-tidy", self.log())

    def test_for_programs_alone_no_tool_of_the_tests_is_asked_for(self):
        self.command("id", "echo 1000")
        self.installed([])
        done = self.setup("--programs")
        wanted = done.stderr.split()
        for name in ("g++", "libpugixml-dev", "openmpi-bin"):
            self.assertIn(name, wanted)
        for name in ("qemu-system-x86", "prometheus-node-exporter", "iperf3", "perftest"):
            self.assertNotIn(name, wanted)

    def test_options_can_be_combined(self):
        self.installed(PACKAGES)
        self.setup("--check-tools", "--fuzz", "--browser")
        for name in ("clang-tidy", "libclang-rt-dev", "weasyprint"):
            self.assertIn(f" {name} ", self.log())

    # Debian has many libraries, and mpirun, for one architecture at a time.
    def test_for_arm64_libraries_come_in_place_of_this_machines_and_nothing_is_removed(self):
        self.command("dpkg", "echo arm64")
        self.installed(["g++"])
        self.assertEqual(self.setup("--arm64").returncode, 0)
        self.assertIn("--no-remove", self.log())
        words = self.log().split()
        self.assertIn("libopenmpi-dev:arm64", words)
        self.assertIn("libcli11-dev", words)
        both = [word for word in words if f"{word}:arm64" in words]
        self.assertEqual((both, "openmpi-bin" in words), ([], False))

    def test_without_apt_it_names_the_packages_and_goes_on(self):
        (self.root / "bin" / "apt-get").unlink()
        done = self.setup()
        self.assertEqual(done.returncode, 0)
        self.assertIn("libpugixml-dev", done.stderr)

    def test_refuses_an_unknown_option(self):
        self.assertEqual(self.setup("--frobnicate").returncode, 2)


if __name__ == "__main__":
    unittest.main()
