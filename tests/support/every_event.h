#pragma once

#include <chrono>
#include <vector>

#include "tests/support/story.h"

namespace rigproof {

// The events of a run that has every kind of event, and a text, list and map in every field that takes one.
inline std::vector<record::Event> every_event() {
  judge::JudgedMeasurement fact = recorded("tcp.fact");
  fact.text = "RS";
  fact.detail = "enp1s0f0np0";
  judge::JudgedMeasurement series = recorded("tcp.series");
  series.detail = "node-a:port0 tx";
  series = with_axis(series, record::every(std::chrono::milliseconds(100)));
  judge::JudgedMeasurement curve = recorded("tcp.curve");
  curve.detail = "rail0";
  curve = with_axis(curve, record::at(Quantity{Dimension::kDataSize, 65536}));
  record::Failure lost = failure(record::Failure::Kind::kError, "lost-peer", "node-b went away");
  lost.where = "suites/tcp/many_streams.cc:40";
  Story story(
      "[[limit]]\nid = \"tcp.rate.half\"\nat_least = \"0.95 Gbit/s\"\n"
      "basis = { kind = \"policy\", source = \"the tests\", reasoning = \"as it is\" }\nremedy.check = "
      "\"look\"\n");
  record::RunStarted& start = story.begun();
  start.stand_in = "the switch is simulated";
  start.asked.suites = {"tcp"};
  start.asked.filter = "A.*";
  start.asked.snapshot = "facts";
  start.planned = {"tcp", "rdma"};
  start.faults = {record::text_file("faults.toml",
                                    "[[fault]]\nname = \"slow\"\ncertainty = \"likely\"\n"
                                    "when = [{ id = \"tcp.rate.half\", at_most = \"2 Gbit/s\" }]\n"
                                    "basis = { kind = \"policy\", source = \"s\", quote = \"q\" }\n"
                                    "remedy.hint = \"Look.\"\n")};
  start.declared["rdma"] = {
      {"rdma.rate", "bit/s", "an RDMA device", "One half", "What it carries.", "A slow half."}};
  start.again = record::Rejudged{"20261120T181500Z-model-rig-4f2a", "2026-11-21T09:00:00.000Z", "bob", "desk",
                                 "rigproof judge out"};
  start.again->files = {{"logs/thresholds-before.toml", std::string(64, 'a')}};
  const record::PlannedTest test{"A.B", {"tcp.rate.half"}, {"tcp.curve"}};
  story.launch().add(record::SuitePlanned{
      "tcp",
      {{"A.B", "rail0: node-a -> node-b", {SubjectPlace::Kind::kRail, "rail0", {"node-a", "node-b"}}, 0},
       {"A.C", "rail0: node-a -> node-b", {SubjectPlace::Kind::kNodes, "", {"node-a", "node-b"}, true}},
       {"A.D", "rail0: node-a -> node-b", {SubjectPlace::Kind::kNodes, "", {"node-a", "node-b"}, true}}},
      {test},
      {"link.down_events"}});
  story.add(record::NodeSeen{
      "tcp", "node-a", 0, {{"", {{"kernel", "6.1.0"}}}, {"enp1s0f0np0", {{"serial", "MT1"}}}}});
  story.add(
      record::Observed{"link.down_events", "node-a", "node-a:port0", 0, "", {{"netdev", "enp1s0f0np0"}}});
  story.add(record::Observed{"link.down_events", "node-a", "node-a:port1", 0, "no such counter"});
  story.start("A.B").add(record::PhaseStarted{"tcp", "A.B", "measure", 5});
  story.add(record::CableMoved{
      "tcp", "A.B", "node-a:port0", record::CableMoved::Step::kPull, "the operator", 60, {}});
  story.add(record::CableMoved{"tcp",
                               "A.B",
                               "node-a:port0",
                               record::CableMoved::Step::kPlugged,
                               "the operator",
                               0,
                               {{"node-a", "enp1s0f0np0", 1}}});
  Ending ended = ending("A.B", {good(), missed("tcp.bad"), fact, series, curve});
  ended.measured[2].unread = record::Measured::Unread::kNotReadable;
  ended.measured[2].about = {{"netdev", "enp1s0f0np0"}};
  ended.notes = {"the other half was busy"};
  ended.disturbed = 0.05;
  story.add(ended);
  story.run(ending("A.C", {}, {lost}));
  story.broken_off(1, "rank 1 died").launch(2).plan({"A.B", "A.C", "A.D"});
  story.run(ending("A.D", {}, {failure(record::Failure::Kind::kSkip, "not-proven", "no such device")}))
      .done(2);
  story.add(record::SuiteStarted{"tcp", 1, "mpirun", 1, 2, {"node-a", "node-b"}})
      .add(record::SuitePlanned{"tcp", {{"A.E", "", {}}}, {}, {}, 1})
      .add(record::CaseStarted{"tcp", "A.E", 1, 1})
      .add(record::PhaseStarted{"tcp", "A.E", "measure", 5, 1});
  Ending of_job = ending("A.E", {good()});
  of_job.job = 1;
  story.add(of_job).add(record::SuiteDone{"tcp", 1}).add(record::SuiteEnded{"tcp", 1, true, "", 1});
  story.add(record::RunResumed{
      "bob", "head", "rigproof run --resume out", {{"rigproof", "0.1.0", "4e5f", "6a7b"}}});
  story.add(record::Problem{"unused-limit", "no case reports tcp.unused"});
  story.add(record::FilesHashed{{{"logs/tcp.1.log", std::string(64, 'a')}}}).end();
  return story.events();
}

}  // namespace rigproof
