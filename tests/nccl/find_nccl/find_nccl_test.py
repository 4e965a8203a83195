#!/usr/bin/env python3
"""FindNCCL.cmake takes NCCL from where owners of Sparks have it, and a folder that is named wins. Catches: NVIDIA's
playbook's ~/nccl/build or NCCL_HOME passed over, a build that goes on with what another configuration found, a named
folder without NCCL that another NCCL stands in for."""

import os
import pathlib
import subprocess
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parent


def put_nccl(folder, libraries='lib'):
    for file in ('include/nccl.h', f'{libraries}/libnccl.so'):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text('')
    return folder


class FindNccl(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)
        self.home = self.scratch / 'home'
        self.cuda = put_nccl(self.scratch / 'cuda', 'lib64')

    def configure(self, *arguments, **environment):
        variables = {name: value for name, value in os.environ.items() if name not in ('NCCL_HOME', 'NCCL_ROOT')}
        variables |= {'HOME': str(self.home)} | environment
        return subprocess.run(['cmake', '-G', 'Ninja', '-S', PROJECT, '-B', self.scratch / 'build', f'-DCUDA_FOLDER={self.cuda}', *arguments],
                              env=variables, capture_output=True, text=True, check=False)

    def assert_found(self, run, folder, libraries='lib'):
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn(f'-- header: {folder}/include\n', run.stdout)
        self.assertIn(f'-- library: {folder}/{libraries}/libnccl.so\n', run.stdout)

    def test_beside_cuda(self):
        self.assert_found(self.configure(), self.cuda, 'lib64')

    def test_where_the_playbook_builds_it(self):
        built = put_nccl(self.home / 'nccl/build')
        self.assert_found(self.configure(), built)

    def test_a_named_folder_wins(self):
        put_nccl(self.home / 'nccl/build')
        named = put_nccl(self.scratch / 'named')
        self.assert_found(self.configure(NCCL_HOME=str(named)), named)

    def test_a_named_folder_wins_over_what_was_found_before(self):
        self.assert_found(self.configure(), self.cuda, 'lib64')
        named = put_nccl(self.scratch / 'named')
        self.assert_found(self.configure(f'-DNCCL_HOME={named}'), named)

    def test_a_source_tree_of_nccl(self):
        built = put_nccl(self.scratch / 'nccl/build')
        self.assert_found(self.configure(NCCL_HOME=str(self.scratch / 'nccl')), built)

    def test_a_named_folder_without_nccl_is_refused(self):
        run = self.configure(NCCL_HOME=str(self.scratch))
        self.assertNotEqual(run.returncode, 0)
        self.assertIn(f'NCCL_HOME={self.scratch} has no', run.stderr)


if __name__ == '__main__':
    unittest.main()
