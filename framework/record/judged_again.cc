#include "framework/record/judged_again.h"

#include <fmt/format.h>

#include <random>
#include <regex>

namespace rigproof {
namespace {

constexpr std::string_view kAgain = "-again-";
constexpr std::size_t kOneMark = kAgain.size() + 4;

}  // namespace

std::string id_again(const std::string& run) {
  return fmt::format("{}{}{:04x}", run, kAgain, std::random_device()() & 0xffff);
}

// Mark by mark from the end: the name of a rig may hold such words, too, and an id from elsewhere may be of any length.
std::string measured_run(const std::string& id) {
  static const std::regex mark("-again-[0-9a-f]{4}");
  std::size_t size = id.size();
  while (size >= kOneMark && std::regex_match(id.begin() + static_cast<std::ptrdiff_t>(size - kOneMark),
                                              id.begin() + static_cast<std::ptrdiff_t>(size), mark))
    size -= kOneMark;
  return id.substr(0, size);
}

bool is_judged_again(const RunRecord& run) { return measured_run(run.start.id) != run.start.id; }

const std::string& measured_at(const RunRecord& run) {
  const bool has_suites = !run.suites.empty() && !run.suites.front().started.empty();
  return is_judged_again(run) && has_suites ? run.suites.front().started : run.started;
}

}  // namespace rigproof
