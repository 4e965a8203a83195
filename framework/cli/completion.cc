
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>

#include "framework/cli/manual.h"
#include "framework/cli/run_arguments.h"
#include "framework/supervisor/suite_catalog.h"

namespace rigproof::cli {
namespace {

// State after the words so far: the subcommand, the option that expects a value, the rig and the folders.
struct Line {
  const CLI::App* command;
  const CLI::App* run;  // receives options that a subcommand passes on
  const CLI::Option* wants_value = nullptr;
  std::string rig, installed;
  std::vector<std::filesystem::path> suites;
  std::string before = {}, typed = {};  // the last word in two: "--profile=" and "sm", or empty and all
};

// Options allowed here: the command's own, and options that it passes on.
std::vector<const CLI::Option*> options_of(const Line& line) {
  std::vector<const CLI::Option*> options = line.command->get_options();
  if (!line.command->get_allow_extras()) return options;
  for (const CLI::Option* option : line.run->get_options()) {
    const auto same = [&](const CLI::Option* own) { return own->get_name() == option->get_name(); };
    if (std::ranges::none_of(options, same)) options.push_back(option);
  }
  return options;
}

const CLI::Option* option_named(const Line& line, const std::string& word) {
  for (const CLI::Option* option : options_of(line))
    if (!option->get_positional() && option->check_name(word)) return option;
  return nullptr;
}

// Splits each "--option=value" in two.
std::vector<std::string> split_at_equals(const std::vector<std::string>& words) {
  std::vector<std::string> split;
  for (const std::string& word : words) {
    const auto equals = word.starts_with("--") ? word.find('=') : word.npos;
    split.push_back(word.substr(0, equals));
    if (equals != word.npos) split.push_back(word.substr(equals + 1));
  }
  return split;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::filesystem::path> folders_in(const std::string& list) {
  std::vector<std::filesystem::path> folders;
  for (const std::string& folder : CLI::detail::split(list, ':'))
    if (!folder.empty()) folders.emplace_back(folder);
  return folders;
}

void take_value(const std::string& value, Line& line) {
  if (line.wants_value->check_name("--rig")) line.rig = value;
  if (line.wants_value->check_name("--suite-dir")) line.installed = value;
  if (line.wants_value->check_name("--suites"))
    std::ranges::copy(folders_in(value), std::back_inserter(line.suites));
  line.wants_value = nullptr;
}

Line read_line(const CLI::App& program, const std::vector<std::string>& given) {
  Line line{.command = &program,
            .run = program.get_subcommand("run"),
            .rig = variable("RIGPROOF_RIG"),
            .installed = installed_suites(),
            .suites = {}};
  const std::vector<std::string> words = split_at_equals(given);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (line.wants_value != nullptr) {
      take_value(word, line);
    } else if (word.starts_with('-')) {
      const CLI::Option* option = option_named(line, word);
      if (option != nullptr && option->get_items_expected_max() > 0) line.wants_value = option;
    } else {
      const auto subcommands =
          line.command->get_subcommands([&](const CLI::App* sub) { return sub->check_name(word); });
      if (!subcommands.empty()) line.command = subcommands.front();
    }
  }
  if (line.suites.empty()) line.suites = folders_in(variable("RIGPROOF_SUITES"));
  if (given.empty()) return line;
  line.typed = words.back();
  line.before = given.back().substr(0, given.back().size() - line.typed.size());
  return line;
}

std::vector<supervisor::Suite> suites_of(const Line& line) {
  return supervisor::find_suites({line.installed, line.suites});
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

std::vector<std::string> metric_ids(const Line& line) {
  std::set<std::string> ids;
  for (const auto& [suite, declared] : supervisor::declared_metrics({line.installed, line.suites}))
    for (const record::Declared& metric : declared) ids.insert(metric.id);
  return {ids.begin(), ids.end()};
}

std::vector<std::string> options_here(const Line& line) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options_of(line))
    if (!option->get_group().empty())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Offers options without a typed dash only if nothing else is possible: elsewhere the shell offers files.
std::vector<std::string> names_here(const Line& line) {
  const CLI::App& command = *line.command;
  if (line.typed.starts_with('-')) return options_here(line);
  if (command.get_name() == "explain") return metric_ids(line);
  std::vector<std::string> names;
  for (const CLI::App* sub : shown_subcommands(command)) names.push_back(sub->get_name());
  if (names.empty() && std::ranges::none_of(command.get_options(), &CLI::Option::get_positional))
    return options_here(line);
  return names;
}

}  // namespace

std::vector<std::string> completions(const CLI::App& program, const std::vector<std::string>& words) {
  const Line line = read_line(program, words);
  std::vector<std::string> found;
  try {
    found = line.wants_value != nullptr ? values(line) : names_here(line);
  } catch (const std::exception&) {  // a half-written rig file offers no cases
  }
  std::erase_if(found, [&](const std::string& word) { return !word.starts_with(line.typed); });
  for (std::string& word : found) word.insert(0, line.before);
  return found;
}

}  // namespace rigproof::cli
