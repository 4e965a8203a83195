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

// A place on a rig. On a one-way path `from` sends. On a path of both ways `from` is the earlier node's end.
struct Place {
  enum class Kind { kRun, kNode, kPort, kHalf, kRailPath, kLinkPath, kNodePath };
  Kind kind = Kind::kRun;
  bool both_ways = false;
  HalfRef from = {0, 0, 0}, to = {0, 0, 0};  // valid as far as the kind goes: a port path has no halves
};

// The place of a case. All nodes: the place is at the first node. No part of this rig: kRun.
[[nodiscard]] Place place_of(const Rig& rig, const SubjectPlace& place);

// The end of `place` that lists a figure measured by `node`: the sender of a one-way path, else the end on
// that node.
[[nodiscard]] Place end_of(const Rig& rig, const Place& place, const std::string& node);

// Parses the recorded rig; nullopt if its text cannot be read.
[[nodiscard]] std::optional<Rig> rig_of(const record::RunStarted& start);

struct Attempt;
struct JudgedMeasurement;
struct JudgedRun;

// One rate between two nodes, as input for find_suspects().
struct PathRate {
  Place place;             // kRailPath, kLinkPath or kNodePath; both ways: sum of both directions
  std::size_t figure = 0;  // only rates of the same figure are compared
  double of_limit = 0;     // the rate divided by its limit's at_least
  bool missed = false;     // the limit is missed
};

// A part of the rig that is slower than other parts of its kind.
struct Suspect {
  enum class Part {
    kCable,  // between two ports, no switch in between
    kPair,   // the connection of these two nodes
    kPath,   // the same on one rail
    kNode,
    kPort,  // includes its cable and the switch port
    kHalf,
  };
  enum class Way { kBoth, kSends, kReceives };  // cable, pair, path: kSends is from `node` to `peer`
  Part part;
  Way way;
  std::string node = {}, port = {}, netdev = {}, rail = {};  // set as far as the part goes
  std::string peer = {}, peer_port = {};                     // other end of a cable, pair or path
  // The link, switch and switch port of a cable or port.
  std::string link = {}, through = {}, interface = {};
  double share = 0;                              // relative to its peers' rate; if `alone`, to the limit
  std::size_t rates = 0, missed = 0;             // rates that it explains, and how many missed their limit
  bool separable = true;                         // false: the rates fit this part and either of its ends
  bool alone = false;                            // no peers to compare with, only missed limits
  std::vector<std::string> confirmed_with = {};  // up to two sound nodes with which it is slow
};

// Result of find_suspects().
struct Blame {
  std::vector<Suspect> suspects = {};  // the one that explains most comes first
  // No suspects: they have a third of the rates or more, and no limit says which group of parts is as it should be.
  std::vector<Suspect> slower_group = {};
  std::size_t rates = 0, missed = 0;  // rates searched, and how many missed their limit
  std::size_t unexplained = 0;        // missed rates that no suspect explains
};

// Finds the smallest set of slow parts that explains the rates. Pure. Works for any number of nodes; pairs
// may be missing. The model: rate(i -> j) is the minimum of what i sends, j receives and the parts between
// them carry, relative to the median of sound rates. A suspect's rates are at least 2 % below the others (5 %
// if it missed fewer than half of its limits), and below by more than scatter explains. On a sound rig about
// one run in a thousand names a suspect, even if the scatter has a long tail. If no limit is missed, the
// suspects must have fewer than a third of the rates: otherwise the others may just be fast (`slower_group`). A rig that is
// slow everywhere has no suspects: its misses stay unexplained. On two nodes a pair that missed limits is a
// suspect, not separable. `slower`: a sample was asked to reject nodes that are slower by this part; then half of it, if that
// is less, takes the place of the 5 %.
[[nodiscard]] Blame find_suspects(const Rig& rig, const std::vector<PathRate>& rates, double slower = 0);

// The direction of an attempt's measurements between two nodes. If both nodes measured a figure, each
// measured what it received. Otherwise the place's direction holds. The attempt must outlive this object.
class Directions {
 public:
  explicit Directions(const Attempt& attempt);
  [[nodiscard]] Place of(const Rig& rig, const JudgedMeasurement& measurement, Place place) const;

 private:
  using Figure = std::pair<std::string_view, std::string_view>;  // id and detail
  std::set<Figure> by_several_;                                  // figures that several nodes measured
};

// All rates between nodes that a required limit bounds from below. Throws JournalError.
[[nodiscard]] std::vector<PathRate> rates_of(const JudgedRun& run, const Rig& rig);

// Searches rates_of(). Empty if the recorded rig cannot be read. Throws JournalError.
[[nodiscard]] Blame blame_of(const JudgedRun& run);

}  // namespace rigproof::judge
