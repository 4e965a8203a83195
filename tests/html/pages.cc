// Writes reports of several runs for a browser to look at:   report-pages FOLDER
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "framework/limits/limit_table.h"
#include "reports/html/report_html.h"
#include "reports/manifest/manifest.h"
#include "tests/rig/rig_text.h"
#include "tests/support/chart_run.h"
#include "tests/support/golden_run.h"
#include "tests/support/hostile.h"

namespace rigproof {
namespace {

std::string file_text(const std::string& name) {
  std::ifstream file(name);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Within the limit, or past it; nothing for a limit on a text, or relative to what a half has not.
std::optional<double> value_for(const Limit& limit, bool misses) {
  const auto bound = [](const std::optional<Bound>& of) -> std::optional<double> {
    if (!of) return {};
    if (const auto* absolute = std::get_if<Quantity>(&of->value)) return absolute->value;
    const auto& relative = std::get<RelativeBound>(of->value);
    if (relative.fact == "half.rate") return relative.factor * 100e9;
    if (relative.fact == "half.mtu") return relative.factor * 9000;
    if (relative.fact == "half.path_mtu") return relative.factor * 4096;
    return relative.fact == "port.rate" ? std::optional(relative.factor * 200e9) : std::nullopt;
  };
  const auto least = bound(limit.at_least), most = bound(limit.at_most), equals = bound(limit.equals);
  if ((limit.at_least && !least) || (limit.at_most && !most)) return {};
  if (equals) return misses ? *equals + 1 : *equals;
  if (least) return misses ? *least * 0.5 : most ? (*least + *most) / 2 : *least * 1.1;
  if (most) return misses ? *most * 2 + 1 : *most * 0.4;
  return {};
}

// A whole qualification by a shipped thresholds file, judged by the real judge: headline limits and every fifth other one on
// each half, with facts beside. `broken`: all that node-b has misses, and node-a cannot be read.
judge::JudgedRun qualification(const std::string& rig_text, bool broken) {
  const std::string file = RIGPROOF_SOURCE_DIR "/thresholds/dgx-spark-pair.toml";
  const LimitTable table = LimitTable::load({file}, Profile::kSmoke, rig_fact_dimensions());
  const Rig rig = rig_of(rig_text);
  Story story(file_text(file));
  story.begun().rig_file = record::text_file("rig.toml", rig_text);
  struct Ended {
    record::PlannedCase plan;
    record::CaseEnded ended;
  };
  std::map<std::string, std::vector<Ended>> suites;
  const auto planned = [&](const Subject& subject, std::string_view test) {
    return record::PlannedCase{fmt::format("{}/{}", test, subject.name()), subject.text(),
                               subject.place(rig)};
  };
  std::size_t number = 0;
  const bool is_switched = !rig.links.empty() && rig.links.front().through.has_value();
  for (const Limit& limit : table.limits()) {
    // A rig has one of the two.
    if (limit.id == (is_switched ? "rdma.write.latency" : "rdma.write.latency.switched")) continue;
    if (++number % 5 != 0 && !limit.headline) continue;
    const std::string suite = limit.id.substr(0, limit.id.find('.'));
    for (const HalfSubject& half : every_half(rig)) {
      const record::PlannedCase plan = planned(half, fmt::format("EachHalf/Limit{}.Holds", number));
      const std::string &node = plan.place.nodes.front(), &netdev = rig.half(half.half).netdev;
      const auto value = value_for(limit, broken && node == "node-b");
      if (!value) continue;
      record::CaseEnded ended{.suite = suite,
                              .name = plan.name,
                              .iteration = 1,
                              .seconds = 1,
                              .measuring_s = 1,
                              .measured = {},
                              .failures = {}};
      const bool unread = broken && node == "node-a" && number % 3 == 0;
      if (unread)
        ended.failures.push_back({record::Failure::Kind::kSkip, "not-proven",
                                  "no answer within 30 s while reading netdevs/" + netdev, node, 0, "look",
                                  ""});
      else
        ended.measured.push_back({.id = limit.id,
                                  .node = node,
                                  .detail = {},
                                  .samples = {limit.dimension, {*value, *value, *value}}});
      for (int fact = 0; fact < 4; ++fact)
        ended.measured.push_back({.id = fmt::format("{}.fact{}", suite, fact),
                                  .node = node,
                                  .detail = netdev,
                                  .samples = {Dimension::kCount, {0}},
                                  .role = record::Measured::Role::kBeside});
      suites[suite].push_back({plan, std::move(ended)});
    }
  }
  // What the picture writes on cables and halves.
  const auto add_rate = [&](const Subject& path, std::string_view id, double rate) {
    const record::PlannedCase plan = planned(path, "EachPath/Rate.IsThere");
    const record::Measured measured{.id = std::string(id),
                                    .node = plan.place.nodes.front(),
                                    .detail = {},
                                    .samples = {Dimension::kDataRate, {rate, rate, rate}}};
    suites["tcp"].push_back({plan,
                             {.suite = "tcp",
                              .name = plan.name,
                              .iteration = 1,
                              .seconds = 1,
                              .measuring_s = 1,
                              .measured = {measured},
                              .failures = {}}});
  };
  // No two nodes quite alike; node-b, where it is broken, sends too slowly.
  const auto part_of = [&](const auto& path) {
    const bool slow = broken && path.from.node == 1;
    return (slow ? 0.6 : 1) - 0.002 * static_cast<double>((path.from.node + 2 * path.to.node) % 5);
  };
  for (const RailPath& path : every_rail_path(rig)) add_rate(path, "tcp.rate.half", 97.2e9 * part_of(path));
  for (const PortPath& path : every_port_path(rig)) add_rate(path, "tcp.rate.port", 193.7e9 * part_of(path));
  for (const auto& [suite, cases] : suites) {
    story.begun().declared[suite] = {{suite + ".*", "any", ""}};
    story.add(record::SuiteStarted{suite, 1, "mpirun -np 2 rigproof-suite-" + suite});
    record::SuitePlanned plan{suite, {}};
    for (const Ended& one : cases) plan.cases.push_back(one.plan);
    story.add(plan);
    for (const Ended& one : cases)
      story.add(record::CaseStarted{suite, one.plan.name, 1}).add(record::EventBody(one.ended));
    story.add(record::SuiteDone{suite}).add(record::SuiteEnded{suite, 1, true, ""});
  }
  if (broken)
    story.add(record::Problem{
        "unused-limit",
        "thresholds/dgx-spark-pair.toml:40: no case reported 'tcp.rate.unused'. Typo? Case removed?"});
  story.end();
  judge::RunJudge judge;
  for (const record::Event& event : story.events()) judge.add(event);
  return judge.run();
}

}  // namespace
}  // namespace rigproof

int main(int argc, char** argv) {
  using namespace rigproof;
  if (argc != 2) return 2;
  const auto write = [&](const char* name, const judge::JudgedRun& run) {
    std::ofstream out(std::filesystem::path(argv[1]) / name);
    html::write_report_html(run, manifest::evidence_of({{"journal.jsonl", std::string(64, 'a')}}), out);
  };
  write("healthy.html", run_of({ending("A.B", {good()}), ending("A.C", {good(), recorded("tcp.rtt")})}));
  write("broken.html", golden_run().record());
  write("charts.html", chart_run().record());
  write("hostile.html", hostile_run());
  judge::JudgedRun stand_in = run_of({ending("A.B", {good()})});
  stand_in.start.stand_in = "a stand-in switch";
  write("stand_in.html", stand_in);
  write("pair.html", qualification(star_text(2), false));
  write("pair_broken.html", qualification(star_text(2), true));
  write("ring.html", qualification(ring_text(), false));
  write("ring_broken.html", qualification(ring_text(), true));
  write("ring_four_broken.html", qualification(ring_of_four(""), true));
  write("one_cable.html",
        qualification(file_text(RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_one_cable.toml"), false));
  write("star_broken.html", qualification(star_text(4), true));
  write("sixteen_broken.html", qualification(star_text(16), true));
  write("sixty_four_broken.html", qualification(star_text(64), true));
  write("hundred_broken.html", qualification(star_text(100), true));
}
