#include "framework/judge/run_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace rigproof::judge {

std::string plain_name(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return text;
}

std::string steady_name(const std::string& id, const std::string& node, const std::string& subject) {
  return fmt::format("Steady.{}/{}{}{}", plain_name(id), plain_name(node), subject.empty() ? "" : "_",
                     plain_name(subject));
}

SubjectPlace place_of_node(const std::string& name) { return {SubjectPlace::Kind::kNode, "", {name}}; }

void RunCase::fail(record::Failure::Kind kind, std::string type, std::string message, std::string node) {
  failures.push_back(
      {.kind = kind, .type = std::move(type), .message = std::move(message), .node = std::move(node)});
}

void RunCase::not_proven(std::string message, std::string node) {
  fail(record::Failure::Kind::kSkip, "not-proven", std::move(message), std::move(node));
}

void RunCase::not_proven(const Limit& limit, std::string message, std::string node) {
  if (limit.is_required()) return not_proven(std::move(message), std::move(node));
  measured.push_back({.id = limit.id,
                      .node = std::move(node),
                      .detail = {},
                      .role = record::Measured::Role::kFound,
                      .text = std::move(message),
                      .unread = record::Measured::Unread::kNotReadable});
}

void RunCase::count(std::string id, std::string node, std::string detail, double number, RemedyValues about) {
  measured.push_back({.id = std::move(id),
                      .node = std::move(node),
                      .detail = std::move(detail),
                      .samples = {Dimension::kCount, {number}},
                      .role = record::Measured::Role::kFound,
                      .about = std::move(about)});
}

JudgedSuite judge_run_suite(std::vector<RunCase> cases, const std::string& time,
                            const JudgeContext& context) {
  JudgedSuite suite{.name = kRunSuite, .cases = {}, .started = time, .launches = {}};
  std::map<std::string, std::size_t> taken;  // name -> times used
  for (RunCase& test : cases) {
    const std::string name = test.plan.name;
    while (taken.contains(test.plan.name)) test.plan.name = fmt::format("{}_{}", name, ++taken[name]);
    taken.emplace(test.plan.name, 1);
    const record::CaseEnded ended{.suite = kRunSuite,
                                  .name = test.plan.name,
                                  .iteration = 1,
                                  .seconds = 0,
                                  .measuring_s = 0,
                                  .measured = test.measured,
                                  .failures = test.failures,
                                  .notes = test.notes};
    Attempt attempt = judge_case(ended, {.owes = nullptr, .place = test.plan.place}, context);
    attempt.launch = 1;
    attempt.started = time;
    JudgedCase judged{
        .suite = kRunSuite, .plan = test.plan, .attempts = {}, .waiver = describe(attempt.waivers)};
    judged.attempts.push_back(std::move(attempt));
    suite.cases.push_back(std::move(judged));
  }
  suite.launches.push_back({kRunSuite, 1, true, ""});
  return suite;
}

}  // namespace rigproof::judge
