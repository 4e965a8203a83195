"""ci/reproducible in a small repository of its own, with a stand-in for ci/package. Catches: a package that one of two builds
lacks, one whose files differ, packages of uncommitted changes taken for those of the commit."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CI = pathlib.Path(__file__).parents[2] / "ci"
PACKAGE = """#!/bin/sh -e
cd "$(dirname "$0")/.."
mkdir -p out/packages made/rigproof/DEBIAN
echo "$(cat text)" >made/rigproof/file
printf 'Package: rigproof\\nVersion: 1.2.3\\nArchitecture: all\\nMaintainer: t <t@t.invalid>\\nDescription: t\\n' >made/rigproof/DEBIAN/control
export SOURCE_DATE_EPOCH=1700000000
find made -exec touch --date=@$SOURCE_DATE_EPOCH {} +
for name in $(cat names); do dpkg-deb --root-owner-group -b made/rigproof out/packages/${name}_1.2.3_all.deb >/dev/null; done
"""


class Reproducible(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "ci").mkdir()
        shutil.copy(CI / "reproducible", self.root / "ci")
        (self.root / "ci" / "package").write_text(PACKAGE)
        (self.root / "ci" / "package").chmod(0o755)
        (self.root / ".gitignore").write_text("/out/\n/made/\n")
        self.git("init", "-q")
        self.commits(text="a", names="rigproof rigproof-nccl")
        self.package()

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t.invalid", *words], cwd=self.root, check=True,
                       stdout=subprocess.PIPE)

    def commits(self, **files):
        for name, text in files.items():
            (self.root / name).write_text(text + "\n")
        self.git("add", "--all")
        self.git("commit", "-q", "-m", "t")

    def package(self):
        subprocess.run([self.root / "ci" / "package"], check=True)

    def answer(self):
        done = subprocess.run([self.root / "ci" / "reproducible"], capture_output=True, text=True,
                              env=os.environ | {"HOME": str(self.root)})
        return done.returncode, done.stdout + done.stderr

    def test_two_builds_of_one_commit_are_equal(self):
        (self.root / "out" / "packages" / "rigproof_1.2.2_all.deb").write_text("of another version")
        code, words = self.answer()
        self.assertEqual(code, 0, words)
        self.assertEqual(words.count(": the same, "), 2, words)

    def test_a_package_that_one_build_lacks_is_a_difference(self):
        self.commits(names="rigproof")
        code, words = self.answer()
        self.assertEqual(code, 1, words)
        self.assertIn("rigproof-nccl_1.2.3_all.deb: only one of the two builds made it: out/packages/", words)
        self.commits(names="rigproof rigproof-nccl librigproof-dev")
        code, words = self.answer()
        self.assertEqual(code, 1, words)
        self.assertIn("librigproof-dev_1.2.3_all.deb: only one of the two builds made it: ", words)

    def test_the_file_that_differs_is_named(self):
        self.commits(text="b")
        code, words = self.answer()
        self.assertEqual(code, 1, words)
        self.assertIn("  ./file\n", words)

    def test_a_checkout_with_changes_is_not_compared(self):
        (self.root / "text").write_text("b\n")
        code, words = self.answer()
        self.assertEqual(code, 77, words)
        self.assertIn("has changes", words)


if __name__ == "__main__":
    if not shutil.which("dpkg-deb"):
        sys.exit(77)
    unittest.main()
