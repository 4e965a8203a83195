#pragma once

#include <chrono>
#include <filesystem>

#include "fixtures/facts/read_facts.h"

namespace rigproof::facts {

// However busy the machine is: what a product gives up after 1.5 s is no fact of a test.
inline constexpr std::chrono::minutes kPatience{1};

// Of a recorded tree of /proc, /sys and /etc.
inline Document facts_of_tree(const std::filesystem::path& root) {
  return read_facts({.node = "node-a", .root = root, .fact_timeout = kPatience, .timeout = kPatience});
}

}  // namespace rigproof::facts
