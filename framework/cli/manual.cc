#include "framework/cli/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "framework/cli/command.h"
#include "framework/cli/run_arguments.h"
#include "framework/judge/judged_run.h"
#include "framework/limits/limit_table.h"
#include "framework/record/events.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/suite_catalog.h"
#include "reports/text/metrics.h"

namespace rigproof::cli {
namespace {

struct ManualPage {
  std::string name;  // "rigproof-model-run"
  std::string text;  // roff
  int section = 1;
};

struct ManualArguments {
  std::string folder;
  std::vector<std::string> descriptions;  // files
  bool is_described = false;              // by these files, of which there may be none
};

constexpr std::string_view kFilePages[] = {"rigproof-rig", "rigproof-thresholds", "rigproof-journal"};

// Escapes text for roff: no line is a request, no character is special.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n'))
      escaped += std::string("\\&") + c;
    else
      escaped += c;
  }
  return escaped;
}

std::string page_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? "rigproof" : page_name(*app.get_parent()) + "-" + app.get_name();
}

std::string command_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? "rigproof" : command_name(*app.get_parent()) + " " + app.get_name();
}

std::string argument_of(const CLI::Option& option) {
  return option.get_items_expected_max() == 0 ? "" : option.get_type_name();
}

std::string synopsis(const CLI::App& app) {
  std::string text = fmt::format(".B {}\n[OPTIONS]", roff(command_name(app)));
  if (!shown_subcommands(app).empty()) text += " COMMAND";
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) text += fmt::format(" \\fI{}\\fR", roff(option->get_name(true)));
  return text;
}

std::string option_entry(const CLI::Option& option) {
  const std::string names = option.get_positional() ? option.get_name(true) : option.get_name(false, true);
  std::string text = fmt::format(".TP\n\\fB{}\\fR", roff(names));
  if (const std::string argument = argument_of(option); !argument.empty() && !option.get_positional())
    text += fmt::format(" \\fI{}\\fR", roff(argument));
  text += "\n" + roff(option.get_description());
  if (option.get_required()) text += "\n.br\nRequired.";
  if (!option.get_default_str().empty())
    text += fmt::format("\n.br\nDefault: {}", roff(option.get_default_str()));
  if (!option.get_envname().empty())
    text += fmt::format("\n.br\nIf not given, from the environment: {}", roff(option.get_envname()));
  return text + "\n";
}

std::string see_also(const CLI::App& app) {
  std::string text;
  const auto add = [&](std::string_view page, int section) {
    text += fmt::format("{}.BR {} ({})", text.empty() ? "" : ",\n", roff(page), section);
  };
  if (app.get_parent() != nullptr) add(page_name(*app.get_parent()), 1);
  for (const CLI::App* sub : shown_subcommands(app)) add(page_name(*sub), 1);
  for (const std::string_view page : kFilePages) add(page, 5);
  add("rigproof-expectations", 7);
  return text;
}

// The part of --help below the options: the command's own exit codes, or notes and the exit codes of a run.
std::string below_options(const CLI::App& app) {
  const CLI::App* root = &app;
  while (root->get_parent() != nullptr) root = root->get_parent();
  const std::string own = app.get_footer();
  if (own.starts_with("Exit codes")) return fmt::format(".SH EXIT STATUS\n{}\n", roff(own));
  const std::string notes = own.empty() ? own : fmt::format(".SH NOTES\n{}\n", roff(own));
  return notes + fmt::format(".SH EXIT STATUS\n{}\n", roff(root->get_footer()));
}

std::string page_text(const CLI::App& app, const std::string& version, const std::string& date) {
  std::string title = page_name(app);
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string text = fmt::format(".TH \"{}\" 1 \"{}\" \"rigproof {}\" \"Rigproof\"\n", title, date, version);
  std::string summary = app.get_description();
  if (summary.ends_with('.')) summary.pop_back();
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(page_name(app)), roff(summary));
  text += fmt::format(".SH SYNOPSIS\n{}\n", synopsis(app));
  if (const auto subcommands = shown_subcommands(app); !subcommands.empty()) {
    text += ".SH COMMANDS\n";
    for (const CLI::App* sub : subcommands)
      text += fmt::format(".TP\n.BR {} (1)\n{}\n", roff(page_name(*sub)), roff(sub->get_description()));
  }
  std::string options;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) options += option_entry(*option);
  if (!options.empty()) text += ".SH OPTIONS\n" + options;
  return text + below_options(app) + fmt::format(".SH SEE ALSO\n{}\n", see_also(app));
}

