// Nothing else runs on the rig before the first load.
// Catches: a competing load, another qualification or a training job, a node that swaps.
#include "suites/preflight/facts_case.h"

namespace rigproof {
namespace {

class QuietNode : public FactsCase<NodeSubject> {};

TEST_P(QuietNode, HasIdleCpus) {
  look([&](const FactsBook& book) {
    for (const std::string& process : book.at(subject().node).texts({"load", "processes"})) note(process);
    for (const std::string& gpu : book.at(subject().node).keys({"gpus"}))
      for (const std::string& process : book.at(subject().node).texts({"gpus", gpu, "processes"}))
        note("on gpu " + gpu + ": " + process);
    judge("preflight.quiet.cpu",
          as(Dimension::kRatio, find_number(book.at(subject().node), {"load", "cpu_busy"})),
          {.node = subject().node});
  });
}

RIGPROOF_CASES(EachNode, QuietNode, every_node);

class QuietHalf : public HalfFacts {};

TEST_P(QuietHalf, CarriesNothing) {
  look([&](const FactsBook& book) {
    for (const char* way : {"rx", "tx"}) {
      const std::string fact = std::string(way) + "_bits_per_s";
      const auto rate =
          as(Dimension::kDataRate, find_number(of_node(book), {"load", "netdevs", netdev(), fact}));
      judge("preflight.quiet.traffic",
            here_or_absent(book) ? rate : Found<Quantity>{{}, "no netdev " + netdev()},
            {subject().half.node, way});
    }
  });
}

RIGPROOF_CASES(EachHalf, QuietHalf, every_half);

}  // namespace
}  // namespace rigproof
