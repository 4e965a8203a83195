#pragma once

#include <compare>
#include <map>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "framework/rig/rig.h"

namespace rigproof::inline rig {

// What a rig file says beside its keys, for the person who reads it. Texts of whatever kind: they are written as comments.
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

  std::vector<std::string> head;  // lines at the file's begin

  // Behind the line of a key, or of the table's name where `key` is empty. One that the rig does not have is not written.
  void beside(const At& at, const std::string& key, std::string text);
  // A line of its own before the key's, or where it would be. Key "end": behind the table's own keys.
  void above(const At& at, const std::string& key, std::string text);

  [[nodiscard]] std::string beside(const At& at, const std::string& key) const;
  [[nodiscard]] std::vector<std::string> above(const At& at, const std::string& key) const;

 private:
  using Place = std::pair<At, std::string>;
  std::map<Place, std::string> beside_;
  std::map<Place, std::vector<std::string>> above_;
};

// Whether a port's lines are indented below its node's, and a half's below its port's.
enum class Indent { kNone, kNested };

// The rig file of a rig: read_rig() makes the same rig of it. The one writer of rig files. Pure. Throws
// std::invalid_argument for a text that is not UTF-8.
[[nodiscard]] std::string rig_file_text(const Rig& rig, const RigRemarks& remarks = {},
                                        Indent indent = Indent::kNone);

}  // namespace rigproof::inline rig
