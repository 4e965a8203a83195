#include <algorithm>

#include "framework/limits/glob.h"
#include "framework/limits/limit_table.h"

namespace rigproof {
namespace {

bool covers(const Waiver& waiver, std::string_view limit_id, std::string_view case_name) {
  const bool limit_fits = waiver.limit.empty() || waiver.limit == limit_id;
  return limit_fits && (waiver.test.empty() || matches_glob(waiver.test, case_name));
}

}  // namespace

const Waiver* find_waiver(const std::vector<Waiver>& waivers, std::string_view limit_id,
                          std::string_view case_name, std::string_view date) {
  const auto found = std::ranges::find_if(waivers, [&](const Waiver& waiver) {
    return date <= waiver.expires && covers(waiver, limit_id, case_name);
  });
  return found == waivers.end() ? nullptr : &*found;
}

}  // namespace rigproof
