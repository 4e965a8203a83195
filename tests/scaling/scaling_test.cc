// Reading, judging and reporting take time in proportion to the length of what is read: a file of 1 MB from a stranger, or of
// a large rig, costs no minutes. Catches: a search through all that came before for each that comes.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "framework/cli/sealed_folder.h"
#include "framework/compare/comparison.h"
#include "framework/judge/run_judge.h"
#include "framework/limits/limit_table.h"
#include "framework/record/fields.h"
#include "framework/rig/subject_finder.h"
#include "reports/history/history.h"
#include "reports/html/report_html.h"
#include "reports/junit/junit.h"
#include "reports/manifest/manifest.h"
#include "reports/markdown/summary.h"
#include "reports/ocp/ocp.h"
#include "reports/openmetrics/openmetrics.h"
#include "reports/terminal/terminal.h"
#include "tests/scaling/journals.h"
#include "tests/scaling/linear.h"
#include "tests/support/temp_folder.h"

namespace rigproof {
namespace {

constexpr std::size_t kLength = 400;

// A folder with a run's journal.
class RunFolder {
 public:
  explicit RunFolder(const Events& events) { write_text(path() / "journal.jsonl", events.journal()); }
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
  [[nodiscard]] judge::JudgedRun read() const { return judge::read_run(path()); }
  [[nodiscard]] judge::JudgedRun open() const { return judge::open_run(path()); }

