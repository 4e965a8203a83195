#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "framework/judge/judge_case.h"
#include "tests/rig/rig_text.h"

namespace rigproof {

inline std::shared_ptr<const LimitTable> limits_of(std::string_view text) {
  return std::make_shared<const LimitTable>(
      LimitTable::read({toml::Document::parse(text, "t.toml")}, Profile::kStandard, rig_fact_dimensions()));
}

// An upper limit on a count.
inline std::string at_most(std::string_view id, std::string_view bound, std::string_view more = {}) {
  return "[[limit]]\nid = \"" + std::string(id) + "\"\nat_most = \"" + std::string(bound) + "\"\n" +
         "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy = \"r\"\n" +
         std::string(more) + "\n";
}

}  // namespace rigproof
