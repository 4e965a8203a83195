#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/limits/limit.h"
#include "framework/toml/document.h"

namespace rigproof::inline limits {

struct LimitEntry;

// The table [sampling] of a thresholds file: acceptance by a sample of the pairs.
struct Sampling {
  double slower = 0;  // a node that is slower by this part must be rejected
  double power = 0;   // with this probability
  std::string where;  // "thresholds/farm.toml:3"
};

// The suite of a limit or a case: "tcp" for "tcp.rate.half".
[[nodiscard]] std::string suite_of(std::string_view id);

// All limits and waivers of some thresholds files. A limit in a later file replaces the earlier limit with the same
// id as a whole, including its overrides by profile. Waivers add up.
//
//   [[limit]]
//   id        = "tcp.rate.half"        # letters, digits and . _ -
//   at_least  = "95 % of half.rate"    # at_least, at_most or both; or equals. A quantity, or a part of a rig's fact
//   marginal  = "96 % of half.rate"    # optional: a value between the bound (at_least if there is one) and this is marginal
//   one_of    = ["RS", "LLRS"]         # instead of bounds, for a fact that is a text: it must be one of these (* and ? match)
//   at_least_version = "28.45.1200"    # or: a version, not older than this
//   statistic = "median"               # the default; min, mean, p90, p99, p999, max
//   also      = [{ statistic = "mean", at_least = "90 % of half.rate" }]   # optional: bounds on other statistics of the
//                                      # samples (at_least, at_most or both)
//   unit      = "Gbit/s"               # optional: for printing values; by default as in the first bound
//   enforce   = "required"             # the default; "advice": a miss is shown with its remedy and fails nothing;
//                                      # "informative": the value is only shown
//   headline  = true                   # optional: shown on the report's first page and in the history
//   by_pause  = true                   # optional: an emulated rig's machine that pauses can miss it, too
//   profiles  = ["acceptance"]         # optional: the limit exists in these profiles only
//   basis     = { kind = "measured", source = "...", quote = "..." }
//   remedy.check = "ethtool {netdev}"  # optional when informative: commands that only show something, a text or a list
//   remedy.fix   = ["sudo ip link set {netdev} up"]   # commands that change something; {words} are filled in per finding
//   remedy.hint  = "Then put in the cable."           # sentences; one of the three is enough
//   [limit.profile.smoke]              # replaces single keys in that profile: bounds, rules, marginal, statistic,
//                                      # also, enforce, basis, remedy, tolerance, better
//   at_least  = "90 % of half.rate"
//
//   [[limit]]                      # without bounds: values are only listed; only the unit is needed
//   id = "host.cpu"
//   enforce = "informative"
//   unit = "%"
//
//   [[waiver]]
//   limit = "tcp.rate.half"        # and/or  case = "tcp.*RailRate.*"; without a limit a full name, no pattern
//   reason = "..."
//   owner = "..."
//   expires = "2026-12-31"         # at most kLongestWaiver days after the run
//
//   [sampling]                     # optional: a run accepts the rig by a sample of its pairs; of several files the last one's
//   names = "10 % of a node"       # a node that is slower by this part must be rejected
//   power = "99 %"                 # with this probability
//
// A mistake in any profile is refused, whichever profile is requested.
class LimitTable {
 public:
  // Throws toml::InputError: unknown keys, missing units, mixed dimensions, a duplicate id in one file, contradictory
  // bounds (at_least above at_most, marginal outside), an unknown fact, an invalid date, a waiver of a limit that
  // none of the files has, a file with neither limit nor waiver, no limit at all.
  [[nodiscard]] static LimitTable load(const std::vector<std::filesystem::path>& paths, Profile profile,
                                       const FactDimensions&);
  [[nodiscard]] static LimitTable read(const std::vector<toml::Document>&, Profile profile,
                                       const FactDimensions&);

  [[nodiscard]] const Limit* find(std::string_view id) const;  // nullptr when there is none
  // True if the files have this limit, but only for other profiles: its measurements are listed, not judged.
  [[nodiscard]] bool in_other_profile(std::string_view id) const { return in_other_profile_.contains(id); }
  // Ids and places of limits for other profiles only.
  [[nodiscard]] const std::map<std::string, toml::Place, std::less<>>& other_profiles() const {
    return in_other_profile_;
  }
  [[nodiscard]] const std::vector<Limit>& limits() const {
    return limits_;
  }  // in the order of the files; a limit that replaces another takes its place
  [[nodiscard]] const std::vector<Waiver>& waivers() const { return waivers_; }
  [[nodiscard]] const std::optional<Sampling>& sampling() const { return sampling_; }

 private:
  void add(LimitEntry entry, Profile profile);

  std::vector<Limit> limits_;
  std::vector<Waiver> waivers_;
  std::optional<Sampling> sampling_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::map<std::string, toml::Place, std::less<>> in_other_profile_;
};

// The first waiver in force on `date` ("2026-11-20") that covers this missed limit or unproven case; nullptr: none.
// `limit_id` is empty for a case that is not proven. A waiver with only a limit covers that limit in every case. One
// with only a case covers all limits of the case, and the case if it is not proven. One with both covers that limit
// in the matching cases.
[[nodiscard]] const Waiver* find_waiver(const std::vector<Waiver>&, std::string_view limit_id,
                                        std::string_view case_name, std::string_view date);

}  // namespace rigproof::inline limits
