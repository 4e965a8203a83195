"""ci/release in a small repository of its own, with stand-ins for what builds: changelog, hashes and tag of two releases, and
what it refuses. Catches: a tag on a failed build, a change listed twice or not at all, a release of uncommitted files."""

import hashlib
import pathlib
import shutil
import subprocess
import tempfile
import unittest

RELEASE = pathlib.Path(__file__).parents[2] / "ci" / "release"
PACKAGE = """#!/bin/sh
[ "$1" = --arch ] && exit 77
mkdir -p out/packages
version=$(sed -n 's/^project(rigproof VERSION \\([^ ]*\\) .*/\\1/p' CMakeLists.txt)
echo "$version" >out/packages/rigproof_${version}_amd64.deb
"""


class Release(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "ci").mkdir()
        shutil.copy(RELEASE, self.root / "ci")
        self.stand_in("package", PACKAGE)
        self.stand_in("reproducible", "#!/bin/sh\n")
        (self.root / ".gitignore").write_text("/out/\n")
        self.git("init", "-q")
        self.says("1.2.3")
        self.commit("A first change")

    def stand_in(self, name, text):
        path = self.root / "ci" / name
        path.write_text(text)
        path.chmod(0o755)

    def git(self, *words):
        return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t.invalid", *words], cwd=self.root, text=True,
                              check=True, stdout=subprocess.PIPE).stdout

    def says(self, version):
        (self.root / "CMakeLists.txt").write_text(f"project(rigproof VERSION {version} LANGUAGES CXX)\n")

    def commit(self, subject):
        self.git("add", "--all")
        self.git("commit", "-q", "--allow-empty", "-m", subject)

    def release(self, *words):
        names = {f"GIT_{who}_{what}": "t@t.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        done = subprocess.run([self.root / "ci" / "release", *words], capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "HOME": str(self.root)} | names)
        return done.returncode, done.stdout + done.stderr

    def test_tags_hashes_and_lists_each_change_once(self):
        self.assertEqual(self.release("1.2.3")[0], 0)
        self.says("1.3.0")
        self.commit("A second change")
        code, words = self.release("1.3.0")
        self.assertEqual(code, 0, words)
        self.assertIn("without packages for arm64", words)
        self.assertEqual(self.git("tag").split(), ["v1.2.3", "v1.3.0"])
        self.assertEqual(self.git("status", "--porcelain"), "")
        changes = [line for line in (self.root / "CHANGELOG.md").read_text().splitlines() if line]
        self.assertEqual([line.split(" (")[0] for line in changes],
                         ["# Changes", "## 1.3.0", "- A second change", "## 1.2.3", "- A first change"])
        out = self.root / "out" / "release-1.3.0"
        package = out / "rigproof_1.3.0_amd64.deb"
        self.assertEqual((out / "SHA256SUMS").read_text(),
                         f"{hashlib.sha256(package.read_bytes()).hexdigest()}  ./{package.name}\n")

    # Catches: packages for arm64 that no test of theirs has seen.
    def test_packages_for_arm64_are_those_whose_unit_tests_pass(self):
        made = 'mkdir -p out/packages && touch out/packages/rigproof_1.2.3_arm64.deb && exit'
        self.stand_in("package", PACKAGE.replace('"$1" = --arch ] && exit 77', f'"$*" = "--arch arm64 --tests" ] && {made}'))
        self.commit("With arm64")
        code, words = self.release("1.2.3")
        self.assertEqual(code, 0, words)
        self.assertTrue((self.root / "out" / "release-1.2.3" / "rigproof_1.2.3_arm64.deb").exists(), words)
        self.assertNotIn("without packages for arm64", words)

    def test_a_build_that_fails_or_differs_is_no_release(self):
        before = self.git("rev-parse", "HEAD")
        for name in ("package", "reproducible"):
            with self.subTest(name):
                text = (self.root / "ci" / name).read_text()
                self.stand_in(name, "#!/bin/sh\nexit 1\n")
                self.git("update-index", "--assume-unchanged", f"ci/{name}")
                code, words = self.release("1.2.3")
                self.assertEqual(code, 1, words)
                self.assertIn("nothing is tagged", words)
                self.assertEqual((self.git("tag"), self.git("rev-parse", "HEAD")), ("", before))
                self.assertFalse((self.root / "CHANGELOG.md").exists())
                self.stand_in(name, text)

    def test_an_interrupted_one_is_no_release(self):
        before = self.git("rev-parse", "HEAD")
        self.stand_in("package", "#!/bin/sh\nkill -TERM $PPID\n")
        self.git("update-index", "--assume-unchanged", "ci/package")
        code, words = self.release("1.2.3")
        self.assertNotEqual(code, 0, words)
        self.assertEqual((self.git("tag"), self.git("rev-parse", "HEAD")), ("", before))

    def test_refuses(self):
        self.assertIn("says another version than 2.0.0", self.release("2.0.0")[1])
        self.assertIn("Makes a release of this commit", self.release("1.2")[1])
        self.assertIn("Makes a release of this commit", self.release("1.2.3", "--pull")[1])
        (self.root / "more").write_text("x")
        self.assertIn("has changes", self.release("1.2.3")[1])
        (self.root / "more").unlink()
        self.git("tag", "v1.2.3")
        self.assertIn("is tagged already", self.release("1.2.3")[1])
        self.assertEqual(self.release("1.2.3")[0], 2)


if __name__ == "__main__":
    unittest.main()
