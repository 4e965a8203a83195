#include "reports/text/acceptance.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "framework/judge/node_verdicts.h"
#include "reports/text/markup.h"

namespace rigproof::text {

std::string sample_text(const judge::JudgedRun& run) {
  if (!run.sample) return {};
  const judge::SampleResult& sample = *run.sample;
  const record::Asked& asked = run.start.asked;
  const std::string met = sample.fewest_met == sample.most_met
                              ? fmt::to_string(sample.most_met)
                              : fmt::format("{} to {}", sample.fewest_met, sample.most_met);
  const std::string further =
      sample.further == 0 ? ""
                          : fmt::format(" {} further pair{} met to tell slow nodes from their partners.",
                                        sample.further, sample.further == 1 ? "" : "s");
  const std::string pairs = sample.left_out == 0
                                ? "every pair"
                                : fmt::format("{} rounds of pairs, seed {}; {} pairs did not meet",
                                              asked.rounds, asked.seed, sample.left_out);
  const std::string weaker = run.limits ? judge::weaker_sample(asked.sample, *run.limits) : "";
  return one_line(fmt::format(
      "Each node met {} others ({}).{} A node "
      "that is {:g} % slower "
      "is rejected with a probability of at least {:.1f} % ({} of {} simulated rigs), and a "
      "sound rig of at most "
      "{:.1f} % ({} of {}), if nodes differ and rates scatter as in this run, by {:.2f} %.{}{}",
      met, pairs, further, 100 * asked.sample.slower, 100 * sample.slow.at_least, sample.slow.rejected,
      sample.slow.rigs, 100 * sample.sound.at_most, sample.sound.rejected, sample.sound.rigs,
      100 * sample.scatter, sample.left_out == 0 ? "" : " A fault of one pair alone is not looked for.",
      weaker.empty() ? "" : fmt::format(" Deviation: {}.", weaker)));
}

namespace {

// "; try 2: rejected until 2026-11-29T06:00:00.000Z: 9.9 % slower than the other nodes". Empty: measured once.
std::string tries_text(const judge::JudgedRun& run, const judge::NodeVerdict& node) {
  if (node.tries == 1) return "";
  std::string text = fmt::format("; try {}", node.tries);
  for (const judge::JudgedRun::Retest& retest : run.retests)
    if (retest.node == node.node)
      text += fmt::format("; until {} {}{}{}", retest.time, retest.before, retest.why.empty() ? "" : ": ",
                          retest.why);
  return text;
}

}  // namespace

std::vector<std::string> node_lines(const judge::JudgedRun& run) {
  std::vector<judge::NodeVerdict> nodes = judge::verdicts_of_nodes(run);
  std::vector<std::string> lines;
  if (nodes.size() <= 2) return lines;
  std::ranges::stable_sort(nodes, std::greater(), &judge::NodeVerdict::acceptance);
  std::string accepted;
  std::size_t count = 0;
  for (const judge::NodeVerdict& node : nodes) {
    const bool is_accepted = node.acceptance == judge::Acceptance::kAccepted;
    if (is_accepted) accepted += (count++ == 0 ? "" : ", ") + node.node;
    if (!is_accepted || node.tries > 1)
      lines.push_back(one_line(fmt::format("{}: {}{}{}{}", node.node, name(node.acceptance),
                                           is_accepted ? "" : ": ", node.why, tries_text(run, node))));
  }
  lines.push_back(one_line(fmt::format("{} of {} nodes accepted{}{}", count, nodes.size(),
                                       accepted.empty() ? "" : ": ", accepted)));
  return lines;
}

}  // namespace rigproof::text