void add_pages(const CLI::App& app, const std::string& version, const std::string& date,
               std::vector<ManualPage>& pages) {
  pages.push_back({page_name(app), page_text(app, version, date)});
  for (const CLI::App* sub : shown_subcommands(app)) add_pages(*sub, version, date, pages);
}

// rigproof-expectations(7): what every metric means and what turns it red, as in `rigproof explain`.
ManualPage expectations_page(const text::Metrics& metrics, const std::string& version,
                             const std::string& date) {
  std::string text = fmt::format(
      ".TH \"RIGPROOF\\-EXPECTATIONS\" 7 \"{}\" \"rigproof {}\" \"Rigproof\"\n"
      ".SH NAME\nrigproof\\-expectations \\- what Rigproof checks, and what turns it red\n"
      ".SH DESCRIPTION\nThe ids of limits in a thresholds file, and of figures in a report. A * stands for "
      "any further part of an id.\n"
      ".BR rigproof\\-explain (1)\nshows the same for one id, with its limit, source and remedy.\n",
      date, version);
  std::map<std::string, std::string> sections;  // by the first word of their ids
  std::set<std::string_view> seen;              // several suites report load.damaged
  for (const record::Declared* metric : metrics.all())
    if (seen.insert(metric->id).second)
      sections[suite_of(metric->id)] +=
          fmt::format(".TP\n.B {}\n{}.\n{}\n.br\nRed: {}\n", roff(metric->id), roff(metric->title),
                      roff(metric->meaning), roff(metric->causes));
  for (const auto& [name, entries] : sections) text += fmt::format(".SH {}\n{}", roff(name), entries);
  return {"rigproof-expectations",
          text + ".SH SEE ALSO\n.BR rigproof\\-explain (1),\n.BR rigproof\\-thresholds (5)\n", 7};
}

// The day of SOURCE_DATE_EPOCH, which builds of one commit share; else today.
std::string page_date() {
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t time = epoch == nullptr ? std::time(nullptr) : std::strtoll(epoch, nullptr, 10);
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
  return text;
}

// Metrics of suites that cannot be started here, from files with what `rigproof-suite-NAME --describe` printed.
text::Metrics::BySuite metrics_in(const std::vector<std::string>& files) {
  text::Metrics::BySuite all;
  all[judge::kRunSuite] = supervisor::declared_by_every_run();
  for (const std::string& file : files) {
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    record::SuiteDescription suite = record::decode_description(text);
    all[suite.plan.suite] = std::move(suite.declared);
  }
  return all;
}

int write_pages(const CLI::App& program, const ManualArguments& arguments) {
  const text::Metrics::BySuite declared = arguments.is_described
                                              ? metrics_in(arguments.descriptions)
                                              : supervisor::declared_metrics({installed_suites(), {}});
  const std::filesystem::path folder = arguments.folder;
  const std::string date = page_date();
  std::vector<ManualPage> pages{expectations_page(text::Metrics(declared), RIGPROOF_VERSION, date)};
  add_pages(program, RIGPROOF_VERSION, date, pages);
  for (const ManualPage& page : pages) {
    const std::filesystem::path of_section = folder / fmt::format("man{}", page.section);
    std::filesystem::create_directories(of_section);
    const std::filesystem::path path = of_section / fmt::format("{}.{}", page.name, page.section);
    std::ofstream file(path);
    file << page.text;
    file.close();
    if (!file) throw supervisor::Refused(fmt::format("cannot write {}", path.string()));
  }
  return 0;
}

}  // namespace

std::vector<const CLI::App*> shown_subcommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty(); });
}

void add_manual_commands(CLI::App& program, std::vector<Command>& commands) {
  CLI::App* manual = program.add_subcommand("manual", "Write the man pages into a folder");
  manual->group("");
  const auto arguments = std::make_shared<ManualArguments>();
  manual->add_option("DIR", arguments->folder)->required();
  manual->add_flag("--described", arguments->is_described, "Start no suite: the FILEs describe all");
  manual->add_option("FILE", arguments->descriptions);
  commands.push_back({manual, [&program, arguments] { return write_pages(program, *arguments); }});
}

}  // namespace rigproof::cli
