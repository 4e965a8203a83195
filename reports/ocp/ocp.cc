#include "reports/ocp/ocp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <utility>

#include "reports/ocp/artifacts.h"
#include "reports/text/acceptance.h"
#include "reports/text/describe.h"
#include "reports/text/verdict_line.h"

namespace rigproof::ocp {
namespace {

OcpJson validator(const char* type, OcpJson value, const judge::JudgedMeasurement& m) {
  return {{"name", ocp_text(m.id)}, {"type", type}, {"value", std::move(value)}};
}

// True if checking the value against the bounds must give the verdict.
bool decides(const judge::JudgedMeasurement& m) {
  using judge::Verdict;
  const Verdict verdict = m.judgement.verdict;
  return verdict == Verdict::kPass || verdict == Verdict::kMarginal || verdict == Verdict::kFail;
}

// Bounds as validators. Empty if the limit decides nothing.
OcpJson validators(const judge::JudgedMeasurement& m, const judge::Bounds& bounds) {
  OcpJson list = OcpJson::array();
  if (!decides(m)) return list;
  if (bounds.at_least) list.push_back(validator("GREATER_THAN_OR_EQUAL", ocp_number(*bounds.at_least), m));
  if (bounds.at_most) list.push_back(validator("LESS_THAN_OR_EQUAL", ocp_number(*bounds.at_most), m));
  if (bounds.equals) list.push_back(validator("EQUAL", ocp_number(*bounds.equals), m));
  return list;
}

// A regular expression for words of a limit, in which * and ? are wildcards and any white space counts as one space.
std::string regex_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += '|';
    for (const char each : word) {
      if (each == '*' || each == '?')
        text += each == '*' ? ".*" : ".";
      else if (each == ' ')
        text += "\\s+";
      else
        text += (std::string_view("\\^$.|+()[]{}").find(each) == std::string_view::npos ? "" : "\\") +
                std::string(1, each);
    }
  }
  return "^\\s*(" + text + ")\\s*$";
}

// The rule for a text as a validator. Empty for versions: no validator compares them.
OcpJson validators(const judge::JudgedMeasurement& m, const LimitTable* limits) {
  const Limit* limit = limits == nullptr || !decides(m) ? nullptr : limits->find(m.id);
  OcpJson list = OcpJson::array();
  if (limit == nullptr || !limit->rule || limit->rule->one_of.empty()) return list;
  const std::vector<std::string>& words = limit->rule->one_of;
  const bool is_one = words.size() == 1 && words.front().find_first_of("*? ") == std::string::npos;
  list.push_back(is_one ? validator("EQUAL", ocp_text(words.front()), m)
                        : validator("REGEX_MATCH", ocp_text(regex_of(words)), m));
  return list;
}

OcpJson metadata(const judge::JudgedMeasurement& m) {
  OcpJson data{{"node", ocp_text(m.node)},
               {"detail", ocp_text(m.detail)},
               {"statistic", name(m.statistic)},
               {"n", m.samples.values.size()},
               {"verdict", name(m.judgement.verdict)}};
  if (text::measured_value(m)) {
    data["min"] = ocp_number(evaluate(Statistic::kMin, m.samples.values));
    data["max"] = ocp_number(evaluate(Statistic::kMax, m.samples.values));
  }
  if (!m.explained_by.empty()) data["explainedBy"] = ocp_text(m.explained_by);
  if (m.judgement.margin) data["margin"] = ocp_number(*m.judgement.margin);
  if (m.judgement.limit.empty()) return data;
  data["limit"] = ocp_text(m.judgement.limit);
  data["limitStatedIn"] = ocp_text(to_text(m.limit_where));
  data["limitBasis"] = ocp_text(text::basis_text(m));
  return data;
}

// The metadata of one of the limit's statistics, with its own verdict.
OcpJson metadata(const judge::JudgedMeasurement& m, const judge::JudgedStatistic& one) {
  OcpJson data = metadata(m);
  data["statistic"] = name(one.statistic);
  if (m.judgement.verdict == judge::Verdict::kFail && !one.is_missed)
    data["verdict"] = name(judge::Verdict::kPass);
  if (&one != &m.judgement.statistics.at(m.judgement.decided_by)) data.erase("margin");
  return data;
}

class Writer {
 public:
  Writer(const judge::JudgedRun& run, std::ostream& out) : run_(run), lines_(out) {}

