#include "framework/limits/waivers.h"

#include <map>

#include "framework/limits/waiver_reader.h"

namespace rigproof {

std::vector<Waiver> read_waivers(const toml::Document& document) {
  const toml::Table root = document.root();
  std::map<std::string, std::string, std::less<>> limits;  // id -> where
  for (const toml::Table& limit : root.tables("limit")) limits.emplace(limit.text("id"), limit.where());
  std::vector<Waiver> waivers;
  for (const toml::Table& waiver : root.tables("waiver")) waivers.push_back(read_waiver(waiver, limits));
  return waivers;
}

}  // namespace rigproof
