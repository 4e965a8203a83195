#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/limits/limit.h"
#include "framework/toml/document.h"

namespace rigproof::inline limits {

struct LimitEntry;

// Whose id, or case, it is: "tcp" of "tcp.rate.half".
[[nodiscard]] std::string suite_of(std::string_view id);

// Every limit and waiver of some thresholds files. A later file's limit replaces the one with the same id before it as a
// whole, its overrides by profile included; waivers add up.
//
//   [[limit]]
//   id        = "tcp.rate.half"        # letters, digits and . _ -
//   at_least  = "95 % of half.rate"    # at_least, at_most or both; or equals. A quantity, or a part of a rig's fact
//   marginal  = "96 % of half.rate"    # optional: between the bound (at_least if there is one) and this is marginal
//   one_of    = ["RS", "LLRS"]         # instead of bounds, for a fact that is a text: it is one of these (* and ? match)
//   at_least_version = "28.45.1200"    # or: it is a version, not older than this
//   statistic = "median"               # the default; min, mean, p90, p99, p999, max
//   also      = [{ statistic = "mean", at_least = "90 % of half.rate" }]   # optional: other statistics of the samples
//                                      # meet bounds of their own (at_least, at_most or both)
//   unit      = "Gbit/s"               # optional: values print in it; by default as the first bound is written
//   enforce   = "required"             # the default; "advice": a miss is shown with its remedy and fails nothing;
//                                      # "informative": the value is only shown
//   headline  = true                   # optional: stands on the report's first page and in the history
//   by_pause  = true                   # optional: an emulated rig's machine that stands still can miss it, too
//   profiles  = ["acceptance"]         # optional: the limit exists in these profiles only
//   basis     = { kind = "measured", source = "...", quote = "..." }
//   remedy    = "check {netdev}"       # optional when informative; {words} are filled in per finding
//   [limit.profile.smoke]              # replaces single keys in that profile: bounds, rules, marginal, statistic,
//                                      # also, enforce, basis, remedy, tolerance, better
//   at_least  = "90 % of half.rate"
//
//   [[limit]]                      # without bounds: only recorded, and only the unit need be said
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
// A mistake in any profile is refused whichever is asked for.
class LimitTable {
 public:
  // Throws toml::InputError: unknown keys, missing units, mixed dimensions, an id twice in one file, contradictory
  // bounds (at_least above at_most, marginal outside), an unknown fact, a date that is none, a waiver of a
  // limit that does not exist in any of them, a file with neither limit nor waiver, no limit at all.
  [[nodiscard]] static LimitTable load(const std::vector<std::filesystem::path>& paths, Profile profile,
                                       const FactDimensions&);
  [[nodiscard]] static LimitTable read(const std::vector<toml::Document>&, Profile profile,
                                       const FactDimensions&);

  [[nodiscard]] const Limit* find(std::string_view id) const;  // nullptr when there is none
  // Whether the files have this limit, but for other profiles only: a measurement of it is recorded, not
  // judged.
  [[nodiscard]] bool in_other_profile(std::string_view id) const { return in_other_profile_.contains(id); }
  // Their ids, and where each stands.
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& other_profiles() const {
    return in_other_profile_;
  }
  [[nodiscard]] const std::vector<Limit>& limits() const {
    return limits_;
  }  // in the order of the files; a replaced one where it first stood
  [[nodiscard]] const std::vector<Waiver>& waivers() const { return waivers_; }

 private:
  void add(LimitEntry entry, Profile profile);

  std::vector<Limit> limits_;
  std::vector<Waiver> waivers_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::map<std::string, std::string, std::less<>> in_other_profile_;
};

// The first waiver in force on `date` ("2026-11-20") that covers this missed limit or unproven case, or
// nullptr. `limit_id` is empty for a case that is not proven. A waiver of a limit with no `case` covers that
// limit in every case; one of a case covers every limit of it and its not being proven; one of both that
// limit in that case.
[[nodiscard]] const Waiver* find_waiver(const std::vector<Waiver>&, std::string_view limit_id,
                                        std::string_view case_name, std::string_view date);

}  // namespace rigproof::inline limits
