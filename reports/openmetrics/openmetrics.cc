#include "reports/openmetrics/openmetrics.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "framework/record/run_identity.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"
#include "reports/text/verdict_line.h"

namespace rigproof::openmetrics {
namespace {

constexpr std::size_t kBuffer = 1 << 20;
constexpr std::size_t kLongestLabel = 1000;

std::string label_text(std::string_view text) {
  std::string out;
  for (const char character : text::shortened(text::clean(text), kLongestLabel)) {
    if (character == '\\' || character == '"') out += '\\';
    if (character == '\n')
      out += "\\n";
    else
      out += character;
  }
  return out;
}

std::string value_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

[[noreturn]] void fail() {
  throw std::system_error(errno, std::generic_category(), "cannot keep metrics in a temporary file");
}

// One metric family: collects its samples to write them together, as the format requires. Samples beyond a small buffer go
// to an unnamed temporary file.
class MetricFamily {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // `unit`: end of the name, or empty.
  MetricFamily(std::string name, std::string_view type, std::string_view unit, std::string_view help);

  // `suffix`: "_info" for an info, else empty. Samples with equal labels get an additional label.
  void add(Labels labels, double value, std::string_view suffix = {});

  void write(std::ostream& out);

 private:
  void spill();
  std::string name_, head_, buffer_;
  std::unordered_set<std::size_t> seen_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, &std::fclose};
};

MetricFamily::MetricFamily(std::string name, std::string_view type, std::string_view unit,
                           std::string_view help)
    : name_(std::move(name)), head_(fmt::format("# TYPE {} {}\n", name_, type)) {
  if (!unit.empty()) head_ += fmt::format("# UNIT {} {}\n", name_, unit);
  head_ += fmt::format("# HELP {} {}\n", name_, help);
}

void MetricFamily::add(Labels labels, double value, std::string_view suffix) {
  std::string text;
  for (const auto& [name, label] : labels)
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", name, label_text(label));
  const std::string plain = text;
  for (int copy = 2; !seen_.insert(std::hash<std::string>()(text)).second; ++copy)
    text = fmt::format("{},same=\"{}\"", plain, copy);
  buffer_ += fmt::format("{}{}{{{}}} {}\n", name_, suffix, text, value_text(value));
  if (buffer_.size() > kBuffer) spill();
}

void MetricFamily::spill() {
  if (file_ == nullptr) file_.reset(std::tmpfile());
  if (file_ == nullptr || std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size())
    fail();
  buffer_.clear();
}

void MetricFamily::write(std::ostream& out) {
  if (buffer_.empty() && file_ == nullptr) return;
  out << head_;
  if (file_ != nullptr) {
    if (std::fseek(file_.get(), 0, SEEK_SET) != 0) fail();
    std::array<char, 1 << 16> block;
    while (const std::size_t got = std::fread(block.data(), 1, block.size(), file_.get()))
      out.write(block.data(), static_cast<std::streamsize>(got));
    if (std::ferror(file_.get()) != 0) fail();
  }
  out << buffer_;
}

constexpr const char* kEpoch = "1970-01-01T00:00:00.000Z";
constexpr std::array kVerdicts{"QUALIFIED", "QUALIFIED by sampling", "PARTIAL", "NOT QUALIFIED", "ERROR",
                               "NOT PROVEN"};
constexpr std::array kStatuses{judge::Status::kRecorded,  judge::Status::kPassed, judge::Status::kWaived,
                               judge::Status::kNotProven, judge::Status::kFailed, judge::Status::kError};

void write_run(const judge::JudgedRun& run, std::ostream& out) {
  const record::RunStarted& start = run.start;
  MetricFamily info("rigproof_run", "info", "", "The run.");
  info.add({{"id", start.id},
            {"rig", start.rig},
            {"kind", start.rig_kind},
            {"profile", start.asked.profile},
            {"version", start.version()},
            {"stand_in", start.stand_in}},
           1, "_info");
  info.write(out);
  MetricFamily verdict("rigproof_verdict", "stateset", "", "The run's verdict.");
  for (const char* each : kVerdicts) verdict.add({{"rigproof_verdict", each}}, run.verdict() == each ? 1 : 0);
  verdict.write(out);
  MetricFamily code("rigproof_exit_code", "gauge", "", "The exit code of rigproof for this record.");
  code.add({{"rig", start.rig}}, run.exit_code());
  code.write(out);
  MetricFamily began("rigproof_started_timestamp_seconds", "gauge", "seconds", "Start of the run.");
  began.add({{"rig", start.rig}}, record::seconds_between(kEpoch, run.started));
  began.write(out);
  MetricFamily took("rigproof_duration_seconds", "gauge", "seconds",
                    "Duration of the run; absent until it has ended.");
  if (run.end) took.add({{"rig", start.rig}}, run.end->seconds);
  took.write(out);
}

int count_of(const text::Totals& totals, judge::Status status) {
  switch (status) {
    case judge::Status::kRecorded:
      return totals.recorded;
    case judge::Status::kPassed:
      return totals.passed;
    case judge::Status::kWaived:
      return totals.waived;
    case judge::Status::kNotProven:
      return totals.not_proven;
    case judge::Status::kFailed:
      return totals.failed;
    case judge::Status::kError:
      return totals.errors;
  }
  return totals.errors;
}

void write_counts(const judge::JudgedRun& run, std::ostream& out) {
  MetricFamily counts("rigproof_cases", "gauge", "", "Cases by suite and status.");
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::Status status : kStatuses)
      counts.add({{"suite", suite.name}, {"status", name(status)}}, count_of(text::totals_of(suite), status));
  counts.write(out);
  MetricFamily cases("rigproof_case_status", "gauge", "", "1 for the status of the case.");
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases)
      cases.add({{"suite", suite.name}, {"case", test.plan.name}, {"status", name(test.status())}}, 1);
  cases.write(out);
}

