#!/usr/bin/env python3
"""The packages that framework/cli/two_sparks.md installs on both Sparks bring every library that the programs are linked with.
The containers of first_day share this machine's libraries and can't show it.

packages_test.py BUILD-FOLDER     (exit code 77 without dpkg)
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
NVIDIAS = re.compile(r'lib(nccl|cudart|cuda|cublas|cublasLt)\.so')  # no distribution's; the first day says where they come from


def output(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout


def named_packages():
    text = re.sub(r' \\\n +', ' ', (ROOT / 'framework/cli/two_sparks.md').read_text())
    line = re.search(r'^    both\$ +sudo apt-get install -y (.*)$', text, re.M)
    return line[1].split() if line else []


def with_dependencies(packages):
    """As installed here."""
    status = {}
    for line in output('dpkg-query', '-W', '-f', '${Package}\\t${Pre-Depends},${Depends}\\t${Provides}\\n').splitlines():
        name, depends, provides = line.split('\t')
        status.setdefault(name, set()).update(re.findall(r'(?:^|[,|])\s*([a-z0-9][a-z0-9.+-]+)', depends))
        for virtual in re.findall(r'(?:^|,)\s*([a-z0-9][a-z0-9.+-]+)', provides):
            status.setdefault(virtual, set()).add(name)
    found, waiting = set(), list(packages)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += status.get(name, ())
    return found


def libraries(programs):
    """Of every library that one of them names itself: who names it, and the file that the loader takes."""
    for program in programs:
        needed = re.findall(r'\(NEEDED\).*\[(.*)\]', output('readelf', '-d', program))
        files = dict(re.findall(r'^\s*(\S+) => (/\S+)', output('ldd', program), re.M))
        for name in needed:
            yield program.name, name, files.get(name)


def package_of(file):
    """Where /lib is a link to /usr/lib, dpkg may know a file by either name."""
    real = pathlib.Path(file).resolve()
    for name in (str(real), str(real).removeprefix('/usr'), f'/usr{real}'):
        if found := output('dpkg-query', '-S', name):
            return found.partition(':')[0]
    return None


def main():
    if not shutil.which('dpkg-query') or not shutil.which('readelf'):
        print('not run: no dpkg or readelf here')
        return 77
    programs = sorted(path for path in (pathlib.Path(sys.argv[1]) / 'bin').glob('rigproof*') if path.is_file())
    brought = with_dependencies(named_packages())
    failures, seen = [], set()
    for program, library, file in libraries(programs):
        if not NVIDIAS.match(library) and library not in seen:
            seen.add(library)
            package = package_of(file) if file else None
            if package not in brought:
                failures.append(f'{program} needs {library} of {package}: the first day names no package that brings it to the second Spark')
    print('\n'.join(failures) or f'{len(seen)} libraries of {len(programs)} programs')
    return 1 if failures or not seen or len(programs) < 5 else 0


if __name__ == '__main__':
    sys.exit(main())