 private:
  TempFolder folder_;
};

void write_reports(const judge::JudgedRun& run) {
  std::ostringstream out;
  html::write_report_html(run, {}, out);
  junit::write_junit(run, out);
  markdown::write_summary(run, out);
  ocp::write_ocp(run, out);
  openmetrics::write_metrics(run, out);
  out << verdict_table(run, terminal::Colour::kOff) << run.verdict();
}

template <class Kind>
struct Many : RunFolder {
  explicit Many(std::size_t length) : RunFolder(events(length)) {}
  static Events events(std::size_t length) {
    Events events;
    events.add(run_started());
    Grown<Kind>::add_many(events, length);
    events.add(record::RunEnded{1});
    return events;
  }
};

template <class Kind>
struct Long : RunFolder {
  explicit Long(std::size_t length) : RunFolder(events(length)) {}
  static Events events(std::size_t length) {
    Events events;
    events.add(run_started());
    if constexpr (!requires { Grown<Kind>::kHasNoLength; }) Grown<Kind>::add_long(events, length);
    events.add(record::RunEnded{1});
    return events;
  }
};

template <class Journal>
void expect_linear_reading(std::size_t length) {
  const Journal small(length), large(10 * length);
  Linear::expect([&] { (void)small.read(); }, [&] { (void)large.read(); });
  Linear::expect([&] { (void)small.open(); }, [&] { (void)large.open(); });
}

template <class Journal>
void expect_linear_reports(std::size_t length) {
  const Journal small(length), large(10 * length);
  const judge::JudgedRun short_run = small.open(), long_run = large.open();
  Linear::expect([&] { write_reports(short_run); }, [&] { write_reports(long_run); });
}

// Every kind of event that there is.
template <class Variant>
struct KindsOf;
template <class... Kinds>
struct KindsOf<std::variant<Kinds...>> {
  using Types = testing::Types<Kinds...>;
};
struct NameOfKind {
  template <class Kind>
  static std::string GetName(int) {
    return std::string(record::kEventName<Kind>);
  }
};

template <class Kind>
class EveryKindOfEvent : public testing::Test {};
TYPED_TEST_SUITE(EveryKindOfEvent, KindsOf<record::EventBody>::Types, NameOfKind);

TYPED_TEST(EveryKindOfEvent, IsReadInLinearTimeHoweverManyThereAre) {
  expect_linear_reading<Many<TypeParam>>(kLength);
}
TYPED_TEST(EveryKindOfEvent, IsReadInLinearTimeHoweverLongItIs) {
  expect_linear_reading<Long<TypeParam>>(kLength);
}
TYPED_TEST(EveryKindOfEvent, IsReportedInLinearTimeHoweverManyThereAre) {
  expect_linear_reports<Many<TypeParam>>(kLength);
}
TYPED_TEST(EveryKindOfEvent, IsReportedInLinearTimeHoweverLongItIs) {
  expect_linear_reports<Long<TypeParam>>(kLength);
}

TEST(ATextFile, OfARigIsReadInLinearTime) {
  const auto read = [](const std::string& text) {
    const SubjectFinder finder(read_rig(toml::Document::parse(text, "rig.toml")));
    for (const char* node : {"node-a", "node-b"})
      EXPECT_NE(finder.find({SubjectPlace::Kind::kNode, "", {node}}), nullptr);
  };
  const std::string small = star_text(20), large = star_text(200);
  Linear::expect([&] { read(small); }, [&] { read(large); });
}

TEST(ATextFile, OfThresholdsIsReadInLinearTime) {
  const auto read = [](const std::string& text) {
    const LimitTable table = LimitTable::read({toml::Document::parse(text, "limits.toml")}, Profile::kSmoke,
                                              rig_fact_dimensions());
    EXPECT_NE(table.find("tcp.figure.0"), nullptr);
  };
  const std::string small = limits_text(kLength), large = limits_text(10 * kLength);
  Linear::expect([&] { read(small); }, [&] { read(large); });
}

// A folder whose manifest lists the journal and this number of logs.
class ManyFiles : public Many<record::CaseEnded> {
 public:
  explicit ManyFiles(std::size_t files) : Many(1) {
    std::filesystem::create_directory(path() / "logs");
    std::vector<std::string> names{manifest::kJournalName};
    for (std::size_t i = 0; i < files; ++i) {
      names.push_back(fmt::format("logs/tcp-{}.log", i));
      write_text(path() / names.back(), "a line\n");
    }
    write_text(path() / manifest::kManifestName,
               manifest::manifest_text(manifest::hash_files(path(), names)));
  }
};

// `verify` and `sign` read a SealedFolder; `report` and `judge --write` ask whether the evidence is sealed.
TEST(AFolderOfARun, IsCheckedInLinearTime) {
  const ManyFiles small(kLength), large(10 * kLength);
  const auto check = [](const ManyFiles& run, std::size_t files) {
    const cli::SealedFolder folder(run.path());
    EXPECT_EQ(folder.files().size(), files + 1);
    EXPECT_TRUE(folder.lists("logs/tcp-0.log"));
    EXPECT_EQ(manifest::evidence_of(folder.manifest()).files.size(), files + 1);
  };
  Linear::expect([&] { check(small, kLength); }, [&] { check(large, 10 * kLength); });
  Linear::expect([&] { manifest::require_sealed_evidence(small.path()); },
                 [&] { manifest::require_sealed_evidence(large.path()); });
}

TEST(Runs, AreComparedInLinearTime) {
  const auto compared = [](const RunFolder& run) {
    return std::vector<compare::RunToCompare>{{"1", "2026-11-20", "one", run.open()}};
  };
  const Many<record::CaseEnded> few(kLength), many(10 * kLength);
  const Long<record::CaseEnded> small(kLength), large(10 * kLength);
  const auto few_cases = compared(few), many_cases = compared(many), little = compared(small),
             much = compared(large);
  Linear::expect([&] { (void)compare::gather(few_cases, {}); },
                 [&] { (void)compare::gather(many_cases, {}); });
  Linear::expect([&] { (void)compare::gather(little, {}); }, [&] { (void)compare::gather(much, {}); });
}

TEST(Runs, HaveAHistoryInLinearTime) {
  const auto runs = [](std::size_t length, std::size_t figures) {
    std::vector<history::Run> runs(length);
    for (std::size_t i = 0; i < length; ++i) {
      runs[i].id = fmt::format("run {}", i);
      runs[i].started = fmt::format("2026-11-20T18:15:00.{:06}Z", i);
      for (std::size_t figure = 0; figure < figures; ++figure) {
        history::Figure& one = runs[i].figures.emplace_back();
        one.id = fmt::format("tcp.figure.{}", figure);
        one.value = 1;
      }
    }
    return runs;
  };
  const auto few = runs(kLength / 10, 10), many = runs(kLength, 10), wide = runs(kLength / 10, 100);
  Linear::expect([&] { (void)history::histories_of(few); }, [&] { (void)history::histories_of(many); });
  Linear::expect([&] { (void)history::histories_of(few); }, [&] { (void)history::histories_of(wide); });
}

}  // namespace
}  // namespace rigproof
