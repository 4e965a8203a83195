#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "framework/judge/judged_run.h"
#include "framework/rig/rig.h"
#include "reports/charts/chart_data.h"
#include "reports/figures/figures.h"
#include "reports/manifest/manifest.h"
#include "reports/text/markup.h"

namespace rigproof::html {

// The parts of the sign-off report, in its order. Of this folder only. Some are fed the cases one by one, each whole, so
// that a journal is read once for all of them.

// What stands against a run, as the first page lists it: a few lines, the worst first.
class Objections {
 public:
  struct Line {
    figures::Mark mark;
    std::string name, text;  // of the first case
    std::string about;       // the limit, or the kind of failure
    std::size_t more = 0;    // cases of the same mark and the same limit
  };
  void add(const judge::JudgedCase& test);
  [[nodiscard]] std::vector<Line> worst() const;  // at most kMost
  [[nodiscard]] std::size_t count() const { return count_; }
  static constexpr std::size_t kMost = 4;

 private:
  std::map<figures::Mark, std::vector<Line>> lines_;
  std::size_t count_ = 0;
};

// The limits that decided something, by id and where each is stated.
class UsedLimits {
 public:
  explicit UsedLimits(const judge::JudgedRun& run) : run_(run) {}
  void add(const judge::JudgedCase& test);
  void write(text::Markup& page) const;

 private:
  struct Note {
    Basis basis;
    Remedy remedy;
    Statistic statistic;
  };
  const judge::JudgedRun& run_;
  std::map<std::pair<std::string, toml::Place>, Note> notes_;  // by id and place of the limit
};

// Cases that simply passed, by their test and limit: on paper a line stands for all of them. A case that is marginal, was
// repeated, or is anything but passed stands there in full.
class PassedTests {
 public:
  void add(const judge::JudgedCase& test);
  // Whether nothing of the suite stands on paper but this.
  [[nodiscard]] bool is_all(const std::string& suite) const { return !others_.contains(suite); }
  void write(text::Markup& page, const std::string& suite) const;

 private:
  struct Line {
    std::size_t cases = 0, figures = 0;
    std::string last_case = {};
    std::string limit, source;
    std::optional<double> low, high, margin;
    std::string low_text, high_text, margin_text;
  };
  std::map<std::string, std::map<std::tuple<std::string, std::string, std::string>, Line>> suites_;
  std::set<std::string> others_;  // suites that have other cases
};
// Has one attempt, which passed whole, or shows values that no limit judges.
[[nodiscard]] bool is_simply_passed(const judge::JudgedCase& test);

// Everything that the first page shows.
struct FirstPage {
  const judge::JudgedRun& run;
  const Rig* rig;  // nullptr: its text cannot be read
  const figures::Figures& figures;
  const Objections& objections;
  const manifest::Evidence& evidence;
};
void write_first_page(text::Markup& page, const FirstPage& first);
// Its parts: the headline figures, one a line; a line for each slow part of the rig, over the whole width; what stands
// against the run beside what to do.
void write_headlines(text::Markup& page, const figures::Figures& figures,
                     const std::vector<figures::Headline>& lines);
void write_suspects(text::Markup& page, const judge::JudgedRun& run);
void write_worst_findings(text::Markup& page, const FirstPage& first,
                          const std::vector<figures::Headline>& headlines);
[[nodiscard]] std::string figure_text(const figures::Headline& line);  // without the unit
[[nodiscard]] std::string margin_text(const figures::Headline& line);  // "+4.3 %"
void write_matrices(text::Markup& page, const figures::Figures& figures);
void write_pair_tables(text::Markup& page, const figures::Figures& figures, const Rig* rig);
void write_findings(text::Markup& page, const judge::JudgedRun& run);  // all that is not simply passed
// Limits that are advice and missed, with their remedies: so many of them.
void write_advised_limits(text::Markup& page, const judge::JudgedRun& run, std::size_t most);
void write_waivers(text::Markup& page, const judge::JudgedRun& run);
void write_charts(text::Markup& page, const charts::ChartData& data);
void write_scope(text::Markup& page, const judge::JudgedRun& run, const manifest::Evidence& evidence);
void write_items(text::Markup& page, const judge::JudgedRun& run,
                 const Rig* rig);  // nodes, ports, halves, links
void write_limits(text::Markup& page, const judge::JudgedRun& run, const UsedLimits& used);
void write_power(text::Markup& page, const judge::JudgedRun& run);
void write_results(text::Markup& page, const judge::JudgedRun& run, const PassedTests& passed);
void write_log(text::Markup& page, const judge::JudgedRun& run);
void write_manifest(text::Markup& page, const judge::JudgedRun& run, const manifest::Evidence& evidence);

// "good", "near" or "bad": of the run's exit code.
[[nodiscard]] std::string_view colour_of(const judge::JudgedRun& run);

// A status or verdict as a badge: its word, coloured besides.
void write_badge(text::Markup& page, std::string_view word, std::string_view colour_class);
void write_badge(text::Markup& page, judge::Status status);
void write_badge(text::Markup& page, judge::Verdict verdict);
void write_badge(text::Markup& page, const judge::Attempt& attempt);  // its status, or that it is void

// <tr><th>...; one cell a text.
void write_header_row(text::Markup& page, std::initializer_list<std::string_view> cells);

// The report's style sheet: light and dark, A4 and Letter, with these texts at the head and foot of every
// printed page.
struct PageTexts {
  std::string_view title, warning, foot;
};
[[nodiscard]] std::string style_sheet(const PageTexts& texts);

}  // namespace rigproof::html
