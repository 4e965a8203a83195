#include "reports/markdown/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "reports/figures/figures.h"
#include "reports/text/acceptance.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"
#include "reports/text/verdict_line.h"

namespace rigproof::markdown {
namespace {

// Bytes of a page, and of each of its long parts, so that none takes the room of those behind it. GitHub drops a job's pages
// above 1 MiB together.
constexpr std::size_t kLargest = 190'000, kLongPart = 60'000;
constexpr std::size_t kLongestText = 1'000;

std::string short_markdown(const std::string& text) {
  return text::markdown(text::shortened(text, kLongestText));
}

// Writes blocks while they fit, and counts the others.
class Page {
 public:
  explicit Page(std::ostream& out) : out_(out) {}
  // Begins a part of at most this size.
  void part(std::size_t bytes) { end_ = std::min(size_ + bytes, kLargest); }
  void add(const std::string& block) {
    if (size_ + block.size() > end_) {
      ++left_out_;
      return;
    }
    size_ += block.size();
    out_ << block;
  }
  void close() {
    if (left_out_ > 0)
      out_ << fmt::format("\n**{} more entries left out (page limit): see journal.jsonl and junit.xml.**\n",
                          left_out_);
  }

 private:
  std::ostream& out_;
  std::size_t size_ = 0, left_out_ = 0, end_ = kLargest;
};

std::string heading(const judge::JudgedRun& run) {
  const record::RunStarted& start = run.start;
  std::string text =
      fmt::format("# {}\n\n{}\n\n", text::verdict_words(run), text::markdown(text::verdict_line(run)));
  const auto line = [&](const char* what, const std::string& value) {
    if (!value.empty()) text += fmt::format("- {}: {}\n", what, short_markdown(value));
  };
  line("Run", start.id);
  if (const std::string again = text::judged_again_text(run); again.empty())
    line("Started", run.started);
  else
    text += fmt::format("- **{}**\n", short_markdown(again));
  line("Rig", fmt::format("{} ({}), {}", start.rig, start.rig_kind, start.rig_file.file));
  line("Thresholds", start.limits_files());
  for (const Weakened& limit : run.weakened) line("Weakened limit", to_text(limit));
  line("Profile", start.asked.profile);
  for (const auto& [key, value] : start.labels) line("Label", key + ": " + value);
  line("A part of a run", text::part_text(run));
  line("Stand-in under test", start.stand_in);
  line("Caution", text::emulated_text(run));
  line("Run by", start.user.empty() ? start.host : fmt::format("{} on {}", start.user, start.host));
  line("Command", start.command_line);
  line("Rigproof", start.version());
  line("Time", text::time_text(run));
  return text;
}

std::string counts(const judge::JudgedRun& run) {
  std::string text =
      "\n| Suite | Cases | Passed | Informative | Waived | Not proven | Failed | Errors | Seconds |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
  const auto row = [&](const std::string& name, const text::Totals& totals, double seconds) {
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {:.1f} |\n", name, totals.cases, totals.passed,
                    totals.recorded, totals.waived, totals.not_proven, totals.failed, totals.errors, seconds);
  };
  for (const judge::JudgedSuite& suite : run.suites)
    row(short_markdown(suite.name), text::totals_of(suite), suite.seconds);
  row("**all**", text::totals_of(run), text::time_spent(run).total_s);
  return text;
}

std::string miss_lines(const judge::JudgedMeasurement& missed) {
  std::string text = fmt::format("  - {}: {}\n", text::markdown(text::label(missed)),
                                 short_markdown(text::result_text(missed)));
  if (const std::string reason = text::reason_text(missed); !reason.empty())
    text += fmt::format("    - reason: {}\n", short_markdown(reason));
  if (const std::string basis = text::basis_text(missed); !basis.empty())
    text += fmt::format("    - basis: {}\n", short_markdown(basis));
  for (const auto& [what, step] : steps_of(missed.remedy))
    text += fmt::format("    - {}: {}\n", what, short_markdown(step));
  return text;
}

std::string case_block(const judge::JudgedCase& test) {
  std::string text = fmt::format("- **{}**", text::markdown(test.full_name()));
  if (!test.plan.subject.empty()) text += fmt::format(" ({})", short_markdown(test.plan.subject));
  text += '\n';
  const judge::Attempt* attempt = test.deciding();
  if (attempt == nullptr) return text + fmt::format("  - {}\n", test.open_reason());
  for (const judge::JudgedMeasurement* missed : text::misses(*attempt)) text += miss_lines(*missed);
  for (const record::Failure& failure : attempt->failures)
    text += fmt::format("  - {}\n", short_markdown(text::failure_text(failure)));
  if (attempt->status == judge::Status::kWaived) text += fmt::format("  - {}\n", short_markdown(test.waiver));
  return text;
}

void add_cases(Page& page, const judge::JudgedRun& run, judge::Status status, const std::string& title) {
  bool first = true;
  judge::JudgedCase buffer;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases)
      if (test.status() == status && !text::is_counted_only(run, test)) {
        if (std::exchange(first, false)) page.add(fmt::format("\n## {}\n\n", title));
        page.add(case_block(whole(run, test, buffer)));
      }
}

