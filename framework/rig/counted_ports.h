#pragma once

#include <algorithm>
#include <vector>

#include "framework/rig/subjects.h"

namespace rigproof::inline rig {

// Whether the ports at both ends show counters of their traffic. A virtual function shows none of its port.
[[nodiscard]] inline bool is_counted(const Rig& rig, const PortSubject& subject) {
  return rig.port(subject.port).counters.has_value();
}
template <class Path>
[[nodiscard]] bool is_counted(const Rig& rig, const Path& path) {
  if constexpr (requires { path.from.port; })
    return rig.port(path.from).counters && rig.port(path.to).counters;
  else  // a NodePath
    return std::ranges::all_of(path.paths, [&](const RailPath& one) { return is_counted(rig, one); });
}

// The subjects whose ports are counted.
template <class SubjectType>
[[nodiscard]] std::vector<SubjectType> counted(const Rig& rig, std::vector<SubjectType> subjects) {
  std::erase_if(subjects, [&](const SubjectType& one) { return !is_counted(rig, one); });
  return subjects;
}

[[nodiscard]] inline std::vector<PortSubject> every_counted_port(const Rig& rig) {
  return counted(rig, every_port(rig));
}
[[nodiscard]] inline std::vector<PortPath> every_counted_port_path(const Rig& rig) {
  return counted(rig, every_port_path(rig));
}

}  // namespace rigproof::inline rig
