#!/usr/bin/env python3
"""Where programs look for libraries (their run path): only in folders that root alone can change, or beside themselves in a
package. Catches: NCCL's folder in a user's home in the run path of a program that root starts, an empty element, which means
the current folder, and a relative one.

  run_path_test.py BUILD"""

import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1))
SOURCE = pathlib.Path(__file__).resolve().parents[2]
NOBODY = 65534


def roots_alone(folder):
    for path in [folder, *folder.parents, *folder.resolve().parents, folder.resolve()]:
        status = path.lstat()
        if status.st_uid != 0 or (not path.is_symlink() and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
            return False
    return True


def faults_of(run_path):
    """What is wrong with the run path "A:B" of a program."""
    for element in run_path.split(':'):
        if re.match(r'\$ORIGIN(/\.\.)*/lib/rigproof$', element):
            continue  # of a package
        if not element.startswith('/'):
            yield f'"{element}" is no absolute folder'
        elif pathlib.Path(element).exists() and not roots_alone(pathlib.Path(element)):
            yield f'{element} is not root\'s alone'


def run_path_of(program):
    told = subprocess.run(['readelf', '-d', program], capture_output=True, text=True, check=True, env={'LC_ALL': 'C'}).stdout
    return [path for path in re.findall(r'\((?:RPATH|RUNPATH)\).*\[(.*)\]', told)]


def is_elf(path):
    return path.is_file() and not path.is_symlink() and path.open('rb').read(4) == b'\x7fELF'


class RunPath(unittest.TestCase):
    def programs_in(self, folder):
        return [path for path in sorted(folder.rglob('*')) if is_elf(path)]

    def assert_sound(self, programs):
        for program in programs:
            for run_path in run_path_of(program):
                self.assertEqual(list(faults_of(run_path)), [], f'{program}: {run_path}')

    def test_of_what_is_built(self):
        programs = self.programs_in(BUILD / 'bin') + self.programs_in(BUILD / 'tests')
        self.assertIn(BUILD / 'bin/rigproof', programs)
        self.assert_sound(programs)

    def test_rigproof_itself_names_no_folder_of_nccl(self):
        for run_path in run_path_of(BUILD / 'bin/rigproof'):
            self.assertNotIn('cuda', run_path)
            self.assertNotIn('nccl', run_path)

    def test_of_what_is_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            installed = subprocess.run(['cmake', '--install', BUILD, '--prefix', folder], capture_output=True, text=True,
                                       check=False)
            if installed.returncode != 0:
                self.skipTest('not all programs are built')
            self.assert_sound(self.programs_in(pathlib.Path(folder)))

    def test_names_no_users_folder_of_nccl(self):
        """As in NVIDIA's playbook: NCCL in ~/nccl/build."""
        cache = (BUILD / 'CMakeCache.txt').read_text()
        library = re.search(r'^NCCL_LIBRARY:\w+=(/.*)$', cache, re.MULTILINE)
        header = re.search(r'^NCCL_INCLUDE_DIR:\w+=(/.*)$', cache, re.MULTILINE)
        if os.geteuid() != 0 or not library or not header:
            self.skipTest('only root can make another user\'s folder, and CUDA and NCCL are needed')
        with tempfile.TemporaryDirectory() as folder:
            home = pathlib.Path(folder, 'home/nccl/build')
            for name in ('include', 'lib'):
                (home / name).mkdir(parents=True)
            shutil.copy(pathlib.Path(header[1], 'nccl.h'), home / 'include')
            (home / 'lib/libnccl.so').symlink_to(library[1])
            os.chown(home, NOBODY, NOBODY)
            subprocess.run(['cmake', '--preset', 'dev', '-S', SOURCE, '-B', f'{folder}/build', f'-DNCCL_HOME={home}'],
                           capture_output=True, text=True, check=True, cwd=SOURCE)
            commands = pathlib.Path(folder, 'build/build.ninja').read_text()
            run_paths = re.findall(r'-rpath[,=]([^, \n]*)', commands)
            self.assertEqual([fault for path in run_paths for fault in faults_of(path)], [], run_paths)
            self.assertFalse([path for path in run_paths if str(home) in path], 'a user\'s folder')
            self.assertRegex(commands, rf'RIGPROOF_LIBRARY_FOLDERS=\S*{re.escape(str(home))}/lib', 'suites must find it')


if __name__ == '__main__':
    unittest.main()