void add_void_attempts(Page& page, const judge::JudgedRun& run) {
  bool first = true;
  text::each_void_attempt(run, [&](const judge::JudgedCase& test, const judge::Attempt& attempt) {
    if (std::exchange(first, false))
      page.add("\n## Void attempts, measured again because the machine was disturbed\n\n");
    page.add(fmt::format("- **{}** (launch {}, iteration {}): {}\n", text::markdown(test.full_name()),
                         attempt.launch, attempt.iteration,
                         short_markdown(text::failure_text(attempt.failures.front()))));
  });
}

void add_run_faults(Page& page, const judge::JudgedRun& run) {
  const std::vector<record::Problem> faults = text::run_faults(run);
  const std::string open = text::not_begun_text(run);
  if (!faults.empty() || !open.empty()) page.add("\n## The run itself\n\n");
  for (const record::Problem& fault : faults)
    page.add(fmt::format("- **{}**: {}\n", short_markdown(fault.type), short_markdown(fault.message)));
  if (!open.empty()) page.add(fmt::format("- {}\n", open));
}

void add_known_faults(Page& page, const judge::JudgedRun& run) {
  if (!run.faults.empty()) page.add("\n## Known faults\n\n");
  for (const judge::KnownFault& fault : run.faults) {
    page.add(fmt::format("- {}\n", short_markdown(text::fault_text(fault))));
    if (const std::string more = text::followers_text(fault); !more.empty())
      page.add(fmt::format("  - {}\n", more));
  }
}

void add_node_verdicts(Page& page, const judge::JudgedRun& run) {
  const std::vector<std::string> lines = text::node_lines(run);
  if (!lines.empty()) page.add("\n## Nodes\n\n");
  if (const std::string sample = text::sample_text(run); !sample.empty())
    page.add(fmt::format("{}\n\n", short_markdown(sample)));
  for (const std::string& line : lines) page.add(fmt::format("- {}\n", short_markdown(line)));
}

void add_suspects(Page& page, const judge::JudgedRun& run) {
  const std::vector<std::string> lines = text::suspect_lines(run.blame);
  if (!lines.empty()) page.add("\n## Suspects\n\nFrom the rates between nodes.\n\n");
  for (const std::string& line : lines) page.add(fmt::format("- {}\n", short_markdown(line)));
}

// A table shows figures up to kMostPairNodes nodes; a map of characters is readable up to kMostMapNodes.
constexpr std::size_t kMostPairNodes = 12, kMostMapNodes = 128;

const figures::Cell* find_cell(const figures::PairTable& table, std::size_t from, std::size_t to) {
  const auto found = table.cells.find({from, to});
  return from == to || found == table.cells.end() ? nullptr : &found->second;
}

std::string pair_cell(const figures::PairTable& table, const figures::Cell* cell) {
  if (cell == nullptr || !cell->value) return "";
  const std::string text = figures::number_text(*cell->value, table.unit, table.dimension, table.bounds);
  return cell->mark >= figures::Mark::kWaived
             ? fmt::format("**{} {}**", figures::look_of(cell->mark).glyph, text)
             : text;
}

std::string pair_table(const figures::PairTable& table, const Rig& rig) {
  std::string text = fmt::format("\n\n| from \\\\ to, {} |", short_markdown(table.unit));
  for (const Node& to : rig.nodes) text += fmt::format(" {} |", text::markdown(to.name));
  text += "\n|---|";
  for (std::size_t i = 0; i < rig.nodes.size(); ++i) text += "---:|";
  for (std::size_t from = 0; from < rig.nodes.size(); ++from) {
    text += fmt::format("\n| {} |", text::markdown(rig.nodes[from].name));
    for (std::size_t to = 0; to < rig.nodes.size(); ++to)
      text += fmt::format(" {} |", pair_cell(table, find_cell(table, from, to)));
  }
  return text + "\n";
}

// Tenths of the limit that a missed value reaches: 6 means 60 % to 69 % of the rate, or a time of 1 / 0.6.
char tenths_of_limit(const figures::PairTable& table, double value) {
  const std::optional<double>& bound = table.lower_is_better() ? table.bounds.at_most : table.bounds.at_least;
  if (!bound) return 'X';
  const double part = table.lower_is_better() ? *bound / value : value / *bound;
  return part >= 0 && part < 1 ? static_cast<char>('0' + static_cast<int>(part * 10)) : 'X';
}

