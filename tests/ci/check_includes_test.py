"""ci/check_includes finds each breach of the house rules, and nothing in a tree that keeps them."""

import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "ci" / "check_includes"
UNITS = {"framework/units/rate.h": "#pragma once\n"}


class CheckIncludes(unittest.TestCase):
    def check(self, files):
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = pathlib.Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([SCRIPT, root], capture_output=True, text=True)
            return done.returncode, done.stdout

    def refused(self, files, message):
        code, output = self.check(UNITS | files)
        self.assertEqual(code, 1)
        self.assertIn(message, output)

    def test_passes_an_include_from_below(self):
        code, _ = self.check(UNITS | {"framework/limits/limit.h": '#pragma once\n#include "framework/units/rate.h"\n'})
        self.assertEqual(code, 0)

    def test_refuses_an_include_from_above_with_its_line(self):
        self.refused({"reports/junit/junit.h": "#pragma once\n",
                      "framework/record/journal.h": '#pragma once\n\n#include "reports/junit/junit.h"\n'},
                     'framework/record/journal.h:3: "reports/junit/junit.h" is not below framework/record')

    def test_refuses_a_report_that_includes_its_sibling(self):
        self.refused({"reports/junit/junit.h": "#pragma once\n",
                      "reports/html/html.h": '#pragma once\n#include "reports/junit/junit.h"\n'},
                     "is not below reports")

    def test_refuses_mpi_outside_the_ranks_and_what_measures_it(self):
        self.refused({"suites/tcp/rate.cc": "#include <mpi.h>\n"},
                     "<mpi.h> is for framework/ranks and fixtures/collective only")
        self.assertEqual(self.check({"fixtures/collective/engine.cc": "#include <mpi.h>\n"})[0], 0)

    def test_refuses_verbs_in_a_suite_and_allows_them_in_a_fixture(self):
        self.refused({"suites/rdma/write.cc": "#include <infiniband/verbs.h>\n"}, "is for fixtures only")
        self.assertEqual(self.check({"fixtures/verbs/pair.cc": "#include <infiniband/verbs.h>\n"})[0], 0)

    def test_refuses_a_namespace_of_another_folder(self):
        self.refused({"fixtures/verbs/pair.cc": "namespace rigproof {\nint pair;\n}\n"},
                     "fixtures/verbs/pair.cc:1: rigproof is not the namespace of fixtures/verbs, rigproof::verbs")
        self.refused({"suites/tcp/rate.cc": "namespace rigproof::rdma {\nint rate;\n}\n"}, "rigproof::tcp")
        self.assertEqual(self.check({"framework/rig/rig.cc": "namespace rigproof::inline rig {\nint rig;\n}\n",
                                     "suites/switch/ports.cc": "namespace rigproof::switches {\nint ports;\n}\n"})[0], 0)

    def test_refuses_emulated_rigs_in_what_measures_hardware(self):
        header = {"fixtures/emulated_rigs/machine/stolen_cpu.h": "#pragma once\n"}
        include = '#include "fixtures/emulated_rigs/machine/stolen_cpu.h"\n'
        for place in ("fixtures/net/netdev.cc", "suites/tcp/rate.cc", "framework/runner/rig_test.cc"):
            self.refused(header | {place: include},
                         '"fixtures/emulated_rigs/machine/stolen_cpu.h" is for fixtures/emulated_rigs and framework/cli')
        self.assertEqual(self.check(header | {"suites/main.cc": include})[0], 0)

    def test_allows_tests_to_include_anything(self):
        code, _ = self.check(UNITS | {"tests/units/rate_test.cc": '#include <mpi.h>\n#include "framework/units/rate.h"\n'})
        self.assertEqual(code, 0)

    def test_refuses_what_only_a_precompiled_header_includes(self):
        header = {"framework/units/text.h": "#pragma once\n#include <fmt/format.h>\n"}
        source = "auto text = fmt::format({});\nauto found = std::ranges::find(text, 'a');\n"
        self.refused({"suites/tcp/rate.cc": source}, "suites/tcp/rate.cc:1: names fmt:: and includes no header of fmt")
        self.refused(header | {"suites/tcp/rate.cc": '#include "framework/units/text.h"\n' + source},
                     "suites/tcp/rate.cc:3: names std::ranges::find and includes no header of algorithm")
        includes = '#include <algorithm>\n#include "framework/units/text.h"\n'
        self.assertEqual(self.check(UNITS | header | {"suites/tcp/rate.cc": includes + source})[0], 0)

    def test_refuses_an_include_that_is_not_from_the_root(self):
        self.refused({"framework/units/size.cc": '#include "rate.h"\n'}, "is no file from the root")

    def test_refuses_a_header_without_pragma_once(self):
        self.refused({"framework/units/size.h": "int x;\n"}, "no #pragma once")

    def test_refuses_a_body_that_does_not_begin_with_its_header(self):
        self.refused({"framework/units/rate.cc": '#include <string>\n#include "framework/units/rate.h"\n'},
                     "does not begin with its own header")


if __name__ == "__main__":
    unittest.main()
