#include "suites/rdma/rdma_load.h"

#include <algorithm>

#include "framework/ranks/share_values.h"

namespace rigproof::rdma {

template <class Archive>
void fields(Archive& archive, record::Of<Uncounted> auto& one) {
  archive("id", one.id);
  archive("device", one.device);
}

namespace {

bool has_rdma(const Rig& rig, HalfRef half) { return rig.half(half).rdma.has_value(); }
bool has_rdma(const Rig& rig, const RailPath& path) {
  return has_rdma(rig, path.from) && has_rdma(rig, path.to);
}
template <class SubjectType, class Wanted>
std::vector<SubjectType> those(std::vector<SubjectType> all, Wanted wanted) {
  std::erase_if(all, [&](const SubjectType& subject) { return !wanted(subject); });
  return all;
}

}  // namespace

bool have_rdma(const Rig& rig, const std::vector<RailPath>& paths) {
  return std::ranges::all_of(paths, [&](const RailPath& path) { return has_rdma(rig, path); });
}
std::vector<HalfSubject> rdma_halves(const Rig& rig) {
  return those(every_half(rig), [&](const HalfSubject& half) { return has_rdma(rig, half.half); });
}
std::vector<RailPath> rdma_rail_pairs(const Rig& rig) {
  return those(every_rail_pair(rig), [&](const RailPath& path) { return has_rdma(rig, path); });
}
std::vector<RailPath> rdma_rail_paths(const Rig& rig) {
  return those(every_rail_path(rig), [&](const RailPath& path) { return has_rdma(rig, path); });
}
std::vector<PortPath> rdma_port_paths(const Rig& rig) {
  return those(every_port_path(rig), [&](const PortPath& path) { return have_rdma(rig, path.paths); });
}
std::vector<NodePath> rdma_node_paths(const Rig& rig) {
  return those(every_node_path(rig), [&](const NodePath& path) { return have_rdma(rig, path.paths); });
}

std::vector<std::vector<Uncounted>> share_uncounted(RankGroup& ranks, const std::vector<Uncounted>& mine) {
  return share_values(ranks, mine);
}

}  // namespace rigproof::rdma
