#pragma once

#include "tests/support/story.h"

namespace rigproof {

inline constexpr const char* kGoldenLimits = R"toml([[limit]]
id = "tcp.rate.half"
at_least = "95 % of half.rate"
unit = "Gbit/s"
basis = { kind = "measured", source = "this rig, 20 runs", quote = "median 0.978 Gbit/s" }
remedy.check = "check the link's rate (ethtool {netdev})"

[[limit]]
id = "tcp.rate.both"
at_least = "95 % of port.rate"
marginal = "96 % of port.rate"
unit = "Gbit/s"
basis = { kind = "derived", source = "tcp.rate.half", reasoning = "two halves, twice the rate" }
remedy.check = "run both halves alone first"

[[limit]]
id = "tcp.rate.reverse"
at_least = "95 % of half.rate"
unit = "Gbit/s"
basis = { kind = "measured", source = "this rig, 20 runs", quote = "median 0.977 Gbit/s" }
remedy.check = "check the link's rate (ethtool {netdev})"

[[limit]]
id = "rdma.write.rate"
at_least = "90 % of half.rate"
basis = { kind = "vendor", source = "the device's data sheet", quote = "at line rate" }
remedy.check = "ibv_devinfo {rdma}"

[[waiver]]
limit = "tcp.rate.reverse"
reason = "one old cable"
owner = "Ann"
expires = "2026-12-31"
)toml";

// A pair with one port of two halves each.
inline std::string golden_rig() {
  std::string text = "format = 1\nname = \"model-rig\"\nkind = \"model\"\n";
  int host = 0;
  for (const char* node : {"node-a", "node-b"}) {
    ++host;
    text += fmt::format("\n[[node]]\nname = \"{0}\"\naddress = \"{0}\"\nmanagement = \"mgmt0\"\n", node);
    text +=
        "[[node.port]]\nname = \"port0\"\nrate = \"2 Gbit/s\"\n"
        "counters = { source = \"ethtool\", device = \"half0\" }\n";
    for (const int half : {0, 1})
      text += fmt::format(
          "[[node.port.half]]\nnetdev = \"half{0}\"\naddress = \"198.18.{1}.{2}/24\"\nrate = \"1 Gbit/s\"\n"
          "mtu = \"9000 B\"\n",
          half, half + 1, host);
  }
  text += "\n[[link]]\nname = \"cable0\"\nports = [\"node-a:port0\", \"node-b:port0\"]\n";
  for (const int rail : {0, 1})
    text += fmt::format("\n[[rail]]\nname = \"rail{0}\"\nhalves = [\"node-a:half{0}\", \"node-b:half{0}\"]\n",
                        rail);
  return text;
}

// As a suite reports it: what no limit judges stands beside what is judged, and a miss has a note.
inline Ending golden_ending(std::string name, std::vector<judge::JudgedMeasurement> judged,
                            std::vector<record::Failure> failures = {}) {
  Ending ended = ending(std::move(name), std::move(judged), std::move(failures));
  for (std::size_t i = 0; i < ended.judged.size(); ++i) {
    const judge::JudgedMeasurement& measurement = ended.judged[i];
    if (measurement.judgement.verdict == judge::Verdict::kRecorded && measurement.text.empty())
      ended.measured[i].role = record::Measured::Role::kBeside;
    if (is_failed_or_error(measurement)) ended.notes = {"a note"};
  }
  return ended;
}

