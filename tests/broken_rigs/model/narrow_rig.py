"""Takes a part out of a rig file in place, as owners' rigs lack it: narrow_rig.py one_cable|no_management FILE"""

import pathlib
import re
import sys

what, path = sys.argv[1], pathlib.Path(sys.argv[2])
blocks, skipped = [], False
for block in re.split(r'\n(?=\[\[)', path.read_text()):
    table = block.partition('\n')[0]
    if what == 'no_management':
        block = re.sub(r'^management = .*\n', '', block, flags=re.MULTILINE)
    elif table != '[[node.port.half]]':  # a half goes with its port
        skipped = table == '[[node.port]]' and 'name = "port1"' in block
    gone = skipped or (table == '[[link]]' and 'port1' in block) or (table == '[[rail]]' and 'f1np1' in block)
    if what != 'one_cable' or not gone:
        blocks.append(block)
path.write_text('\n'.join(blocks))
