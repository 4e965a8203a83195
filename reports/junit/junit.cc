#include "reports/junit/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>
#include <pugixml.hpp>
#include <sstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "reports/text/acceptance.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"
#include "reports/text/verdict_line.h"

namespace rigproof::junit {
namespace {

// The body has the whole message; an attribute must fit a table cell.
constexpr std::size_t kLongestMessage = 2000;

struct Counts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
};

std::string seconds_text(double seconds) {
  return fmt::format("{:.3f}", std::isfinite(seconds) && seconds > 0 ? seconds : 0);
}

// "2026-11-20T18:15:02": UTC, without zone and fraction.
std::string timestamp_text(const std::string& utc) { return text::one_line(utc).substr(0, 19); }

void set(pugi::xml_node node, const char* attribute, std::string_view text) {
  node.append_attribute(attribute).set_value(text::one_line(text).c_str());
}

void set_text(pugi::xml_node node, const std::string& text) {
  node.append_child(pugi::node_pcdata).set_value(text::clean(text).c_str());
}

std::string lines(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, "\n")); }

// "tcp", or "smoke.tcp" of a run with the label step=smoke: consumers drop all but one of equal names in a pipeline.
std::string suite_name(const judge::JudgedRun& run, const std::string& suite) {
  const auto step = run.start.labels.find("step");
  return step == run.start.labels.end() ? suite : step->second + "." + suite;
}

// "tcp" + "EachRail/RailRate.FillsTheHalf/rail0" -> "tcp.EachRail/RailRate".
std::string class_name(const judge::JudgedRun& run, const judge::JudgedCase& test) {
  const std::string own = judge::case_name(test.plan.name).test_class, suite = suite_name(run, test.suite);
  return own.empty() ? suite : suite + "." + own;
}

// Body of the verdict element: the message, every miss, every other failure.
std::string body(const judge::JudgedCase& test, const std::string& message) {
  std::vector<std::string> text{message};
  const judge::Attempt* attempt = test.deciding();
  if (attempt == nullptr) return message;
  for (const judge::JudgedMeasurement* missed : text::misses(*attempt))
    text.push_back(text::miss_text(*missed, test.plan.subject));
  for (const record::Failure& failure : attempt->failures)
    if (const std::string line = text::failure_text(failure); line != message) text.push_back(line);
  return lines(text);
}

std::string attempt_text(const judge::Attempt& attempt) {
  const std::string why = text::headline(attempt);
  return fmt::format("attempt in launch {}, iteration {}: {}{}", attempt.launch, attempt.iteration,
                     text::shown_name(attempt.status), why.empty() ? "" : ": " + why);
}

std::string system_out(const judge::JudgedCase& test) {
  std::vector<std::string> text;
  const judge::Attempt* attempt = test.deciding();
  if (attempt != nullptr && !attempt->measurements.empty()) text.push_back(text::measurement_table(*attempt));
  if (test.status() == judge::Status::kWaived)
    text.push_back("WAIVED: " + test.waiver + "\n" + body(test, text::headline(test)));
  const std::vector<text::Advice> advised =
      attempt == nullptr ? std::vector<text::Advice>() : text::advice_of(*attempt);
  if (test.status() == judge::Status::kRecorded && advised.empty())
    text.emplace_back("INFORMATIVE: it has no limit: listed, not judged");
  for (const text::Advice& advice : advised)
    text.push_back(fmt::format("ADVICE: {}{}{}", advice.found,
                               advice.remedy.empty() ? "" : "; remedy: ", to_text(advice.remedy)));
  if (attempt != nullptr && text::is_marginal(*attempt))
    text.push_back("MARGINAL: inside a limit's marginal band");
  if (!test.plan.subject.empty()) text.push_back("subject: " + text::one_line(test.plan.subject));
  if (const auto& nodes = test.plan.place.nodes; !nodes.empty())
    text.push_back(text::one_line(fmt::format("nodes: {}", fmt::join(nodes, ", "))));
  if (test.attempts.size() > 1)
    for (const judge::Attempt& each : test.attempts) text.push_back(attempt_text(each));
  return lines(text);
}

double seconds_of(const judge::JudgedCase& test) {
  double seconds = 0;
  for (const judge::Attempt& attempt : test.attempts) seconds += attempt.seconds;
  return std::isfinite(seconds) && seconds > 0 ? seconds : 0;
}

Counts counts_of(const judge::JudgedSuite& suite) {
  Counts counts;
  for (const judge::JudgedCase& test : suite.cases) {
    const judge::Status status = test.status();
    ++counts.tests;
    counts.failures += status == judge::Status::kFailed ? 1 : 0;
    counts.errors += status == judge::Status::kError ? 1 : 0;
    counts.skipped += status == judge::Status::kNotProven ? 1 : 0;
    counts.seconds += seconds_of(test);
  }
  counts.seconds = std::max(counts.seconds, suite.seconds);
  return counts;
}

