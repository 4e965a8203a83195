#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/rig/rig_text.h"
#include "tests/support/story.h"

namespace rigproof {

inline constexpr const char* kHalfLimit =
    "[[limit]]\nid = \"tcp.rate.half\"\nat_least = \"95 % of half.rate\"\nunit = \"Gbit/s\"\nremedy.check = "
    "\"look\"\n"
    "headline = true\nbasis = { kind = \"policy\", source = \"the tests\", reasoning = \"as it is\" }\n";

// A run of so many nodes on one switch by the real judge: node-c sends at this rate, the others at 98 Gbit/s.
inline judge::JudgedRun run_of_star(int count, double of_third) {
  Story story(kHalfLimit);
  story.begun().rig_file = record::text_file("rig.toml", star_text(count));
  story.begun().limits = {record::text_file("limits.toml", kHalfLimit)};
  std::vector<std::string> nodes;
  for (int node = 0; node < count; ++node) nodes.push_back(node_name(node));
  record::SuitePlanned plan{"tcp", {}, {{"RailRate.FillsTheHalf", {"tcp.rate.half"}, {}}}};
  std::vector<std::pair<std::string, double>> cases;
  for (const std::string& from : nodes)
    for (const std::string& to : nodes) {
      if (from == to) continue;
      const auto name = [](std::string node) { return node[4] = '_', node; };
      plan.cases.push_back({"EachRail/RailRate.FillsTheHalf/rail0_" + name(from) + "_to_" + name(to),
                            "",
                            {SubjectPlace::Kind::kRail, "rail0", {from, to}},
                            0});
      cases.emplace_back(plan.cases.back().name, from == "node-c" ? of_third : 98e9);
    }
  story.launch().add(plan);
  for (const auto& [name, rate] : cases) {
    story.start(name);
    story.add(record::EventBody(record::CaseEnded{
        .suite = "tcp",
        .name = name,
        .iteration = 1,
        .seconds = 1,
        .measuring_s = 1,
        .measured = {{.id = "tcp.rate.half",
                      .node = "node-a",
                      .detail = {},
                      .samples = {Dimension::kDataRate, {rate * 0.999, rate, rate * 1.001}}}},
        .failures = {}}));
  }
  story.done().end();
  judge::RunJudge judge;
  for (const record::Event& event : story.events()) judge.add(event);
  return judge.run();
}

inline judge::JudgedRun run_of_three(double of_third) { return run_of_star(3, of_third); }

}  // namespace rigproof
