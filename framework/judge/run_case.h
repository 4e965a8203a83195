#pragma once

#include <string>
#include <vector>

#include "framework/judge/judge_case.h"
#include "framework/judge/judged_run.h"

namespace rigproof::judge {

// A case that the judge itself makes, in the suite kRunSuite.
struct RunCase {
  record::PlannedCase plan;
  std::vector<record::Measured> measured = {};
  std::vector<record::Failure> failures = {};
  std::vector<std::string> notes = {};

  void fail(record::Failure::Kind kind, std::string type, std::string message, std::string node = {});
  void not_proven(std::string message, std::string node);
  // For an advice limit, adds an unread measurement instead, which fails nothing.
  void not_proven(const Limit& limit, std::string message, std::string node = {});
  void count(std::string id, std::string node, std::string detail, double number, RemedyValues about = {});
};

// "Steady.ID/NODE" or "Steady.ID/NODE_SUBJECT", by GoogleTest's rule for names.
[[nodiscard]] std::string steady_name(const std::string& id, const std::string& node,
                                      const std::string& subject = {});
// Replaces every other character by an underscore.
[[nodiscard]] std::string plain_name(std::string text);
[[nodiscard]] SubjectPlace place_of_node(const std::string& name);

// Judges the cases as suite kRunSuite. A repeated name gets a number at its end.
[[nodiscard]] JudgedSuite judge_run_suite(std::vector<RunCase> cases, const std::string& time,
                                          const JudgeContext& context);

}  // namespace rigproof::judge