std::string text_of(pugi::xml_node node, unsigned depth) {
  std::ostringstream text;
  node.print(text, "  ", pugi::format_indent, pugi::encoding_utf8, depth);
  return text.str();
}

// The element's text without the end tag, so that further elements can follow in it.
std::string opened(pugi::xml_node node, unsigned depth) {
  std::string text = text_of(node, depth);
  if (text.ends_with(" />\n")) return text.substr(0, text.size() - 4) + ">\n";
  return text.substr(0, text.rfind("</") - 2 * depth);
}

class Writer {
 public:
  Writer(const judge::JudgedRun& run, JunitProfile profile, std::ostream& out)
      : run_(run), profile_(profile), out_(out), verdict_(run.verdict()) {}

  void write() {
    const std::vector<record::Problem> faults = text::run_faults(run_);
    std::vector<Counts> counts;
    for (const judge::JudgedSuite& suite : run_.suites) counts.push_back(counts_of(suite));
    const Counts own{.tests = static_cast<int>(faults.size()), .errors = static_cast<int>(faults.size())};
    out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    pugi::xml_document document;
    pugi::xml_node root = document.append_child("testsuites");
    set(root, "name", "rigproof");
    set_counts(root, total_of(counts, own));
    const bool empty = run_.suites.empty() && faults.empty();
    out_ << (empty ? text_of(root, 0) : opened(root, 0));
    for (std::size_t suite = 0; suite < counts.size(); ++suite)
      write_suite(run_.suites[suite], counts[suite]);
    if (!faults.empty()) write_run_faults(faults, own);
    if (!empty) out_ << "</testsuites>\n";
  }

 private:
  static Counts total_of(const std::vector<Counts>& suites, Counts total) {
    for (const Counts& suite : suites) {
      total.tests += suite.tests;
      total.failures += suite.failures;
      total.errors += suite.errors;
      total.seconds += suite.seconds;
    }
    return total;
  }

  static void set_counts(pugi::xml_node node, const Counts& counts) {
    set(node, "tests", fmt::to_string(counts.tests));
    set(node, "failures", fmt::to_string(counts.failures));
    set(node, "errors", fmt::to_string(counts.errors));
    set(node, "time", seconds_text(counts.seconds));
  }

  void write_suite(const judge::JudgedSuite& suite, const Counts& counts) {
    open_suite(suite_name(run_, suite.name), suite.started, counts);
    judge::JudgedCase buffer;
    for (const judge::JudgedCase& test : suite.cases) write_case(whole(run_, test, buffer));
    out_ << "  </testsuite>\n";
  }

  // Writes the run's own problems as a suite, which exists only if there are some.
  void write_run_faults(const std::vector<record::Problem>& faults, const Counts& counts) {
    open_suite("rigproof", run_.started, counts);
    for (const record::Problem& fault : faults) {
      pugi::xml_node test = begin_case("rigproof.run", "rigproof.run." + fault.type, 0);
      add_verdict(test, "error", fault.type, fault.message, fault.message);
      end_case(test);
    }
    out_ << "  </testsuite>\n";
  }

  void open_suite(const std::string& name, const std::string& started, const Counts& counts) {
    pugi::xml_document document;
    pugi::xml_node node = document.append_child("testsuite");
    set(node, "name", name);
    if (!started.empty()) set(node, "timestamp", timestamp_text(started));
    set(node, "hostname", run_.start.host);
    set_counts(node, counts);
    set(node, "skipped", fmt::to_string(counts.skipped));
    add_run_properties(node.append_child("properties"));
    out_ << opened(node, 1);
  }

  void add_run_properties(pugi::xml_node properties) {
    const record::RunStarted& start = run_.start;
    add_property(properties, "rigproof.version", start.version());
    add_property(properties, "run", start.id);
    add_property(properties, "verdict", verdict_);
    if (const std::string part = text::part_text(run_); !part.empty()) add_property(properties, "part", part);
    add_property(properties, "rig", start.rig);
    add_property(properties, "rig.kind", start.rig_kind);
    add_property(properties, "rig.file", start.rig_file.file);
    add_property(properties, "thresholds.file", start.limits_files());
    add_property(properties, "profile", start.asked.profile);
    add_property(properties, "command", start.command_line);
    for (const auto& [key, value] : start.labels) add_property(properties, "label." + key, value);
    if (!start.stand_in.empty()) add_property(properties, "stand-in", start.stand_in);
    if (run_.is_judged_again()) add_property(properties, "judged-again", text::judged_again_text(run_));
    for (const judge::NotApplicable& limit : run_.not_applicable)
      add_property(properties, "not-applicable." + limit.id, fmt::format("{} ({})", limit.why, limit.where));
    if (run_.sample) add_property(properties, "sample", text::sample_text(run_));
    int faults = 0;
    for (const judge::KnownFault& fault : run_.faults)
      add_property(properties, fmt::format("known-fault.{}", ++faults),
                   text::fault_text(fault) + "; remedy: " + to_text(fault.remedy));
    int suspects = 0;
    for (const std::string& line : text::suspect_lines(run_.blame))
      add_property(properties, fmt::format("suspect.{}", ++suspects), line);
    for (const auto& [node, facts] : run_.nodes)
      for (const auto& [part, of_part] : facts)
        for (const auto& [property, text] : of_part)
          add_property(properties, node + "." + record::fact_name(part, property), text);
  }

