#include "framework/record/run_id.h"

#include <fmt/format.h>

#include <cstdint>
#include <random>

namespace rigproof {
namespace {

constexpr std::string_view kAgain = "-again-";

std::string random_mark() {
  std::random_device entropy;
  return fmt::format("{:012x}",
                     std::uniform_int_distribution<std::uint64_t>(0, (std::uint64_t{1} << 48) - 1)(entropy));
}

// "2026-11-20T18:15:02.123Z" -> "20261120T181502Z"
std::string compact(std::string_view time) {
  std::string text(time.substr(0, time.find('.')));
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text.ends_with('Z') ? text : text + "Z";
}

}  // namespace

std::string new_run_id(std::string_view when, std::string_view rig) {
  return fmt::format("{}-{}-{}", compact(when), rig, random_mark());
}

std::string id_again(const std::string& run) { return fmt::format("{}{}{}", run, kAgain, random_mark()); }

}  // namespace rigproof
