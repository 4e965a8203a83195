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
#include "reports/text/metrics.h"

namespace rigproof::html {

// The parts of the sign-off report, in its order. Used only in this folder. Some take complete cases one by one, so that the
// journal is read once for all of them.

// The worst findings for the first page, a few lines.
class Objections {
 public:
  struct Line {
    figures::Mark mark;
    std::string name, text;  // of the first case: its title with its place, and what was found
    std::string about;       // id of the limit, or kind of failure
    std::size_t more = 0;    // further cases with the same mark and limit
  };
  explicit Objections(const judge::JudgedRun& run) : metrics_(run.start.declared) {}
  void add(const judge::JudgedCase& test);
  [[nodiscard]] std::vector<Line> worst() const;  // at most kMost
  [[nodiscard]] std::size_t count() const { return count_; }
  static constexpr std::size_t kMost = 4;

 private:
  const text::Metrics metrics_;
  std::map<figures::Mark, std::vector<Line>> lines_;
  std::size_t count_ = 0;
};

// A case as people call it: the title of the missed limit's metric, or else the test's name; then the case's subject.
[[nodiscard]] std::string title_of(const text::Metrics& metrics, const judge::JudgedCase& test);

// What the report does not speak for: a stand-in under test, an emulated rig. Empty: neither.
[[nodiscard]] std::string caution_of(const judge::JudgedRun& run);

// "Check: " for a remedy's step "check".
[[nodiscard]] std::string label_of(std::string_view what);

// The limits that decided something, by id and place.
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

// Cases that simply passed, by test and limit: on paper one line covers all of them. All other cases (marginal, repeated, or
// not passed) are printed in full.
class PassedTests {
 public:
  void add(const judge::JudgedCase& test);
  // True if the suite has no other cases on paper.
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
// True if the case has exactly one attempt, and each of its values passed or has no limit.
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
// Parts of the first page: headline figures, one per line; a full-width line per slow part of the rig; findings next to
// remedies.
void write_headlines(text::Markup& page, const figures::Figures& figures,
                     const std::vector<figures::Headline>& lines);
void write_suspects(text::Markup& page, const judge::JudgedRun& run);
void write_worst_findings(text::Markup& page, const FirstPage& first,
                          const std::vector<figures::Headline>& headlines);
[[nodiscard]] std::string margin_text(const figures::Headline& line);  // "+4.3 %"
void write_matrices(text::Markup& page, const figures::Figures& figures);
void write_pair_tables(text::Markup& page, const figures::Figures& figures, const Rig* rig);
void write_findings(text::Markup& page, const judge::JudgedRun& run);  // every case that did not simply pass
// Lists missed advice limits with their remedies, at most `most`.
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

// "good", "near" or "bad", by the run's exit code.
[[nodiscard]] std::string_view colour_of(const judge::JudgedRun& run);

// Writes a status or verdict as a badge: its word, with a colour.
void write_badge(text::Markup& page, std::string_view word, std::string_view colour_class);
void write_badge(text::Markup& page, judge::Status status);
void write_badge(text::Markup& page, judge::Verdict verdict);
void write_badge(text::Markup& page, const judge::Attempt& attempt);  // its status, or that it is void

// Writes <tr> with one <th> per text.
void write_header_row(text::Markup& page, std::initializer_list<std::string_view> cells);

// The report's style sheet: light and dark, A4 and Letter, with these texts at the head and foot of every printed page.
struct PageTexts {
  std::string_view title, warning, foot;
};
[[nodiscard]] std::string style_sheet(const PageTexts& texts);

}  // namespace rigproof::html