// One family per dimension, because a name ends in its unit.
class MeasuredFamily {
 public:
  void add(const judge::JudgedCase& test) {
    const judge::Attempt* attempt = test.deciding();
    if (attempt == nullptr) return;
    for (const judge::JudgedMeasurement& m : attempt->measurements) add(test, m);
  }
  void write(std::ostream& out) {
    for (MetricFamily& family : families_) family.write(out);
    margins_.write(out);
  }

 private:
  void add(const judge::JudgedCase& test, const judge::JudgedMeasurement& m) {
    if (m.samples.values.empty()) return;
    families_[static_cast<std::size_t>(m.samples.dimension)].add({{"suite", test.suite},
                                                                  {"case", test.plan.name},
                                                                  {"id", m.id},
                                                                  {"node", m.node},
                                                                  {"detail", m.detail},
                                                                  {"statistic", name(m.statistic)},
                                                                  {"verdict", name(m.judgement.verdict)}},
                                                                 text::measured_value(m).value_or(NAN));
    if (m.judgement.margin)
      margins_.add({{"suite", test.suite},
                    {"case", test.plan.name},
                    {"id", m.id},
                    {"node", m.node},
                    {"detail", m.detail},
                    {"verdict", name(m.judgement.verdict)}},
                   *m.judgement.margin);
  }

  std::array<MetricFamily, 5> families_{
      MetricFamily{"rigproof_measured_bits_per_second", "gauge", "bits_per_second", "Measured data rates."},
      MetricFamily{"rigproof_measured_bytes", "gauge", "bytes", "Measured data sizes."},
      MetricFamily{"rigproof_measured_seconds", "gauge", "seconds", "Measured times."},
      MetricFamily{"rigproof_measured_count", "gauge", "", "Measured counts."},
      MetricFamily{"rigproof_measured_ratio", "gauge", "ratio", "Measured ratios."}};
  MetricFamily margins_{
      "rigproof_margin_ratio", "gauge", "ratio",
      "Distance to the nearest bound of the limit, as a share of it; negative when missed."};
};

}  // namespace

void write_metrics(const judge::JudgedRun& run, std::ostream& out) {
  write_run(run, out);
  write_counts(run, out);
  MeasuredFamily measured;
  judge::JudgedCase buffer;
  for (const judge::JudgedSuite& suite : run.suites)
    for (const judge::JudgedCase& test : suite.cases) measured.add(whole(run, test, buffer));
  measured.write(out);
  out << "# EOF\n";
}

}  // namespace rigproof::openmetrics
