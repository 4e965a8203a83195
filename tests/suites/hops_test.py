"""The way of one figure in suites/README.md names functions that are where it says. Catches: a file or a function that was
renamed or moved, while the page still sends a reader to it."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).parents[2]


def named(text):
    """(file, function) in the order of the text: "`a/b.cc` `X::f()`, `g()`; `c.cc` `h()`", where c.cc is in a, too."""
    file = None
    for word in re.findall(r"`([^`]+)`", text):
        if re.fullmatch(r"[\w/]+\.(cc|h)", word):
            file = ROOT / word if "/" in word else file.parent / word
        elif file and word.endswith("()"):
            yield file, "::".join(word[:-2].split("::")[-2:])


class Hops(unittest.TestCase):
    def test_every_function_is_where_the_page_says(self):
        page = (ROOT / "suites" / "README.md").read_text().split("## One figure, hop by hop")[1].split("## ")[0]
        rows = re.findall(r"^\| (\d+) \| (.*?) \|", page, re.M)
        self.assertEqual([number for number, _ in rows], [str(number) for number in range(1, 11)])
        limit = page.split("Its limit:")[1]
        for file, function in [pair for text in [*(where for _, where in rows), limit] for pair in named(text)]:
            with self.subTest(file=file.name, function=function):
                self.assertRegex(file.read_text(), rf"\b{function}\(")


if __name__ == "__main__":
    unittest.main()
