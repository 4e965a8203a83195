"""Writes the one C++ and the one TOML block of a Markdown file:   extract_example.py README.md OUT.cc OUT.toml"""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
for language, out in zip(("cpp", "toml"), sys.argv[2:]):
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)
    pathlib.Path(out).write_text(block)
