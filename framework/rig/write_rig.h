#pragma once

#include <compare>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "framework/rig/rig.h"

namespace rigproof::inline rig {

// Comments of a rig file, for the person who reads it. Any text is allowed.
class RigRemarks {
 public:
  struct NodeAt {
    std::size_t node;
    auto operator<=>(const NodeAt&) const = default;
  };
  struct LinkAt {
    std::size_t link;
    auto operator<=>(const LinkAt&) const = default;
  };
  struct RailAt {
    std::size_t rail;
    auto operator<=>(const RailAt&) const = default;
  };
  // A table of the file.
  using At = std::variant<NodeAt, PortRef, HalfRef, LinkAt, RailAt>;

  std::vector<std::string> head;  // lines at the start of the file

  // Sets the comment after a key's line (empty key: after the table's name). Not written if the rig lacks the key.
  void beside(const At& at, const std::string& key, std::string text);
  // Adds a comment line before the key's line, or in its place. Key "end": after the table's own keys.
  void above(const At& at, const std::string& key, std::string text);

  [[nodiscard]] std::string beside(const At& at, const std::string& key) const;
  [[nodiscard]] std::vector<std::string> above(const At& at, const std::string& key) const;

 private:
  using Place = std::pair<At, std::string>;
  std::map<Place, std::string> beside_;
  std::map<Place, std::vector<std::string>> above_;
};

// kNested: a port's lines are indented below its node's, and a half's below its port's.
enum class Indent { kNone, kNested };

// The rig file of a rig: read_rig() reads the same rig from it. No other function writes rig files. Pure. Throws
// std::invalid_argument for a text that is not UTF-8.
[[nodiscard]] std::string rig_file_text(const Rig& rig, const RigRemarks& remarks = {},
                                        Indent indent = Indent::kNone);

}  // namespace rigproof::inline rig
