#pragma once

#include <vector>

#include "tests/support/story.h"

namespace rigproof {

// The events of a run that has every kind of event, and a text, list and map in every field that takes one.
inline std::vector<Event> every_event() {
  Measurement fact = recorded("tcp.fact");
  fact.text = "RS";
  fact.detail = "enp1s0f0np0";
  Measurement series = recorded("tcp.series");
  series.detail = "node-a:port0 tx every 100 ms";
  Measurement curve = recorded("tcp.curve");
  curve.detail = "rail0 at 64 KiB";
  Failure lost = failure(Failure::Kind::kError, "lost-peer", "node-b went away");
  lost.where = "suites/tcp/many_streams.cc:40";
  Story story("[[limit]]\nid = \"tcp.rate.half\"\nat_least = \"0.95 Gbit/s\"\n");
  story.launch().plan({"A.B", "A.C", "A.D"});
  story.add(NodeSeen{"tcp", "node-a", 0, {{"kernel", "6.1.0"}, {"enp1s0f0np0 serial", "MT1"}}});
  story.add(Observed{"link.down_events", "node-a", "node-a:port0", 0});
  story.start("A.B").add(PhaseStarted{"tcp", "A.B", "measure", 5});
  story.add(ending("A.B", {good(), missed("tcp.bad"), fact, series, curve}));
  story.run(ending("A.C", {}, {lost}));
  story.broken_off(1, "rank 1 died").launch(2).plan({"A.B", "A.C", "A.D"});
  story.run(ending("A.D", {}, {failure(Failure::Kind::kSkip, "not-proven", "no such device")})).done(2);
  story.add(Problem{"unused-limit", "no case reports tcp.unused"}).end();
  return story.events();
}

}  // namespace rigproof
