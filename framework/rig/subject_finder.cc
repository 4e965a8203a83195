#include "framework/rig/subject_finder.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace rigproof::inline rig {
namespace {

using Kind = SubjectPlace::Kind;

template <class Parts>
std::unordered_map<std::string, std::size_t> indexed(const Parts& parts) {
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < parts.size(); ++i) index.emplace(parts[i].name, i);
  return index;
}

std::optional<std::size_t> find_in(const std::unordered_map<std::string, std::size_t>& index,
                                   const std::string& name) {
  const auto found = index.find(name);
  return found == index.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

SubjectFinder::SubjectFinder(Rig rig)
    : rig_(std::make_shared<const Rig>(std::move(rig))),
      nodes_(indexed(rig_->nodes)),
      rails_(indexed(rig_->rails)),
      links_(indexed(rig_->links)) {}

const Subject* SubjectFinder::find(const SubjectPlace& place) const {
  if (rig_ == nullptr) return nullptr;
  auto known = made_.find(place);
  if (known == made_.end()) {
    if (made_.size() > kKept) made_.clear();
    known = made_.emplace(place, make(place)).first;
  }
  return known->second ? &*known->second : nullptr;
}

bool SubjectFinder::has_rdma(const std::string& name) const {
  const auto node = rig_ == nullptr ? std::nullopt : find_in(nodes_, name);
  if (!node) return false;
  const auto halves = rig_->halves_of(*node);
  return std::ranges::any_of(halves, [&](HalfRef half) { return rig_->half(half).rdma.has_value(); });
}

std::optional<Subject> SubjectFinder::make(const SubjectPlace& place) const {
  switch (place.kind) {
    case Kind::kRun:
      return {};
    case Kind::kNode:
    case Kind::kPort:
    case Kind::kHalf:
      return part_of_node(place);
    case Kind::kRail:
    case Kind::kLink:
    case Kind::kNodes:
    case Kind::kForwarded:
      return path(place);
    case Kind::kAllNodes:
      if (all_nodes_of(*rig_).empty() && all_gpus_of(*rig_).empty()) return {};
      return AllNodes(*rig_);
  }
  return {};
}

std::optional<Subject> SubjectFinder::part_of_node(const SubjectPlace& place) const {
  const auto node = place.nodes.size() == 1 ? find_in(nodes_, place.nodes[0]) : std::nullopt;
  if (!node) return {};
  if (place.kind == Kind::kNode) return NodeSubject(*rig_, *node);
  if (place.kind == Kind::kPort) {
    const auto port = rig_->find_port(*node, place.part);
    return port ? std::optional<Subject>(PortSubject(*rig_, *port)) : std::nullopt;
  }
  const auto half = rig_->find_half(*node, place.part);
  return half ? std::optional<Subject>(HalfSubject(*rig_, *half)) : std::nullopt;
}

std::optional<Subject> SubjectFinder::path(const SubjectPlace& place) const {
  if (place.nodes.size() != 2) return {};
  const auto from = find_in(nodes_, place.nodes[0]), to = find_in(nodes_, place.nodes[1]);
  // For both ways, the earlier node comes first.
  if (!from || !to || *from == *to || (place.both_ways && *from > *to)) return {};
  if (place.kind == Kind::kRail) {
    const auto rail = find_in(rails_, place.part);
    return rail ? rail_path(*rig_, rig_->rails[*rail], *from, *to, place.both_ways) : std::nullopt;
  }
  if (place.kind == Kind::kLink) {
    const auto link = find_in(links_, place.part);
    return link ? link_path(rig_->links[*link], *from, *to, place.both_ways) : std::nullopt;
  }
  if (place.kind == Kind::kNodes) {
    std::vector<RailPath> paths = compute_rails_between(*rig_, *from, *to, place.both_ways);
    if (paths.empty()) return {};
    return NodePath(*rig_, *from, *to, std::move(paths), place.both_ways);
  }
  if (rig_->forwarding && !place.both_ways && rails_between(*rig_, *from, *to, false).empty())
    return ForwardedPath(*rig_, *from, *to);
  return {};
}

std::optional<Subject> SubjectFinder::link_path(const Link& link, std::size_t from, std::size_t to,
                                                bool both_ways) const {
  const PortRef *first = end_on(link.ports, from), *second = end_on(link.ports, to);
  if (first == nullptr || second == nullptr) return {};
  std::vector<RailPath> paths = rails_between(*rig_, from, to, both_ways);
  std::erase_if(paths, [&](const RailPath& rail) {
    return PortRef{rail.from.node, rail.from.port} != *first ||
           PortRef{rail.to.node, rail.to.port} != *second;
  });
  if (paths.empty()) return {};
  return PortPath(*rig_, link, *first, *second, std::move(paths), both_ways);
}

}  // namespace rigproof::inline rig
