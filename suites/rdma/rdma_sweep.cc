// How the rate of writes grows with the size of the message, so that the knee can be seen; no point of the curve is
// above what the wire carries, and at every size the path lives and brings what was sent.
#include <array>

#include "suites/rdma/rdma_load.h"
#include "suites/rdma/rdma_subjects.h"

namespace rigproof {
namespace {

constexpr std::array kSizes = {DataSize::bytes(64),     DataSize::bytes(512),     DataSize::kibibytes(4),
                               DataSize::kibibytes(32), DataSize::kibibytes(256), DataSize::mebibytes(1)};
constexpr std::uint64_t kUnderWay = 1 << 20;  // B, at most

class MessageSweep : public RdmaLoadTest<RailPath> {};

RIGPROOF_TEST(MessageSweep, StaysBelowTheWire, Reports::rate("rdma.write.sweep"), Reports::count("rdma.data_differs")) {
  for (const DataSize size : kSizes) {
    const auto depth = static_cast<std::uint32_t>(std::min<std::uint64_t>(64, kUnderWay / size.bytes()));
    const RdmaFlows flows = loaded({subject()}, {.load = {.message = size, .depth = std::max(depth, 2U)}});
    const Axis point = at(to_quantity(size));
    if (here(subject().from.node)) report("rdma.write.sweep", flows.rates(0), point);
    report_arrivals({subject()}, flows, point);
  }
}
RIGPROOF_CASES(EachRail, MessageSweep, rdma_rail_pairs);

}  // namespace
}  // namespace rigproof
