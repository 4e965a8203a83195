"""The model rig's file as `rigproof discover` writes it of its nodes: found_rig.py RIGPROOF FILE. What discover can't know of a
model is put right: that it is one, and how fast its netdevs are, which call themselves 10 Gbit/s."""

import pathlib
import re
import subprocess
import sys

rigproof, path = sys.argv[1], pathlib.Path(sys.argv[2])
nodes = re.findall(r'^\[\[node\]\]\nname = "(.*)"', path.read_text(), re.M)
found = subprocess.run([rigproof, 'discover', *nodes], stdout=subprocess.PIPE, text=True, check=True).stdout
for before, after in (('kind = "hardware"', 'kind = "model"'), ('rate = "10 Gbit/s"', 'rate = "2 Gbit/s"'),
                      ('rate = "5 Gbit/s"', 'rate = "1 Gbit/s"')):
    found = found.replace(before, after)
path.write_text(found)
