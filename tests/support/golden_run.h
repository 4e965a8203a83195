#pragma once

#include "tests/support/story.h"

namespace rigproof {

// A run in which everything happens that a report has to tell: see tests/golden/.
inline Story golden_run() {
  Measurement marginal = judged("tcp.rate.both", Verdict::kMarginal, 1.91e9, 0.0053);
  marginal.judgement.limit = ">= 1.9 Gbit/s (95 % of port.rate)";
  Measurement round_trip = recorded("tcp.rtt");
  round_trip.samples = {Dimension::kTime, {81e-6, 85e-6, 140e-6}};
  round_trip.unit = "us";
  round_trip.judgement.value = 85e-6;
  Measurement other = missed("tcp.rate.both");
  other.node = "node-b";
  other.detail = "enp1s0f0np0 tx";
  Measurement waived = missed("tcp.rate.reverse");
  const Failure skip{
      Failure::Kind::kSkip, "not-proven", "the carrier attribute cannot be read", "node-a", 0, "read", ""};
  const Failure assertion{
      Failure::Kind::kFail,           "assertion", "Expected equality: 4 and 5", "node-b", 1, "check",
      "suites/tcp/many_streams.cc:40"};

  Story story(
      "[[limit]]\nid = \"tcp.rate.reverse\"\n"
      "[[waiver]]\nlimit = \"tcp.rate.reverse\"\nreason = \"one old cable\"\nowner = \"Ann\"\nexpires = "
      "\"2026-12-31\"\n");
  story.add(SuiteStarted{"link", 1, "mpirun -np 2 rigproof-suite-link"});
  story.add(NodeSeen{"link", "node-a", 0, {{"kernel", "6.1.0-18"}}});
  story.add(NodeSeen{"link", "node-b", 1, {{"kernel", "6.1.0-17"}}});
  story.add(SuitePlanned{"link", {{"EachPort/LinkUp.IsUp/node_a_port0", "node-a:port0", {"node-a"}}}});
  story.add(CaseStarted{"link", "EachPort/LinkUp.IsUp/node_a_port0", 1});
  CaseEnded link = ending("EachPort/LinkUp.IsUp/node_a_port0", {}, {skip});
  link.suite = "link";
  story.add(link).add(SuiteDone{"link"}).add(SuiteEnded{"link", 1, true, ""});

  story.launch(1).plan({"Rail/OneStream.FillsTheHalf/rail0", "Rail/BothHalves.Fill/rail0",
                        "Rail/BothHalves.Fill/rail1", "Rail/Reverse.FillsTheHalf/rail0",
                        "Rail/ManyStreams.FillTheHalf/rail0", "Rail/AllHalves.Fill/rail0",
                        "Rail/Counters.AreTold/rail0", "Rail/Duplex.Fills/rail0"});
  story.run(ending("Rail/OneStream.FillsTheHalf/rail0", {good(), round_trip}));
  story.run(ending("Rail/BothHalves.Fill/rail0", {marginal}));
  story.run(ending("Rail/BothHalves.Fill/rail1", {missed(), other, round_trip}, {assertion}));
  story.run(ending("Rail/Reverse.FillsTheHalf/rail0", {waived}));
  story.start("Rail/ManyStreams.FillTheHalf/rail0");
  story.add(PhaseStarted{"tcp", "Rail/ManyStreams.FillTheHalf/rail0", "measure", 30});
  story.broken_off(1, "rank 1 on node-b: killed by signal 11");
  story.launch(2).plan(
      {"Rail/AllHalves.Fill/rail0", "Rail/Counters.AreTold/rail0", "Rail/Duplex.Fills/rail0"});
  CaseEnded repeated = ending("Rail/AllHalves.Fill/rail0", {good()});
  story.run(repeated);
  repeated.iteration = 2;
  story.run(repeated);
  Measurement fact = recorded("tcp.counters");
  fact.samples = {Dimension::kCount, {}};
  fact.text = "none has moved";
  story.run(ending("Rail/Counters.AreTold/rail0", {fact})).done(2);
  story.add(Problem{"unused-limit", "thresholds/model-rig.toml:40: no case reported 'tcp.rate.unused'"});
  return std::move(story.add(RunEnded{2, 61.25}));
}

}  // namespace rigproof