char map_cell(const figures::PairTable& table, const figures::Cell* cell) {
  if (cell == nullptr) return ' ';
  switch (cell->mark) {
    case figures::Mark::kNothing:
      return ' ';
    case figures::Mark::kRecorded:
    case figures::Mark::kGood:
      return '.';
    case figures::Mark::kClose:
      return '~';
    case figures::Mark::kWaived:
      return 'w';
    case figures::Mark::kNotProven:
      return '?';
    case figures::Mark::kError:
      return '!';
    case figures::Mark::kMissed:
      break;
  }
  return cell->value ? tenths_of_limit(table, *cell->value) : 'X';
}

// One digit of the column numbers (from 1); leading zeros are blank.
std::string digit_line(std::size_t columns, std::size_t place) {
  std::string line;
  for (std::size_t number = 1; number <= columns; ++number)
    line += number < place ? ' ' : static_cast<char>('0' + number / place % 10);
  return line;
}

// One character per pair; columns are numbered as the rows.
std::string pair_map(const figures::PairTable& table, const Rig& rig) {
  const std::vector<std::size_t> nodes = shown_nodes(table, rig, kMostMapNodes);
  std::size_t width = 4;
  for (const std::size_t node : nodes) width = std::max(width, rig.nodes[node].name.size());
  std::string text;
  if (nodes.size() < rig.nodes.size())
    text += fmt::format("; {} of {} nodes, those with the worst figures", nodes.size(), rig.nodes.size());
  text += "\n\n```text\n";
  for (const std::size_t place : {std::size_t{100}, std::size_t{10}, std::size_t{1}})
    if (nodes.size() >= place)
      text += fmt::format("{:{}}  {}\n", place == 1 ? "from \\ to" : "", width + 4,
                          digit_line(nodes.size(), place));
  for (std::size_t row = 0; row < nodes.size(); ++row) {
    text += fmt::format("{:>3} {:<{}}  ", row + 1, rig.nodes[nodes[row]].name, width);
    for (std::size_t column = 0; column < nodes.size(); ++column)
      text += row == column ? '-' : map_cell(table, find_cell(table, nodes[row], nodes[column]));
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text +
         "\n. within the limit   ~ close to it   0 to 9: missed, tenths of the limit (6: 60 % to 69 %)   X "
         "missed\n"
         "w waived   ? not proven   ! error   blank: not measured\n```\n";
}

void add_headlines(Page& page, const figures::Figures& figures) {
  const std::vector<figures::Headline> lines = figures.headlines();
  if (lines.empty()) return;
  page.add(
      "\n## The figures that count\n\n| | Expectation | Worst | Limit | Met | Worst at "
      "|\n|---|---|---:|---|---:|---|\n");
  for (const figures::Headline& line : lines)
    page.add(
        fmt::format("| {} | {} | {} | {} | {} of {} | {} |\n", figures::look_of(line.worst_mark()).glyph,
                    short_markdown(line.title.empty() ? line.id : line.title),
                    short_markdown(figure_text(line) + " " + shown_unit(line)),
                    short_markdown(line.short_limit), line.figures - line.missed, line.owed(),
                    short_markdown(line.where + (line.lacking.cases == 0 ? "" : "; " + lacking_text(line)))));
}

// Adds headline figures of rigs with three or more nodes, sender by receiver.
void add_pairs(Page& page, const figures::Figures& figures, const std::optional<Rig>& rig) {
  if (!rig || rig->nodes.size() < 3) return;
  const std::vector<figures::PairTable> tables = figures.pairs();
  if (!tables.empty()) page.add("\n## From each node to each other\n");
  for (const figures::PairTable& table : tables)
    page.add(fmt::format("\n{}, limit {}", short_markdown(table.id), short_markdown(table.limit)) +
             (rig->nodes.size() <= kMostPairNodes ? pair_table(table, *rig) : pair_map(table, *rig)));
}

// Adds the commands verbatim, as a code block: no character is read as Markdown.
void add_remedies(Page& page, const judge::JudgedRun& run) {
  const std::vector<text::RemedyText> remedies = text::remedies_of(run);
  if (remedies.empty()) return;
  page.add("\n## What to do\n\nNothing was changed.\n\n");
  for (const text::RemedyText& remedy : remedies)
    for (const std::string& line : remedy.lines)
      page.add("    " + text::shortened(line, kLongestText) + '\n');
}

void add_advice(Page& page, const judge::JudgedRun& run) {
  const std::vector<text::Advice> list = text::advice_of(run);
  if (list.empty()) return;
  page.add("\n## Advice\n\nNo verdict depends on it.\n\n");
  for (const text::Advice& advice : list) {
    std::string text = fmt::format("- {}\n", short_markdown(advice.found));
    if (!advice.remedy.empty()) text += '\n';
    for (const std::string& line : text::lines_of(advice.remedy, advice.node))
      text += "      " + text::shortened(line, kLongestText) + '\n';
    if (!advice.remedy.empty()) text += '\n';
    page.add(text);
  }
}

void add_not_applicable(Page& page, const judge::JudgedRun& run) {
  if (run.not_applicable.empty()) return;
  page.add("\n## Does not apply on this rig\n\n| Limit | Stated in | Why |\n|---|---|---|\n");
  for (const judge::NotApplicable& limit : run.not_applicable)
    page.add(fmt::format("| {} | {} | {} |\n", short_markdown(limit.id), short_markdown(limit.where),
                         short_markdown(limit.why)));
}

void add_idle_waivers(Page& page, const judge::JudgedRun& run) {
  const std::vector<std::string> waivers = text::idle_waivers(run);
  if (!waivers.empty()) page.add("\n## Waivers without effect\n\n");
  for (const std::string& waiver : waivers) page.add("- " + short_markdown(waiver) + "\n");
}

std::string row(const compare::ComparedMeasurement& m) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", text::shown_name(m.verdict),
                     short_markdown(m.test), short_markdown(text::label(m)),
                     short_markdown(text::side_text(m, m.base)),
                     short_markdown(text::side_text(m, m.candidate)), short_markdown(text::change_text(m)),
                     short_markdown(text::interval_text(m)), short_markdown(m.tolerance),
                     short_markdown(text::reason_text(m)));
}

