// Every half has its PCIe link at full width and speed, and its driver. Catches: a function trained at x2 or
// at an older generation, a card without a driver, a card on the wrong NUMA node.
#include "fixtures/facts/file_tree.h"
#include "suites/preflight/facts_case.h"

namespace rigproof {
namespace {

class HalfPcie : public HalfFacts {
 protected:
  // The function that the half is; empty where the netdev is no hardware.
  [[nodiscard]] std::string function(const FactsBook& book) const {
    return of_node(book).text({"netdevs", netdev(), "pci"}).value_or("");
  }
  // Of a half that is not there the remedy names no function.
  [[nodiscard]] Finding about(const std::string& function) const {
    Finding finding = this->finding();
    if (!function.empty()) finding.words["function"] = function;
    return finding;
  }
  void judge_link(std::string_view id, const char* fact, Dimension dimension, double scale) {
    look([&](const FactsBook& book) {
      const bool there = here_or_absent(book);
      const std::string pci = function(book);
      const Finding finding = about(pci);
      judge(id,
            there ? measured(of_node(book), pci, fact, dimension, scale)
                  : Found<Quantity>{Quantity{dimension, 0}, {}},
            finding);
    });
  }

 private:
  // /sys has the width as a number and the speed as "32.0 GT/s PCIe".
  static Found<Quantity> measured(const NodeFacts& facts, const std::string& pci, const char* fact,
                                  Dimension dimension, double scale) {
    if (facts.number({"pci", pci, fact})) return as(dimension, find_number(facts, {"pci", pci, fact}));
    const auto text = find_text(facts, {"pci", pci, fact});
    const auto number = text.value ? number_in(*text.value) : std::nullopt;
    if (!number) return {{}, text.why};
    return {Quantity{dimension, *number * scale}, {}};
  }
};

TEST_P(HalfPcie, HasAllItsLanes) { judge_link("preflight.pcie.lanes", "link_width", Dimension::kCount, 1); }
// A transfer is a bit on each lane: 32 GT/s are 32 Gbit/s, before the encoding.
TEST_P(HalfPcie, RunsAtFullSpeed) {
  judge_link("preflight.pcie.lane_rate", "link_speed", Dimension::kDataRate, 1e9);
}

TEST_P(HalfPcie, HasItsDriver) {
  look([&](const FactsBook& book) {
    const Finding finding = about(function(book));
    const bool there = here_or_absent(book);
    judge("preflight.pcie.driver",
          there ? find_text(of_node(book), {"pci", function(book), "driver"}) : absent(), finding);
  });
}

// How far it is from the CPUs and the memory, on record.
TEST_P(HalfPcie, TellsItsNumaNodeAndAccessControl) {
  look([&](const FactsBook& book) {
    const NodeFacts& facts = of_node(book);
    const std::string pci = function(book);
    judge("preflight.pcie.numa_node", as(Dimension::kCount, find_number(facts, {"pci", pci, "numa_node"})),
          finding());
    judge("preflight.pcie.acs", find_texts(facts, {"pci", pci, "acs"}), finding());
  });
}

RIGPROOF_CASES(EachHalf, HalfPcie, every_half);

}  // namespace
}  // namespace rigproof