// A run in which everything happens that a report has to tell: see tests/golden/. Its verdicts are those that the judge
// comes to by its limits and its rig.
inline Story golden_run() {
  judge::JudgedMeasurement marginal = judged("tcp.rate.both", judge::Verdict::kMarginal, 1.91e9, 0.0053);
  marginal.judgement.limit = ">= 1.9 Gbit/s (95 % of port.rate)";
  judge::JudgedMeasurement round_trip = recorded("tcp.rtt");
  round_trip.samples = {Dimension::kTime, {81e-6, 85e-6, 140e-6}};
  round_trip.unit = "us";
  round_trip.judgement.value = 85e-6;
  judge::JudgedMeasurement other = missed("tcp.rate.both");
  other.node = "node-b";
  other.detail = "enp1s0f0np0 tx";
  const judge::JudgedMeasurement waived = missed("tcp.rate.reverse");
  const record::Failure skip{record::Failure::Kind::kSkip,
                             "not-proven",
                             "the carrier attribute cannot be read",
                             "node-a",
                             0,
                             "read",
                             ""};
  const record::Failure assertion{
      record::Failure::Kind::kFail,   "assertion", "Expected equality: 4 and 5", "node-b", 1, "check",
      "suites/tcp/many_streams.cc:40"};

  Story story(kGoldenLimits);
  record::RunStarted& start = story.begun();
  start.rig_file = record::text_file("model-rig.toml", golden_rig());
  start.limits = {record::text_file("thresholds/model-rig.toml", kGoldenLimits)};
  start.programs.push_back({"rigproof-suite-tcp", "0.1.0", "4e5f", "8c9d"});
  start.declared["tcp"].push_back({"tcp.rate.half", "bit/s", "", "One half, one way",
                                   "What parallel TCP streams carry over one half, in one direction.",
                                   "Losses, a narrow PCIe link, or a busy CPU."});
  start.declared["rdma"] = {{"rdma.write.rate", "bit/s", "an RDMA device of each half"}};
  story.add(record::SuiteStarted{"link", 1, "mpirun -np 2 rigproof-suite-link"});
  story.add(record::NodeSeen{"link", "node-a", 0, {{"", {{"kernel", "6.1.0-18"}}}}});
  story.add(record::NodeSeen{"link", "node-b", 1, {{"", {{"kernel", "6.1.0-17"}}}}});
  story.add(record::SuitePlanned{"link",
                                 {{"EachPort/LinkUp.IsUp/node_a_port0",
                                   "node-a:port0",
                                   {SubjectPlace::Kind::kPort, "port0", {"node-a"}}}}});
  story.add(record::CaseStarted{"link", "EachPort/LinkUp.IsUp/node_a_port0", 1});
  Ending link = golden_ending("EachPort/LinkUp.IsUp/node_a_port0", {}, {skip});
  link.suite = "link";
  story.add(link).add(record::SuiteDone{"link"}).add(record::SuiteEnded{"link", 1, true, ""});

  const std::string rail0 = "rail0_node_a_node_b", rail1 = "rail1_node_a_node_b";
  story.launch(1).plan({"Rail/OneStream.FillsTheHalf/" + rail0, "Rail/BothHalves.Fill/" + rail0,
                        "Rail/BothHalves.Fill/" + rail1, "Rail/Reverse.FillsTheHalf/" + rail0,
                        "Rail/ManyStreams.FillTheHalf/" + rail0, "Rail/AllHalves.Fill/" + rail0,
                        "Rail/Counters.AreTold/" + rail0, "Rail/Duplex.Fills/" + rail0});
  story.run(golden_ending("Rail/OneStream.FillsTheHalf/" + rail0, {good(), round_trip}));
  story.run(golden_ending("Rail/BothHalves.Fill/" + rail0, {marginal}));
  story.run(golden_ending("Rail/BothHalves.Fill/" + rail1, {missed(), other, round_trip}, {assertion}));
  story.run(golden_ending("Rail/Reverse.FillsTheHalf/" + rail0, {waived}));
  story.start("Rail/ManyStreams.FillTheHalf/" + rail0);
  story.add(record::PhaseStarted{"tcp", "Rail/ManyStreams.FillTheHalf/" + rail0, "measure", 30});
  story.broken_off(1, "rank 1 on node-b: killed by signal 11");
  story.launch(2).plan(
      {"Rail/AllHalves.Fill/" + rail0, "Rail/Counters.AreTold/" + rail0, "Rail/Duplex.Fills/" + rail0});
  Ending repeated = golden_ending("Rail/AllHalves.Fill/" + rail0, {good()});
  story.run(repeated);
  repeated.iteration = 2;
  story.run(repeated);
  judge::JudgedMeasurement fact = recorded("tcp.counters");
  fact.samples = {Dimension::kCount, {}};
  fact.text = "none has moved";
  story.run(golden_ending("Rail/Counters.AreTold/" + rail0, {fact})).done(2);
  story.add(
      record::Problem{"unused-limit", "thresholds/model-rig.toml:40: no case reported 'tcp.rate.unused'"});
  return std::move(story.add(record::RunEnded{61.25}));
}

// A pair: the case of one rail has its rate, that of the other crashed before it measured.
inline judge::JudgedRun run_with_a_figure_lacking() {
  Story story(
      "[[limit]]\nid = \"tcp.rate.half\"\nat_least = \"0.95 Gbit/s\"\nremedy.check = \"look\"\nheadline = "
      "true\n"
      "basis = { kind = \"policy\", source = \"the tests\", reasoning = \"as it is\" }\n");
  story.begun().rig_file = record::text_file("rig.toml", golden_rig());
  record::SuitePlanned plan{"tcp", {}};
  plan.tests.push_back({"B", {"tcp.rate.half"}, {}});
  const std::vector<Ending> endings{ending("A.B/rail0_node_a_to_node_b", {good()}),
                                    ending("A.B/rail1_node_a_to_node_b", {},
                                           {{record::Failure::Kind::kError, "crash",
                                             "rank 0 (node-a) crashed", "node-a", 0, "probe", ""}})};
  const Rig rig = read_rig(toml::Document::parse(golden_rig(), "rig.toml"));
  for (const Ending& ended : endings)
    plan.cases.push_back({ended.name, "a path", place_in(rig, judge::case_name(ended.name).parameter), 0});
  story.launch().add(plan);
  for (const Ending& ended : endings) story.run(ended);
  return story.done().end().record();
}

}  // namespace rigproof