  static void add_property(pugi::xml_node properties, const std::string& name, const std::string& value) {
    pugi::xml_node property = properties.append_child("property");
    set(property, "name", name);
    set(property, "value", value);
  }

  // Only one case at a time is held as a tree, always in the same memory.
  pugi::xml_node begin_case(const std::string& class_name, const std::string& name, double seconds) {
    case_.remove_children();
    pugi::xml_node node = case_.append_child("testcase");
    set(node, "name", unique(text::one_line(name)));
    set(node, "classname", class_name);
    set(node, "time", seconds_text(seconds));
    return node;
  }

  void end_case(pugi::xml_node node) { node.print(out_, "  ", pugi::format_indent, pugi::encoding_utf8, 2); }

  // Makes the name unique, because consumers identify a case by its name alone and drop duplicates.
  std::string unique(const std::string& name) {
    const std::hash<std::string> hash;
    if (names_.insert(hash(name)).second) return name;
    int& copy = copies_.try_emplace(hash(name), 1).first->second;
    std::string tried;
    do tried = fmt::format("{} #{}", name, ++copy);
    while (!names_.insert(hash(tried)).second);
    return tried;
  }

  void write_case(const judge::JudgedCase& test) {
    pugi::xml_node node = begin_case(class_name(run_, test), test.full_name(), seconds_of(test));
    if (profile_ == JunitProfile::kDefault) add_case_properties(node.append_child("properties"), test);
    add_case_verdict(node, test);
    if (const std::string text = system_out(test); !text.empty())
      set_text(node.append_child("system-out"), text);
    end_case(node);
  }

  static void add_case_properties(pugi::xml_node properties, const judge::JudgedCase& test) {
    if (!test.plan.subject.empty()) add_property(properties, "subject", test.plan.subject);
    if (const auto& nodes = test.plan.place.nodes; !nodes.empty())
      add_property(properties, "nodes", fmt::format("{}", fmt::join(nodes, ", ")));
    if (test.attempts.size() > 1) add_property(properties, "attempts", fmt::to_string(test.attempts.size()));
    if (test.status() == judge::Status::kWaived) add_property(properties, "waiver", test.waiver);
    if (test.status() == judge::Status::kRecorded) add_property(properties, "recorded", "true");
    const judge::Attempt* attempt = test.deciding();
    if (attempt == nullptr) return;
    if (text::is_marginal(*attempt)) add_property(properties, "marginal", "true");
    for (const text::MeasurementLine& line : text::measurement_lines(*attempt))
      add_property(properties, line.label(), text::result_text(*line.of));
  }

  static void add_case_verdict(pugi::xml_node node, const judge::JudgedCase& test) {
    const std::string message = text::headline(test);
    switch (test.status()) {
      case judge::Status::kRecorded:
      case judge::Status::kPassed:
      case judge::Status::kWaived:
        return;
      case judge::Status::kNotProven:
        return add_verdict(node, "skipped", text::fault_type(test), message, body(test, message));
      case judge::Status::kFailed:
        return add_verdict(node, "failure", text::fault_type(test), message, body(test, message));
      case judge::Status::kError:
        return add_verdict(node, "error", text::fault_type(test), message, body(test, message));
    }
  }

  static void add_verdict(pugi::xml_node node, const char* element, const std::string& type,
                          const std::string& message, const std::string& text) {
    pugi::xml_node verdict = node.append_child(element);
    set(verdict, "type", type);
    set(verdict, "message", text::shortened(message, kLongestMessage));
    set_text(verdict, text);
  }

  const judge::JudgedRun& run_;
  JunitProfile profile_;
  std::ostream& out_;
  std::string verdict_;
  pugi::xml_document case_;
  std::unordered_set<std::size_t> names_;  // hashes, because the names of a million cases would fill memory
  std::unordered_map<std::size_t, int> copies_;  // last number given to a name, by its hash
};

}  // namespace

void write_junit(const judge::JudgedRun& run, std::ostream& out, JunitProfile profile) {
  Writer(run, profile, out).write();
}

}  // namespace rigproof::junit
