#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/record/events.h"
#include "framework/rig/rig.h"
#include "framework/rig/subject_place.h"

namespace rigproof::judge {

// Where on a rig a case was. Of a path `from` sends; both ways, `from` is the earlier node's.
struct Place {
  enum class Kind { kRun, kNode, kPort, kHalf, kRailPath, kLinkPath, kNodePath };
  Kind kind = Kind::kRun;
  bool both_ways = false;
  HalfRef from = {0, 0, 0}, to = {0, 0, 0};  // as far as the kind goes: a port path's halves mean nothing
};

// A case about all nodes is at the first; one about no part of the rig, or about one that the rig does not have, at the
// run as a whole.
[[nodiscard]] Place place_of(const Rig& rig, const SubjectPlace& place);

// The place with one end alone, where a figure that `node` measured stands: one way at the sender, both ways at the end
// on that node.
[[nodiscard]] Place end_of(const Rig& rig, const Place& place, const std::string& node);

// The rig as a record has it; nothing where its text can't be read.
[[nodiscard]] std::optional<Rig> rig_of(const record::RunStarted& start);

struct Attempt;
struct JudgedMeasurement;
struct JudgedRun;

// One rate between two nodes, as the search for slow parts of a rig sees it.
struct PathRate {
  Place place;             // kRailPath, kLinkPath or kNodePath; both ways: of both directions together
  std::size_t figure = 0;  // what was measured: only rates of one figure are compared with one another
  double of_limit = 0;     // the rate as a part of the least that its limit asks for
  bool missed = false;     // that limit is missed
};

// A part of the rig that is slower than its like.
struct Suspect {
  enum class Part {
    kCable,  // of two ports without a switch between
    kPair,   // what two nodes have with each other alone
    kPath,   // the same on one rail
    kNode,
    kPort,  // with its cable and the switch's port
    kHalf,
  };
  enum class Way { kBoth, kSends, kReceives };  // of a cable, pair or path kSends: from `node` to `peer`
  Part part;
  Way way;
  std::string node = {}, port = {}, netdev = {}, rail = {};  // as far as the part goes
  std::string peer = {}, peer_port = {};                     // the other end of a cable, pair or path
  std::string link = {}, through = {},
              interface = {};         // of a cable or port: the link, its switch, the switch's port
  double share = 0;                   // of the rate of its peers; where `alone`, of the limit
  std::size_t rates = 0, missed = 0;  // that it explains, and those of them that missed their limit
  bool separable = true;  // false: the rates say no more than that it is this part or either of its ends
  bool alone = false;     // nothing to compare with: all that is known is that its limits are missed
  std::vector<std::string> confirmed_with =
      {};  // at most two nodes: it is slow with each, and they are sound
};

// What the rates between nodes say about the parts of a rig.
struct Blame {
  std::vector<Suspect> suspects = {};  // what explains most first
  std::size_t rates = 0, missed = 0;   // looked at; those of them that missed their limit
  std::size_t unexplained = 0;         // of the missed ones: of no suspect
};

// The smallest set of slow parts that explains the rates: rate(i -> j) is the least of what i sends, j receives and
// what is between them carry, as a part of the middle of what is sound. A part is a suspect when its rates lie below
// those of the others by more than their own scatter allows, were there nothing wrong (about once in a thousand runs,
// over all parts together, even where the scatter has a long tail), and by 2 % at least; by 5 % when it missed fewer
// than half of its limits. Where none is missed, those of all suspects are fewer than a third of the rates: else the
// others may as well be fast. So noise has no suspects, and a rig that is slow everywhere has none: its misses stay
// unexplained. Of two nodes a pair that missed limits is one, and not separable. Any number of nodes, any of their
// pairs missing. Pure.
[[nodiscard]] Blame find_suspects(const Rig& rig, const std::vector<PathRate>& rates);

// The ways that an attempt's measurements at a place between two nodes went: where both nodes of a pair measured, each
// measured what it received; else both ways, as the place says. The attempt outlives it.
class Directions {
 public:
  explicit Directions(const Attempt& attempt);
  [[nodiscard]] Place of(const Rig& rig, const JudgedMeasurement& measurement, Place place) const;

 private:
  using Figure = std::pair<std::string_view, std::string_view>;  // id and detail
  std::map<Figure, std::string_view> first_;                     // the node that measured it
  std::set<Figure> by_several_;                                  // nodes
};

// From every rate between two nodes that a required limit asks at least something of; nothing where the rig's text in the
// record can't be read. Throws JournalError.
[[nodiscard]] Blame blame_of(const JudgedRun& run);

}  // namespace rigproof::judge
