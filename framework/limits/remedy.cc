#include "framework/limits/remedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace rigproof::inline limits {
namespace {

std::string bare(Quantity quantity) {
  const bool whole = quantity.dimension == Dimension::kDataSize || quantity.dimension == Dimension::kCount;
  return whole ? fmt::format("{:.0f}", quantity.value) : to_text(quantity);
}

// Those of subjects, and of findings of the suites.
constexpr std::array kWords = {"netdev",    "netdevs",    "netdev_list", "rdma",     "rdmas",
                               "rdma_list", "address",    "prefix",      "mtu",      "port",
                               "peer",      "peer_node",  "peer_netdev", "function", "switch",
                               "interface", "management", "apply"};

RemedyValues upper_cased() {
  RemedyValues words;
  for (const std::string word : kWords) {
    std::string& generic = words[word] = word;
    std::ranges::transform(generic, generic.begin(),
                           [](char c) { return static_cast<char>(std::toupper(c)); });
  }
  return words;
}

}  // namespace

const RemedyValues& generic_values() {
  static const RemedyValues words = upper_cased();
  return words;
}

std::string fill_placeholders(std::string_view remedy, const RemedyValues& words) {
  const auto meaning = [&](std::string_view word) -> const std::string* {
    for (const RemedyValues* known : {&words, &generic_values()})
      if (const auto found = known->find(word); found != known->end()) return &found->second;
    return nullptr;
  };
  std::string text;
  while (!remedy.empty()) {
    const auto open = std::min(remedy.find('{'), remedy.size());
    text += remedy.substr(0, open);
    remedy.remove_prefix(open);
    const auto close = remedy.find('}');
    if (close == std::string_view::npos) break;
    const std::string* word = meaning(remedy.substr(1, close - 1));
    const std::size_t used = word == nullptr ? 1 : close + 1;
    text += word == nullptr ? remedy.substr(0, 1) : std::string_view(*word);
    remedy.remove_prefix(used);
  }
  return text.append(remedy);
}

std::string target_value(const Limit& limit, const Facts& facts) {
  if (limit.rule) return limit.rule->one_of.empty() ? limit.rule->at_least_version : limit.rule->one_of[0];
  for (const auto& bound : {limit.equals, limit.at_least, limit.at_most}) {
    if (!bound) continue;
    if (const auto* quantity = std::get_if<Quantity>(&bound->value)) return bare(*quantity);
    const auto& part = std::get<RelativeBound>(bound->value);
    const auto fact = facts.find(part.fact);
    if (fact == facts.end()) return {};
    return bare({limit.dimension, part.factor * fact->second.value});
  }
  return {};
}

}  // namespace rigproof::inline limits
