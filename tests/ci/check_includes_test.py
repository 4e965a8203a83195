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

    def test_knows_the_names_that_precompiled_headers_hide_most(self):
        names = {"cstdint": "std::uint16_t port = 0", "cerrno": "auto code = errno", "stdexcept": "std::invalid_argument bad",
                 "array": "std::array<int, 2> two", "optional": "auto none = std::nullopt", "map": "std::map<int, int> by",
                 "functional": "std::function<void()> call", "chrono": "std::chrono::seconds wait", "set": "std::set<int> all",
                 "vector": "std::vector<int> list", "algorithm": "bool is = std::is_sorted(a, b)"}
        without = {f"suites/tcp/{header}.cc": f"{name};\n" for header, name in names.items()}
        _, output = self.check(without)
        for header in names:
            self.assertRegex(output, rf"suites/tcp/{header}.cc:1: names .* and includes no header of {header}\n")
        self.assertEqual(self.check({path: f"#include <{pathlib.Path(path).stem}>\n{text}" for path, text in without.items()})[0], 0)

    def test_takes_no_comment_and_no_text_for_code(self):
        source = 'int x;  // not std::map\nauto text = "std::vector \\" errno";\nauto raw = R"(a "std::set" b)";\n'
        self.assertEqual(self.check({"suites/tcp/rate.cc": source})[0], 0)

    def test_refuses_a_second_parser_of_json(self):
        source = '#include <nlohmann/json.hpp>\nauto value = {}(text);\n'
        for call in ("nlohmann::json::parse", "Json::parse", "Json::accept", "nlohmann::json::sax_parse", "json::from_cbor"):
            self.refused({"suites/tcp/rate.cc": source.format(call)}, f"suites/tcp/rate.cc:2: {call.removeprefix('nlohmann::')}() is for")
        self.assertEqual(self.check({"framework/record/strict_json.h": "#pragma once\n" + source.format("Json::parse")})[0], 0)

    def test_refuses_the_metric_of_a_suite_in_framework_and_reports(self):
        source = 'namespace rigproof::{0} {{\n// "tcp.rate"\nauto id = "{1}";\n}}  // namespace rigproof::{0}\n'
        for path, name in (("framework/units/a.cc", "units"), ("reports/html/a.cc", "html")):
            for metric in ("tcp.rate.half", "tcp.*", "load.damaged"):
                self.refused({"suites/tcp/b.cc": "", path: source.format(name, metric)}, f'{path}:3: "{metric}" is a suite')
            self.assertEqual(self.check({"suites/tcp/b.cc": "", path: source.format(name, "run.state")})[0], 0)
        self.assertEqual(self.check({"suites/tcp/b.cc": source.format("tcp", "tcp.rate.half")})[0], 0)

    TWO = "\n\nnamespace rigproof::collective {\n\nstruct Load {\n  int x;\n};\n\n}  // namespace rigproof::collective\n"

    def test_refuses_two_types_of_one_name_in_one_namespace(self):
        kinds = ("struct Load {", "class Load final : public Base {", "enum class Load { kA };", "template <class T>\nstruct Load {")
        _, output = self.check({"fixtures/collective/a.h": "#pragma once" + self.TWO}
                               | {f"suites/collective/{n}.cc": self.TWO.replace("struct Load {", k) for n, k in enumerate(kinds)})
        for number in range(len(kinds)):
            self.assertRegex(output, rf"suites/collective/{number}.cc:[56]: rigproof::collective::Load is another type at "
                                     "fixtures/collective/a.h:5: one name")

    def test_sees_through_inline_namespaces(self):
        limits = "namespace rigproof::inline limits {\nstruct Load {};\n}  // namespace rigproof::inline limits\n"
        self.refused({"framework/limits/a.cc": limits, "framework/rig/b.cc": limits.replace("limits", "rig")},
                     "rigproof::Load is another type")

    def test_allows_one_name_in_other_namespaces_and_in_those_without_a_name(self):
        nameless = "namespace rigproof::collective {\nnamespace {\nstruct Load {};\n}  // namespace\n}  // namespace x\n"
        forward = "namespace rigproof::collective {\nstruct Load;\nvoid f() {\n  struct Load {};\n}\n}  // namespace x\n"
        other = self.TWO.replace("collective", "host")
        self.assertEqual(self.check({"fixtures/collective/a.h": "#pragma once" + self.TWO,
                                     "suites/collective/b.cc": nameless, "suites/collective/c.cc": forward,
                                     "suites/host/d.cc": other})[0], 0)

    def test_refuses_an_include_that_is_not_from_the_root(self):
        self.refused({"framework/units/size.cc": '#include "rate.h"\n'}, "is no file from the root")

    def test_refuses_a_header_without_pragma_once(self):
        self.refused({"framework/units/size.h": "int x;\n"}, "no #pragma once")

    def test_refuses_a_body_that_does_not_begin_with_its_header(self):
        self.refused({"framework/units/rate.cc": '#include <string>\n#include "framework/units/rate.h"\n'},
                     "does not begin with its own header")


if __name__ == "__main__":
    unittest.main()
