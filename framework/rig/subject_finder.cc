#include "framework/rig/subject_finder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "framework/rig/subjects.h"
#include "framework/rig/text_checks.h"

namespace rigproof::inline rig {
namespace {

template <class Parts>
std::unordered_map<std::string, std::size_t> indexed(const Parts& parts) {
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < parts.size(); ++i) index.emplace(identifier(parts[i].name), i);
  return index;
}

std::optional<std::size_t> find_in(const std::unordered_map<std::string, std::size_t>& index,
                                   std::string_view name) {
  const auto found = index.find(std::string(name));
  return found == index.end() ? std::nullopt : std::optional(found->second);
}

template <class Ends>
const typename Ends::value_type* end_on(const Ends& ends, std::size_t node) {
  const auto found = std::ranges::find_if(ends, [&](const auto& end) { return end.node == node; });
  return found == ends.end() ? nullptr : &*found;
}

// In the order of the rig file.
std::vector<RailPath> rails_between(const Rig& rig, std::size_t from, std::size_t to, bool both_ways) {
  std::vector<const Rail*> rails;
  for (const HalfRef half : rig.halves_of(from)) rails.push_back(&rig.rail_of(half));
  std::ranges::sort(rails);
  std::vector<RailPath> paths;
  for (const Rail* rail : rails) {
    const HalfRef *first = end_on(rail->halves, from), *second = end_on(rail->halves, to);
    if (first != nullptr && second != nullptr) paths.emplace_back(rig, *rail, *first, *second, both_ways);
  }
  return paths;
}

}  // namespace

SubjectFinder::SubjectFinder(Rig rig)
    : rig_(std::make_shared<const Rig>(std::move(rig))),
      nodes_(indexed(rig_->nodes)),
      rails_(indexed(rig_->rails)),
      links_(indexed(rig_->links)) {}

const Subject* SubjectFinder::find(const std::string& name) const {
  if (rig_ == nullptr) return nullptr;
  auto known = made_.find(name);
  if (known == made_.end()) {
    if (made_.size() > kKept) made_.clear();
    known = made_.emplace(name, make(name)).first;
  }
  return known->second ? &*known->second : nullptr;
}

std::optional<Subject> SubjectFinder::make(const std::string& name) const {
  if (name == case_name(*rig_)) {
    const auto whole = all_nodes_of(*rig_);
    return whole.empty() ? std::nullopt : std::optional<Subject>(whole.front());
  }
  if (auto part = part_of_node(name)) return part;
  if (auto between = path("", name)) return between;
  for (auto at = name.find('_'); at != name.npos; at = name.find('_', at + 1)) {
    const std::string over = name.substr(0, at);
    if (!rails_.contains(over) && !links_.contains(over)) continue;
    if (auto between = path(over, std::string_view(name).substr(at + 1))) return between;
  }
  return {};
}

std::optional<Subject> SubjectFinder::part_of_node(const std::string& name) const {
  for (std::size_t end = name.size(); end != name.npos; end = name.rfind('_', end - 1)) {
    if (const auto node = find_in(nodes_, std::string_view(name).substr(0, end))) {
      if (end == name.size()) return NodeSubject(*rig_, *node);
      for (std::size_t port = 0; port < rig_->node(*node).ports.size(); ++port)
        if (case_name(*rig_, PortRef{*node, port}) == name) return PortSubject(*rig_, {*node, port});
      for (const HalfRef half : rig_->halves_of(*node))
        if (case_name(*rig_, half) == name) return HalfSubject(*rig_, half);
    }
    if (end == 0) break;
  }
  return {};
}

std::optional<Subject> SubjectFinder::path(std::string_view over, std::string_view words) const {
  constexpr std::string_view kTo = "to_";
  for (auto at = words.find('_'); at != words.npos; at = words.find('_', at + 1)) {
    const auto from = find_in(nodes_, words.substr(0, at));
    if (!from) continue;
    const std::string_view rest = words.substr(at + 1);
    if (const auto to = find_in(nodes_, rest); to && *from < *to)
      if (auto found = path(over, *from, *to, true)) return found;
    if (!rest.starts_with(kTo)) continue;
    if (const auto to = find_in(nodes_, rest.substr(kTo.size())); to && *from != *to)
      if (auto found = path(over, *from, *to, false)) return found;
  }
  return {};
}

std::optional<Subject> SubjectFinder::path(std::string_view over, std::size_t from, std::size_t to,
                                           bool both_ways) const {
  std::vector<RailPath> paths = rails_between(*rig_, from, to, both_ways);
  if (over.empty()) {
    if (paths.empty()) {
      if (rig_->forwarding && !both_ways) return ForwardedPath(*rig_, from, to);
      return {};
    }
    return NodePath(*rig_, from, to, std::move(paths), both_ways);
  }
  for (const RailPath& rail : paths)
    if (identifier(rail.rail) == over) return rail;
  const auto link = find_in(links_, over);
  if (!link) return {};
  const PortRef *first = end_on(rig_->links[*link].ports, from),
                *second = end_on(rig_->links[*link].ports, to);
  if (first == nullptr || second == nullptr) return {};
  std::erase_if(paths, [&](const RailPath& rail) {
    return PortRef{rail.from.node, rail.from.port} != *first ||
           PortRef{rail.to.node, rail.to.port} != *second;
  });
  if (paths.empty()) return {};
  return PortPath(*rig_, rig_->links[*link], *first, *second, std::move(paths), both_ways);
}

std::set<NodePair> pairs_of_cases(const Rig& rig, const std::vector<std::string>& cases) {
  const SubjectFinder subjects(rig);
  std::set<NodePair> pairs;
  for (const std::string& name : cases) {
    const Subject* subject = subjects.find(subject_name(name));
    if (subject == nullptr || subject->nodes().size() != 2) continue;
    const auto [first, second] = std::minmax(subject->nodes()[0], subject->nodes()[1]);
    pairs.insert({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)});
  }
  return pairs;
}

}  // namespace rigproof::inline rig
