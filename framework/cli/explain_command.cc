#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "framework/cli/command.h"
#include "framework/cli/run_arguments.h"
#include "framework/limits/limit.h"
#include "framework/limits/limit_table.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/suite_catalog.h"
#include "framework/units/printable.h"
#include "reports/text/metrics.h"

namespace rigproof::cli {
namespace {

struct ExplainArguments {
  std::string id, profile = RunArguments().profile;
  std::vector<std::string> thresholds, added_suites;

  [[nodiscard]] supervisor::SuiteFolders suite_folders() const {
    return {installed_suites(), {added_suites.begin(), added_suites.end()}};
  }
};

std::vector<std::filesystem::path> every_shipped_file() {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(shipped_thresholds(""), none))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// "<= 5 %, marginal up to 4 % (max of the samples); advice: fails no case"
std::string condition_text(const Limit& limit) {
  std::string text = bounds_text(limit);
  if (limit.marginal) text += ", marginal up to " + limit.marginal->text;
  if (limit.at_least || limit.at_most || limit.equals)
    text += fmt::format(" ({} of the samples)", name(limit.statistic));
  if (limit.is_required()) return text;
  return text + (limit.is_advice() ? "; advice: fails no case" : "; informative: never fails a case");
}

void print_limit(const Limit& limit) {
  fmt::print("\n{}\n  limit   {}\n", to_text(limit.where), condition_text(limit));
  if (!limit.basis.kind.empty()) fmt::print("  source  {}: {}\n", limit.basis.kind, limit.basis.source);
  if (!limit.basis.quote.empty()) fmt::print("  quote   \"{}\"\n", limit.basis.quote);
  if (!limit.basis.reasoning.empty()) fmt::print("  why     {}\n", limit.basis.reasoning);
  for (const auto& [what, step] : steps_of(generic_remedy(limit))) fmt::print("  {:<8}{}\n", what, step);
}

// True for a case ("tcp.EachRail/RailRate.FillsTheHalf/..."), also without its suite: ids have no capitals.
bool is_like_a_case(const std::string& id) {
  return id.find('/') != id.npos || std::ranges::any_of(id, [](unsigned char c) { return std::isupper(c); });
}

void refuse_case(const std::string& name) {
  const std::string suite = suite_of(name);
  fmt::print(stderr,
             "rigproof: {} is a case, not an id: explain the id of one of its measurements (every report "
             "shows it beside the figure). To list the ids of the suite: rigproof explain {}\n",
             in_quotes(name), is_like_a_case(suite) ? "SUITE" : suite);
}

// Reports also show figures that no suite declares.
constexpr const char* kUnlisted =
    " (a figure that a report shows without a limit is only recorded beside those of its case)";

int refuse_unknown(const std::string& id, const text::Metrics& metrics) {
  std::vector<std::string> all, of_suite;
  for (const record::Declared* metric : metrics.all()) {
    all.push_back(metric->id);
    if (id != suite_of(id) && suite_of(metric->id) == suite_of(id)) of_suite.push_back(metric->id);
  }
  const std::string near = suggestion(id, of_suite.empty() ? all : of_suite);
  const bool is_near = near.starts_with(';');  // else it lists all ids
  if (!is_near && is_like_a_case(id))
    refuse_case(id);
  else
    fmt::print(stderr, "rigproof: unknown id {}{}{}; to list all ids: rigproof explain all\n", in_quotes(id),
               is_near ? near : "", is_near || of_suite.empty() ? "" : kUnlisted);
  return supervisor::kExitError;
}

// True if the id, the title or the meaning contains the text, in any case.
bool is_about(const record::Declared& metric, const std::string& text) {
  const std::string wanted = lower_case(text);
  return std::ranges::any_of(
      std::array{&metric.id, &metric.title, &metric.meaning},
      [&](const std::string* place) { return lower_case(*place).find(wanted) != std::string::npos; });
}

// Lists every metric about the text, for a user who does not know the id.
int list_alike(const std::string& text, const text::Metrics& metrics) {
  std::map<std::string_view, std::string_view> titles;  // by id
  for (const record::Declared* metric : metrics.all())
    if (is_about(*metric, text)) titles.emplace(metric->id, metric->title);
  if (titles.empty()) return refuse_unknown(text, metrics);
  std::size_t width = 0;
  for (const auto& [id, title] : titles) width = std::max(width, id.size());
  for (const auto& [id, title] : titles) fmt::print("{:<{}}  {}\n", id, width, title);
  return 0;
}

// Limits with this id: of a run with the given files, or of each shipped file on its own.
std::vector<Limit> limits_in(const ExplainArguments& arguments, Profile profile) {
  const std::vector<std::string> given = thresholds_files(arguments.thresholds);
  std::vector<std::vector<std::filesystem::path>> runs;
  if (given.empty())
    for (const std::filesystem::path& file : every_shipped_file()) runs.push_back({file});
  else
    runs.emplace_back(given.begin(), given.end());
  std::vector<Limit> limits;
  for (const auto& files : runs) {
    const LimitTable table = LimitTable::load(files, profile, rig_fact_dimensions());
    if (const Limit* limit = table.find(arguments.id)) limits.push_back(*limit);
  }
  return limits;
}

int explain(const ExplainArguments& arguments) {
  const Profile profile = parse_profile(arguments.profile);
  const text::Metrics::BySuite declared =
      supervisor::declared_metrics(arguments.suite_folders(), arguments.id);
  const text::Metrics metrics(declared);
  if (arguments.id == "all") return list_alike("", metrics);
  std::vector<Limit> limits = limits_in(arguments, profile);
  std::string other;  // a profile that has the limit if this one has not
  for (const Profile one : {Profile::kSmoke, Profile::kStandard, Profile::kAcceptance})
    if (limits.empty() && one != profile) {
      limits = limits_in(arguments, one);
      other = limits.empty() ? "" : name(one);
    }
  const record::Declared* known = metrics.find(arguments.id);
  if (known == nullptr && limits.empty()) return list_alike(arguments.id, metrics);
  fmt::print("{}\n", arguments.id);
  if (known != nullptr)
    fmt::print("  {}\n  means   {}\n  red     {}\n", known->title, known->meaning, known->causes);
  if (!other.empty())
    fmt::print("\nno limit of this id in the profile {}; in {}:\n", arguments.profile, other);
  if (limits.empty()) fmt::print("\nno limit of this id in any profile; all ids: rigproof explain all\n");
  for (const Limit& limit : limits) print_limit(limit);
  return 0;
}

}  // namespace

Command add_explain_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "explain",
      "Explain an id: its meaning, its limit and the reason for it, what turns it red, what to type");
  const auto arguments = std::make_shared<ExplainArguments>();
  app->add_option("ID", arguments->id,
                  "An id (tcp.rate.half), a word of an id or a title (bandwidth), or all for a list")
      ->required()
      ->check(not_empty);
  add_thresholds_option(
      *app, arguments->thresholds,
      "Thresholds files, as for a run (Env:RIGPROOF_THRESHOLDS). Default: the installed files");
  add_suites_option(*app, arguments->added_suites);
  app->add_option("--profile", arguments->profile, "Profile of the limits: smoke, standard or acceptance")
      ->capture_default_str();
  app->footer("Exit codes: 0 explained; 2 error: unknown id.");
  return {app, [arguments] { return explain(*arguments); }};
}

}  // namespace rigproof::cli
