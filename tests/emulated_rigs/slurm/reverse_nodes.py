#!/usr/bin/env python3
"""A rig file with its nodes in the opposite order.   reverse_nodes.py RIG"""

import pathlib
import re
import sys

head, *rest = re.split(r'^(?=\[\[)', pathlib.Path(sys.argv[1]).read_text(), flags=re.MULTILINE)
nodes, others = [], []
for block in rest:
    if block.startswith('[[node]]'):
        nodes.append(block)
    elif block.startswith('[[node.'):
        nodes[-1] += block
    else:
        others.append(block)
print(head + ''.join(reversed(nodes)) + ''.join(others), end='')
