#include <fmt/format.h>

#include <iterator>

#include "reports/text/describe.h"
#include "reports/text/markup.h"

namespace rigproof::text {
namespace {

std::string percent(double share) { return fmt::format("{:.0f}", share * 100); }

std::string interval_text(const judge::Chance& chance) {
  return fmt::format("{} ({}-{})", percent(chance.one), percent(chance.of_one.low),
                     percent(chance.of_one.high));
}

std::string samples_text(const judge::LimitPower& power) {
  return power.fewest == power.most ? fmt::to_string(power.most)
                                    : fmt::format("{}-{}", power.fewest, power.most);
}

// The smallest slow-down from which the chance stays at 95 % or more.
std::string stopped_from(const judge::LimitPower& power, double judge::Chance::*chance) {
  constexpr double kStops = 0.95;
  const judge::Chance* from = nullptr;
  for (auto one = power.chances.rbegin(); one != power.chances.rend() && (*one).*chance >= kStops; ++one)
    from = &*one;
  if (from == nullptr)
    return fmt::format("not stopped, not even {:.0f} %",
                       judge::kSlowDowns[std::size(judge::kSlowDowns) - 1] * 100);
  return from->slower == 0 ? "stopped as it is" : fmt::format("stopped from {:.0f} % on", from->slower * 100);
}

}  // namespace

std::vector<std::string> power_lines(const std::vector<judge::LimitPower>& power) {
  std::vector<std::string> lines;
  for (const judge::LimitPower& one : power)
    lines.push_back(fmt::format("{}: all slower: {}; one place slower: {}", one_line(one.id),
                                stopped_from(one, &judge::Chance::whole),
                                stopped_from(one, &judge::Chance::one)));
  return lines;
}

std::vector<std::vector<std::string>> power_rows(const std::vector<judge::LimitPower>& power) {
  std::vector<std::string> head{"limit", "slowed", "figures", "samples"};
  for (const double slower : judge::kSlowDowns)
    head.push_back(slower == 0 ? "as it is" : fmt::format("by {:.0f} %", slower * 100));
  std::vector<std::vector<std::string>> rows{head};
  for (const judge::LimitPower& one : power) {
    std::vector<std::string> whole{one_line(one.id), "everywhere", fmt::to_string(one.figures),
                                   samples_text(one)};
    std::vector<std::string> alone{shortened(one_line(one.limit), 60), "one place", "", ""};
    for (const judge::Chance& chance : one.chances) {
      whole.push_back(percent(chance.whole));
      alone.push_back(interval_text(chance));
    }
    rows.push_back(std::move(whole));
    rows.push_back(std::move(alone));
  }
  return rows;
}

std::vector<std::string> power_notes() {
  return {"Percentages are the chance that the limit stops this rig.",
          "Each column makes rates and shares smaller, and times larger, by that much. Each figure's samples "
          "are drawn again at random and judged as in a run.",
          "In brackets the 95 % interval (Clopper and Pearson) over the figures that this run has.",
          "The interval includes only the scatter within this run, not the scatter between runs."};
}

}  // namespace rigproof::text
