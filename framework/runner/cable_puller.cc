#include "framework/runner/cable_puller.h"

#include <algorithm>

namespace rigproof::inline runner {
namespace {

bool& with_operator() {
  static bool there = false;
  return there;
}

// Time for a person to reach the cable and for the link to train.
constexpr std::chrono::seconds kOperatorTimeout{30};

class Operator final : public CablePuller {
 public:
  void pull() override {}
  void plug() override {}
  [[nodiscard]] std::string who() const override { return "the operator"; }
  [[nodiscard]] std::chrono::seconds timeout() const override { return kOperatorTimeout; }
  [[nodiscard]] bool is_person() const override { return true; }
};

}  // namespace

std::unique_ptr<CablePuller> operator_as_puller() { return std::make_unique<Operator>(); }

bool has_cable_puller(const Rig& rig) { return rig.kind != "hardware" || is_with_operator(); }
void set_with_operator(bool there) { with_operator() = there; }
bool is_with_operator() { return with_operator(); }

std::vector<record::Watched> seen_of_others(std::vector<record::Watched> seen, const Port& pulled) {
  std::erase_if(seen, [&](const record::Watched& one) {
    return (pulled.counters && one.subject == pulled.counters->device) ||
           std::ranges::any_of(pulled.halves, [&](const Half& half) {
             return one.subject == half.netdev || one.subject == half.rdma ||
                    std::ranges::find(one.halves, half.netdev) != one.halves.end();
           });
  });
  return seen;
}

}  // namespace rigproof::inline runner
