#!/usr/bin/env python3
"""`cmake --install` gives what the packages give: programs, the manual, the completion of the shell, and what suites outside
this tree are built with. Catches: a prefix in which find_package(Rigproof) finds nothing.

  install_test.py BUILD"""

import gzip
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1))


def run(*command):
    """Its standard output; an exit code other than 0 fails the test with all that it printed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f'{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.prefix = pathlib.Path(cls.folder.name, 'prefix')
        run('cmake', '--install', BUILD, '--prefix', cls.prefix)

    def test_a_suite_of_ones_own_is_built_and_found(self):
        build = pathlib.Path(self.folder.name, 'build')
        examples = self.prefix / 'share/doc/librigproof-dev/examples'
        run('cmake', '-S', examples, '-B', build, f'-DCMAKE_PREFIX_PATH={self.prefix}')
        run('cmake', '--build', build, '--target', 'rigproof-suite-latency')
        cases = run(self.prefix / 'bin/rigproof', 'list', '--suites', build / 'suites', '--suite', 'latency',
                    '--rig', self.prefix / 'share/rigproof/examples/dgx_spark_pair.toml')
        self.assertIn('EachRail/FullSize.', cases)

    def test_the_manual_has_pages_of_commands_and_files(self):
        for page in ('man1/rigproof.1', 'man1/rigproof-run.1', 'man5/rigproof-thresholds.5'):
            with gzip.open(self.prefix / f'share/man/{page}.gz', 'rt') as text:
                self.assertIn('.SH NAME', text.read(), page)

    def test_the_shell_completes_commands(self):
        completion = self.prefix / 'share/bash-completion/completions/rigproof'
        self.assertIn('complete', completion.read_text())


if __name__ == '__main__':
    unittest.main()
