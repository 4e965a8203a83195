#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "framework/record/events.h"
#include "framework/rig/rig.h"
#include "tests/support/temp_folder.h"

namespace rigproof {

// A folder of the test's own, with files and programs in it.
class Scratch : private TempFolder {
 public:
  [[nodiscard]] std::filesystem::path path(std::string_view name = {}) const {
    return name.empty() ? TempFolder::path() : TempFolder::path() / name;
  }
  std::filesystem::path write(std::string_view name, std::string_view text) const {
    std::filesystem::create_directories(path(name).parent_path());
    write_text(path(name), text);
    return path(name);
  }
  // An executable shell script.
  std::filesystem::path script(std::string_view name, std::string_view body) const {
    const auto file = write(name, "#!/bin/sh\n" + std::string(body) + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }
  [[nodiscard]] std::string read(std::string_view name) const { return file_text(path(name)); }
};

inline Node node(std::string name, std::string address, std::optional<std::string> management = {}) {
  return {.name = std::move(name),
          .address = std::move(address),
          .management = std::move(management),
          .ports = {}};
}

// A case about these nodes.
inline record::PlannedCase about(const std::string& name, std::vector<std::string> nodes,
                                 SubjectPlace::Kind kind = SubjectPlace::Kind::kNodes) {
  return {name, "", {kind, "", std::move(nodes)}};
}

inline Rig rig_of(std::vector<Node> nodes) {
  Rig rig;
  rig.name = "test-rig";
  rig.nodes = std::move(nodes);
  return rig;
}

// A rig of three nodes, and a suite with cases of pairs, of a node, of none and of all.
inline Rig three_nodes() {
  return rig_of({node("node-a", "10.0.0.1"), node("node-b", "10.0.0.2"), node("node-c", "10.0.0.3")});
}
inline record::SuiteDescription suite_of_three_nodes() {
  record::SuiteDescription suite;
  suite.plan = {"tcp",
                {about("A.x/ab", {"node-a", "node-b"}), about("A.x/ba", {"node-b", "node-a"}),
                 about("A.x/bc", {"node-b", "node-c"}), about("N.x/a", {"node-a"}), about("P.x", {}),
                 about("W.x/all", {"node-a", "node-b", "node-c"})}};
  return suite;
}

}  // namespace rigproof
