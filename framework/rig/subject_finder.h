#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "framework/rig/subjects.h"

namespace rigproof::inline rig {

// A rig's subjects by name, each made when it is asked for: a rig of a thousand nodes has millions of them, and a run
// asks for one after the other.
class SubjectFinder {
 public:
  SubjectFinder() = default;  // finds none
  explicit SubjectFinder(Rig rig);

  // The one of every_subject() with this name, or nullptr. Valid until the next call, which may forget all that are kept: for one
  // thread at a time.
  [[nodiscard]] const Subject* find(const std::string& name) const;
  [[nodiscard]] bool empty() const { return rig_ == nullptr; }
  static constexpr std::size_t kKept = 64;

 private:
  using Index = std::unordered_map<std::string, std::size_t>;
  [[nodiscard]] std::optional<Subject> make(const std::string& name) const;
  [[nodiscard]] std::optional<Subject> part_of_node(const std::string& name) const;
  // `words` is "node_a_to_node_b", behind the name of what the path is over.
  [[nodiscard]] std::optional<Subject> path(std::string_view over, std::string_view words) const;
  [[nodiscard]] std::optional<Subject> path(std::string_view over, std::size_t from, std::size_t to,
                                            bool both_ways) const;

  std::shared_ptr<const Rig> rig_;  // subjects refer to it
  Index nodes_, rails_, links_;     // by identifier
  mutable std::map<std::string, std::optional<Subject>> made_;
};

// The pairs of nodes that these cases are about, by their full names.
[[nodiscard]] std::set<NodePair> pairs_of_cases(const Rig& rig, const std::vector<std::string>& cases);

}  // namespace rigproof::inline rig
