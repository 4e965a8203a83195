#include "framework/supervisor/steady.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

namespace rigproof {
namespace {

std::string case_name(const std::string& id, const std::string& node, const std::string& subject) {
  const std::string name = fmt::format("Steady.{}/{}", plain(id), plain(node));
  return subject.empty() ? name : name + "_" + plain(subject);
}

// A subject is a netdev, or an interface behind its switch's name.
Words words_of(const std::string& subject) {
  const auto space = subject.rfind(' ');
  if (space == std::string::npos) return {{"netdev", subject}};
  return {{"switch", subject.substr(0, space)}, {"interface", subject.substr(space + 1)}};
}

}  // namespace

void SteadyCounters::see(const EventBody& event) {
  const auto* seen = std::get_if<Observed>(&event);
  if (seen == nullptr) return;
  auto counter = std::find_if(counters_.begin(), counters_.end(), [seen](const Counter& known) {
    return known.id == seen->id && known.node == seen->node && known.subject == seen->subject;
  });
  if (counter == counters_.end())
    counter = counters_.insert(counter, {seen->id, seen->node, seen->subject, {}, {}});
  if (seen->why.empty())
    counter->values.push_back(seen->value);
  else if (counter->unread.empty())
    counter->unread = seen->why;
}

RunCase SteadyCounters::judged(const Counter& counter, const LimitTable& limits) {
  RunCase test;
  test.plan = {case_name(counter.id, counter.node, counter.subject),
               fmt::format("change of {} on {} {} during the run", counter.id, counter.node, counter.subject),
               {counter.node}};
  test.limit = counter.id;
  const auto& values = counter.values;
  const auto back = std::adjacent_find(values.begin(), values.end(), std::greater<>());
  if (back != values.end()) {
    const std::string message = fmt::format("{} {} went back from {} to {}: reset, or the node restarted",
                                            counter.id, counter.subject, *back, *std::next(back));
    test.failures = {run_failure(Failure::Kind::kError, "counter-reset", message, counter.node)};
  } else if (!counter.unread.empty()) {
    const std::string message = fmt::format("{} could not be read: {}", counter.id, counter.unread);
    test.failures = {run_failure(Failure::Kind::kSkip, "not-proven", message, counter.node)};
  } else if (values.size() < 2) {
    const std::string message = counter.id + " was read only once: no suite reached its end";
    test.failures = {run_failure(Failure::Kind::kSkip, "not-proven", message, counter.node)};
  } else {
    test.measurements = {judged_count(limits, counter.id, counter.node, counter.subject,
                                      values.back() - values.front(), words_of(counter.subject))};
  }
  return test;
}

std::vector<RunCase> SteadyCounters::cases(const LimitTable& limits) const {
  std::vector<RunCase> cases;
  std::set<std::string> taken;
  for (const Counter& counter : counters_) {
    if (limits.find(counter.id) == nullptr) continue;
    RunCase test = judged(counter, limits);
    while (!taken.insert(test.plan.name).second) test.plan.name += "_";
    cases.push_back(std::move(test));
  }
  return cases;
}

}  // namespace rigproof