std::string runs(const char* side, const std::vector<compare::ComparedRun>& runs) {
  std::string text;
  for (const compare::ComparedRun& run : runs)
    text += fmt::format("| {} | {} | {} | {} | {} |\n", side, short_markdown(run.id),
                        short_markdown(run.started), short_markdown(run.verdict), short_markdown(run.folder));
  return text;
}

// Only for runs that have ended, because it needs a pass over all samples.
void add_power(Page& page, const judge::JudgedRun& run) {
  if (!run.end) return;
  const std::vector<std::string> lines = text::power_lines(judge::power_of(run));
  if (lines.empty()) return;
  page.add(
      "\n## Would these limits have stopped a slower rig?\n\nStopped: in at least 95 of 100 runs. `rigproof "
      "power DIR` has the table.\n\n");
  for (const std::string& line : lines) page.add("- " + short_markdown(line) + "\n");
}

}  // namespace

void write_summary(const judge::JudgedRun& run, std::ostream& out) {
  const std::optional<Rig> rig = judge::rig_of(run.start);
  figures::Figures figures(run, rig ? &*rig : nullptr);
  judge::JudgedCase buffer;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases) figures.add(whole(run, test, buffer));
  Page page(out);
  page.add(heading(run));
  page.add(counts(run));
  add_run_faults(page, run);
  add_known_faults(page, run);
  add_node_verdicts(page, run);
  add_suspects(page, run);
  page.part(kLongPart);
  add_remedies(page, run);
  page.part(kLongPart);
  add_cases(page, run, judge::Status::kError, "Errors");
  add_cases(page, run, judge::Status::kFailed, "Failed");
  add_cases(page, run, judge::Status::kNotProven, "Not proven");
  add_cases(page, run, judge::Status::kWaived, "Waived");
  page.part(kLargest);
  add_headlines(page, figures);
  add_void_attempts(page, run);
  add_advice(page, run);
  add_pairs(page, figures, rig);
  add_power(page, run);
  add_not_applicable(page, run);
  add_idle_waivers(page, run);
  page.close();
}

void write_comparison_summary(const compare::Comparison& comparison, std::ostream& out) {
  std::string text =
      fmt::format("# {}\n\n{}\n\n", comparison.verdict(), short_markdown(text::comparison_line(comparison)));
  text += fmt::format("- why: {}\n- changed: {}\n", short_markdown(text::why_line(comparison)),
                      short_markdown(text::changed_line(comparison)));
  for (const std::string& note : comparison.notes) text += fmt::format("- note: {}\n", short_markdown(note));
  text +=
      "\n| Verdict | Case | Measurement | Base | Candidate | Change | Interval | Tolerance | Note |\n"
      "|---|---|---|---:|---:|---:|---:|---:|---|\n";
  std::size_t left_out = 0;
  for (const compare::ComparedMeasurement& m : comparison.measurements) {
    const std::string line = row(m);
    if (text.size() + line.size() < kLargest)
      text += line;
    else
      ++left_out;
  }
  if (left_out > 0)
    text += fmt::format("\n**{} more entries left out (page limit): see comparison.json.**\n", left_out);
  text += "\n";
  for (const std::string& sentence : text::method_text(comparison)) text += short_markdown(sentence) + "\n";
  text += "\n| Side | Run | Started | Verdict | Folder |\n|---|---|---|---|---|\n";
  out << text << runs("base", comparison.base) << runs("candidate", comparison.candidate);
}

}  // namespace rigproof::markdown
