#pragma once

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "framework/units/printable.h"

// To be included by few: nlohmann/json.hpp is large.

namespace rigproof::record {

// JSON that has one meaning: two programs may take different ones of two equal keys. Nor may it be nested deeper than any
// document of Rigproof is: what copies such a one calls itself for each level. Throws std::invalid_argument for these, and
// nlohmann's own exceptions.
inline nlohmann::json parse_strict_json(std::string_view text) {
  using Json = nlohmann::json;
  constexpr int kDeepest = 64;
  std::vector<std::set<std::string>> open;  // the keys of each object that is not closed
  return Json::parse(text, [&](int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > kDeepest) throw std::invalid_argument(fmt::format("nested more than {} deep", kDeepest));
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event != Json::parse_event_t::key) return true;
    const auto& key = parsed.get_ref<const std::string&>();
    if (!open.back().insert(key).second)
      throw std::invalid_argument(fmt::format("key '{}' twice in one object", shortened(key, 100)));
    return true;
  });
}

// "[json.exception.out_of_range.406] number overflow parsing '1e999'" -> "number overflow parsing '1e999'", shortened: it
// may quote all that was read.
inline std::string words_of(const nlohmann::json::exception& error) {
  const std::string_view words = error.what();
  const auto what = words.find("] ");
  return shortened(words.substr(what == words.npos ? 0 : what + 2), 300);
}

}  // namespace rigproof::record