  void write() {
    lines_.at(run_.started);
    lines_.line("schemaVersion", {{"major", 2}, {"minor", 0}});
    write_start();
    judge::JudgedCase buffer;
    for (const judge::JudgedSuite& suite : run_.suites)
      for (const judge::JudgedCase& test : suite.cases) write_case(whole(run_, test, buffer));
    // A resumed run's seconds leave out the pause, so the last event can be later.
    lines_.at(std::max(utc_after(run_.started, run_.end ? run_.end->seconds : 0), run_.last_event));
    for (const record::Problem& fault : text::run_faults(run_))
      lines_.run("error", {{"symptom", ocp_text(fault.type)}, {"message", ocp_text(fault.message)}});
    if (run_.sample)
      lines_.run("log", {{"severity", "INFO"}, {"message", ocp_text("sample: " + text::sample_text(run_))}});
    for (const judge::KnownFault& fault : run_.faults)
      lines_.run("log", {{"severity", "WARNING"},
                         {"message", ocp_text("known fault: " + text::fault_text(fault) +
                                              "; remedy: " + to_text(fault.remedy))}});
    for (const std::string& line : text::suspect_lines(run_.blame))
      lines_.run("log", {{"severity", "WARNING"}, {"message", ocp_text("suspect: " + line)}});
    write_end();
  }

 private:
  [[nodiscard]] OcpJson run_metadata() const {
    const record::RunStarted& start = run_.start;
    OcpJson data{{"run", ocp_text(start.id)},
                 {"verdict", run_.verdict()},
                 {"host", ocp_text(start.host)},
                 {"user", ocp_text(start.user)}};
    for (const judge::NotApplicable& limit : run_.not_applicable)
      data["notApplicable"].push_back(OcpJson{
          {"limit", ocp_text(limit.id)}, {"statedIn", ocp_text(limit.where)}, {"why", ocp_text(limit.why)}});
    return data;
  }

  void write_start() {
    const record::RunStarted& start = run_.start;
    OcpJson parameters{{"rig", ocp_text(start.rig)},
                       {"rigKind", ocp_text(start.rig_kind)},
                       {"profile", ocp_text(start.asked.profile)},
                       {"rigFile", ocp_text(start.rig_file.file)},
                       {"thresholdsFile", ocp_text(start.limits_files())}};
    for (const auto& [key, value] : start.labels) parameters["labels"][key] = ocp_text(value);
    if (const std::string part = text::part_text(run_); !part.empty()) parameters["part"] = ocp_text(part);
    if (!start.stand_in.empty()) parameters["standIn"] = ocp_text(start.stand_in);
    if (run_.is_judged_again()) parameters["judgedAgain"] = ocp_text(text::judged_again_text(run_));
    lines_.run("testRunStart", {{"name", "rigproof"},
                                {"version", ocp_text(start.version())},
                                {"commandLine", ocp_text(start.command_line)},
                                {"parameters", std::move(parameters)},
                                {"dutInfo", dut_info(run_)},
                                {"metadata", run_metadata()}});
    if (!start.stand_in.empty())
      lines_.run("log",
                 {{"severity", "WARNING"}, {"message", ocp_text("STAND-IN under test: " + start.stand_in)}});
  }

  void write_end() {
    lines_.run("log", {{"severity", "INFO"}, {"message", ocp_text(text::verdict_line(run_))}});
    const auto end = [&](const char* status, const char* result) {
      lines_.run("testRunEnd", {{"status", status}, {"result", result}});
    };
    switch (run_.exit_code()) {
      case 0:
        return end("COMPLETE", "PASS");
      case 1:
        return end("COMPLETE", "FAIL");
      case 3:
        return end("SKIP", "NOT_APPLICABLE");
      default:
        return end("ERROR", "NOT_APPLICABLE");
    }
  }

  void write_case(const judge::JudgedCase& test) {
    for (const judge::Attempt& attempt : test.attempts) write_attempt(test, attempt);
    if (test.deciding() != nullptr) return;
    lines_.next_step();
    lines_.step("testStepStart", {{"name", ocp_text(test.full_name())}});
    lines_.step("error", {{"symptom", text::fault_type(test)}, {"message", ocp_text(test.open_reason())}});
    lines_.step("testStepEnd", {{"status", "ERROR"}});
  }

  void write_attempt(const judge::JudgedCase& test, const judge::Attempt& attempt) {
    lines_.next_step();
    lines_.at(attempt.started);
    const std::string which = test.attempts.size() > 1 ? fmt::format(" (launch {}, iteration {})",
                                                                     attempt.launch, attempt.iteration)
                                                       : "";
    lines_.step("testStepStart", {{"name", ocp_text(test.full_name() + which)}});
    lines_.at(utc_after(attempt.started, attempt.seconds));
    for (const judge::JudgedMeasurement& m : attempt.measurements) write_measurement(attempt, m);
    for (const record::Failure& failure : attempt.failures) write_failure(failure);
    for (const text::Advice& advice : text::advice_of(attempt))
      lines_.step("log",
                  {{"severity", "WARNING"},
                   {"message", ocp_text("advice: " + advice.found + "; remedy: " + to_text(advice.remedy))}});
    write_diagnosis(test, attempt);
    lines_.step("testStepEnd", {{"status", end_of(attempt.status)}});
  }

