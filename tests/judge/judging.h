#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/judge/judge_case.h"
#include "tests/rig/rig_text.h"

namespace rigproof {

inline constexpr auto kFail = record::Failure::Kind::kFail;
inline constexpr auto kError = record::Failure::Kind::kError;
inline constexpr auto kSkip = record::Failure::Kind::kSkip;

inline std::shared_ptr<const LimitTable> limits_of(std::string_view text) {
  return std::make_shared<const LimitTable>(
      LimitTable::read({toml::Document::parse(text, "t.toml")}, Profile::kStandard, rig_fact_dimensions()));
}

// An upper limit on a count.
inline std::string at_most(std::string_view id, std::string_view bound, std::string_view more = {}) {
  return "[[limit]]\nid = \"" + std::string(id) + "\"\nat_most = \"" + std::string(bound) + "\"\n" +
         "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n" +
         std::string(more) + "\n";
}

// "no-plan: suite tcp: launch 1 ended ..."
inline std::vector<std::string> problems_of(const judge::JudgedRun& run) {
  std::vector<std::string> list;
  for (const record::Problem& problem : run.problems) list.push_back(problem.type + ": " + problem.message);
  return list;
}

}  // namespace rigproof
