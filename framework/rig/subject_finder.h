#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "framework/rig/subject_place.h"
#include "framework/rig/subjects.h"

namespace rigproof::inline rig {

// Finds a rig's subjects by their places. Makes a subject only when requested: a rig of a thousand nodes has
// millions, and a run needs one after the other.
class SubjectFinder {
 public:
  SubjectFinder() = default;  // finds none
  explicit SubjectFinder(Rig rig);

  // The subject of every_subject() at this place. nullptr: the place is the whole run, or the rig has no such part.
  // Valid until the next call, which may drop all kept subjects: for one thread at a time.
  [[nodiscard]] const Subject* find(const SubjectPlace& place) const;
  [[nodiscard]] bool empty() const { return rig_ == nullptr; }
  // True if a half of this node has an RDMA device; false if the rig has no such node.
  [[nodiscard]] bool has_rdma(const std::string& node) const;
  static constexpr std::size_t kKept = 64;

 private:
  using Index = std::unordered_map<std::string, std::size_t>;
  [[nodiscard]] std::optional<Subject> make(const SubjectPlace& place) const;
  [[nodiscard]] std::optional<Subject> part_of_node(const SubjectPlace& place) const;
  [[nodiscard]] std::optional<Subject> path(const SubjectPlace& place) const;
  [[nodiscard]] std::optional<Subject> link_path(const Link& link, std::size_t from, std::size_t to,
                                                 bool both_ways) const;

  std::shared_ptr<const Rig> rig_;  // subjects refer to it
  Index nodes_, rails_, links_;     // by name
  mutable std::map<SubjectPlace, std::optional<Subject>> made_;
};

}  // namespace rigproof::inline rig
