#include "framework/supervisor/ctest_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <system_error>

#include "framework/record/files.h"
#include "framework/supervisor/exit_code.h"
#include "framework/units/printable.h"

namespace rigproof::supervisor {
namespace {

constexpr const char* kFirstLine = "# Written by `rigproof ctest`: the suites of a rig as tests.";

std::string plain(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '_' && c != '-'; }, '_');
  return text;
}

// A bracket argument: CMake interprets nothing in it, and drops the newline in front.
std::string quoted(const std::string& text) {
  if (text.find_first_of(std::string_view("\r\0", 2)) != std::string::npos)
    throw Refused(fmt::format("ctest cannot use {}: it contains a carriage return", in_quotes(text)));
  std::string fill;
  const auto closes_early = [&] {
    const std::string end = "]" + fill + "]";
    return (text + end).find(end) != text.size();
  };
  while (closes_early()) fill += '=';
  return fmt::format("[{0}[\n{1}]{0}]", fill, text);
}

std::string properties(const CtestTest& test, const std::string& name, const CtestFolder& tests,
                       const std::filesystem::path& folder) {
  const std::string fixture = "rig-ready-" + plain(test.profile);
  const auto is_first = [&](const CtestTest& other) {
    return other.is_of_facts && other.profile == test.profile;
  };
  std::string text = fmt::format("  LABELS \"rig;{};{}\"\n", plain(test.suite), plain(test.profile));
  text += fmt::format("  RESOURCE_LOCK \"rig-{}\"\n", plain(tests.rig));
  text += fmt::format("  TIMEOUT {}\n  SKIP_RETURN_CODE 77\n", test.timeout_s);
  if (is_first(test))
    text += fmt::format("  FIXTURES_SETUP \"{}\"\n", fixture);
  else if (std::ranges::any_of(tests.tests, is_first))
    text += fmt::format("  FIXTURES_REQUIRED \"{}\"\n", fixture);
  return text + fmt::format("  WORKING_DIRECTORY {}\n", quoted(folder / "runs" / name));
}

bool is_ours(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) return false;  // reading a pipe would block
  std::string line;
  std::ifstream stream(file);
  return std::getline(stream, line) && line == kFirstLine;
}

}  // namespace

std::vector<std::string> CtestFolder::names() const {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const CtestTest& test : tests) {
    std::string name = plain(test.profile + "." + test.suite);
    while (!taken.insert(name).second) name += "_";
    names.push_back(name);
  }
  return names;
}

std::string ctest_file(const CtestFolder& tests, const std::filesystem::path& folder) {
  std::string text = fmt::format(
      "{}\n# Run them: ctest --test-dir FOLDER [-L smoke] [-L SUITE] [--rerun-failed]\n", kFirstLine);
  const std::vector<std::string> names = tests.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("add_test(\"{}\"", names[i]);
    for (const std::string& word : tests.tests[i].command) text += " " + quoted(word);
    text += fmt::format(")\nset_tests_properties(\"{}\" PROPERTIES\n{})\n", names[i],
                        properties(tests.tests[i], names[i], tests, folder));
  }
  return text;
}

void write_ctest_folder(const CtestFolder& tests, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "CTestTestfile.cmake";
  if (std::filesystem::exists(file) && !is_ours(file))
    throw Refused(fmt::format("--out {}: its {} is another program's (a build tree?); give another folder",
                              folder.string(), file.filename().string()));
  const std::string text = ctest_file(tests, folder);
  std::error_code error;
  for (const std::string& name : tests.names()) {
    std::filesystem::create_directories(folder / "runs" / name, error);
    if (error)
      throw Refused(fmt::format("--out {}: cannot create the folder: {}", folder.string(), error.message()));
  }
  const mode_t before = ::umask(077);  // --launcher stands in it as it was given
  record::replace_file(file, text);
  ::umask(before);
}

}  // namespace rigproof::supervisor
