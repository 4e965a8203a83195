#include <algorithm>
#include <cstdlib>
#include <optional>

#include "framework/cli/manual.h"
#include "framework/cli/run_arguments.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof::cli {
namespace {

// Where the words so far have led: the subcommand, the option that wants a value, the rig and folders that were named.
struct Line {
  const CLI::App* command;
  const CLI::Option* wants_value = nullptr;
  std::string rig;
  std::vector<std::filesystem::path> suites;
};

const CLI::Option* option_named(const CLI::App& command, const std::string& word) {
  for (const CLI::Option* option : command.get_options())
    if (!option->get_positional() && option->check_name(word)) return option;
  return nullptr;
}

Line read_line(const CLI::App& program, const std::vector<std::string>& words) {
  const char* rig = std::getenv("RIGPROOF_RIG");
  Line line{.command = &program, .rig = rig == nullptr ? "" : rig, .suites = {}};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (line.wants_value != nullptr) {
      if (line.wants_value->check_name("--rig")) line.rig = word;
      if (line.wants_value->check_name("--suites")) line.suites.emplace_back(word);
      line.wants_value = nullptr;
    } else if (word.starts_with('-')) {
      const CLI::Option* option = option_named(*line.command, word);
      if (option != nullptr && option->get_items_expected_max() > 0) line.wants_value = option;
    } else {
      const auto subcommands =
          line.command->get_subcommands([&](const CLI::App* sub) { return sub->check_name(word); });
      if (!subcommands.empty()) line.command = subcommands.front();
    }
  }
  return line;
}

std::vector<supervisor::Suite> suites_of(const Line& line) {
  return supervisor::find_suites({installed_suites(), line.suites});
}

std::vector<std::string> suite_names(const Line& line) {
  std::vector<std::string> names;
  for (const supervisor::Suite& suite : suites_of(line)) names.push_back(suite.name);
  return names;
}

std::vector<std::string> case_names(const Line& line) {
  std::vector<std::string> names;
  if (line.rig.empty()) return names;
  for (const supervisor::Suite& suite : suites_of(line))
    for (const record::PlannedCase& test : describe(suite, {line.rig, {}, {}}).plan.cases)
      names.push_back(test.name);
  return names;
}

// The words of a type name such as "TEXT:{smoke,standard,acceptance}".
std::vector<std::string> choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto from = type.find('{'), to = type.find('}');
  if (from == type.npos || to == type.npos) return {};
  return CLI::detail::split(type.substr(from + 1, to - from - 1), ',');
}

std::vector<std::string> values(const Line& line) {
  if (line.wants_value->check_name("--suite")) return suite_names(line);
  if (line.wants_value->check_name("--gtest_filter")) return case_names(line);
  return choices(*line.wants_value);
}

std::vector<std::string> names_here(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* sub : shown_subcommands(command)) names.push_back(sub->get_name());
  for (const CLI::Option* option : command.get_options())
    if (!option->get_group().empty())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

}  // namespace

std::vector<std::string> completions(const CLI::App& program, const std::vector<std::string>& words) {
  const std::string typed = words.empty() ? "" : words.back();
  const Line line = read_line(program, words);
  std::vector<std::string> found;
  try {
    found = line.wants_value != nullptr ? values(line) : names_here(*line.command);
  } catch (const std::exception&) {  // a rig file that is half written has no cases to offer
  }
  std::erase_if(found, [&](const std::string& word) { return !word.starts_with(typed); });
  return found;
}

}  // namespace rigproof::cli