  static const char* end_of(judge::Status status) {
    if (status == judge::Status::kError) return "ERROR";
    return status == judge::Status::kNotProven ? "SKIP" : "COMPLETE";
  }

  // A fact that is a text has no unit.
  void write_fact(const judge::JudgedMeasurement& m) {
    OcpJson content{{"name", ocp_text(m.id)}, {"value", ocp_text(m.text)}};
    if (OcpJson list = validators(m, run_.limits.get()); !list.empty())
      content["validators"] = std::move(list);
    if (const std::string id = hardware_id(run_, m.node); !id.empty()) content["hardwareInfoId"] = id;
    content["metadata"] = metadata(m);
    lines_.step("measurement", std::move(content));
  }

  void write_measurement(const judge::Attempt& attempt, const judge::JudgedMeasurement& m) {
    if (!m.text.empty()) return write_fact(m);
    if (m.samples.values.empty()) {
      const std::string text = text::label(m) + ": " + text::result_text(m);
      return lines_.step("error", {{"symptom", "no-samples"}, {"message", ocp_text(text)}});
    }
    if (m.judgement.statistics.empty())
      write_value(m, text::measured_value(m).value_or(NAN), m.judgement.bounds, metadata(m));
    for (const judge::JudgedStatistic& one : m.judgement.statistics)
      write_value(m, one.value, one.bounds, metadata(m, one));
    if (m.axis && m.axis->kind == record::Axis::Kind::kSeries) write_series(attempt, m);
  }

  void write_value(const judge::JudgedMeasurement& m, double value, const judge::Bounds& bounds,
                   OcpJson data) {
    OcpJson content{
        {"name", ocp_text(m.id)}, {"value", ocp_number(value)}, {"unit", base_unit(m.samples.dimension)}};
    if (OcpJson list = validators(m, bounds); !list.empty()) content["validators"] = std::move(list);
    if (const std::string id = hardware_id(run_, m.node); !id.empty()) content["hardwareInfoId"] = id;
    content["metadata"] = std::move(data);
    lines_.step("measurement", std::move(content));
  }

  void write_series(const judge::Attempt& attempt, const judge::JudgedMeasurement& m) {
    const std::string id = fmt::to_string(series_++);
    lines_.step("measurementSeriesStart", {{"name", ocp_text(text::label(m))},
                                           {"unit", base_unit(m.samples.dimension)},
                                           {"measurementSeriesId", id}});
    for (std::size_t index = 0; index < m.samples.values.size(); ++index)
      lines_.step(
          "measurementSeriesElement",
          {{"index", index},
           {"value", ocp_number(m.samples.values[index])},
           {"timestamp", utc_after(attempt.started, m.axis->x.value * static_cast<double>(index + 1))},
           {"measurementSeriesId", id}});
    lines_.step("measurementSeriesEnd",
                {{"measurementSeriesId", id}, {"totalCount", m.samples.values.size()}});
  }

  void write_failure(const record::Failure& failure) {
    const std::string text = text::failure_text(failure);
    if (failure.kind == record::Failure::Kind::kError)
      lines_.step("error", {{"symptom", ocp_text(failure.type)}, {"message", ocp_text(text)}});
    else
      lines_.step("log", {{"severity", failure.kind == record::Failure::Kind::kFail ? "ERROR" : "WARNING"},
                          {"message", ocp_text(text)}});
  }

  void write_diagnosis(const judge::JudgedCase& test, const judge::Attempt& attempt) {
    const judge::Status status = attempt.status;
    const bool good = status == judge::Status::kPassed || status == judge::Status::kWaived;
    const bool counts = !attempt.replaced || &attempt == test.deciding();
    std::string message = text::headline(attempt);
    if (status == judge::Status::kWaived) {
      message += "; " + test.waiver;
      lines_.step("log", {{"severity", "WARNING"}, {"message", ocp_text(message)}});
    }
    if (status == judge::Status::kRecorded) return;  // nothing was diagnosed
    OcpJson content{{"verdict", judge::is_void(attempt.failures) ? "void"
                                : counts                         ? name(status)
                                                                 : "replaced"},
                    {"type", good                                         ? "PASS"
                             : counts && status == judge::Status::kFailed ? "FAIL"
                                                                          : "UNKNOWN"}};
    if (!message.empty()) content["message"] = ocp_text(message);
    lines_.step("diagnosis", std::move(content));
  }

  const judge::JudgedRun& run_;
  OcpLines lines_;
  std::uint64_t series_ = 0;
};

}  // namespace

void write_ocp(const judge::JudgedRun& run, std::ostream& out) { Writer(run, out).write(); }

}  // namespace rigproof::ocp
