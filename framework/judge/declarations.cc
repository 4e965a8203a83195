#include "framework/judge/declarations.h"

namespace rigproof::judge {

bool is_declared_by(std::string_view declared, std::string_view id) {
  return declared.ends_with(".*") ? id.starts_with(declared.substr(0, declared.size() - 1)) : declared == id;
}

void Declarations::add(const std::string& declared) {
  const bool is_family = declared.ends_with(".*");
  const std::string key = declared.substr(0, declared.size() - (is_family ? 1 : 0));
  (is_family ? families_ : ids_).emplace(key, count_++);
  if (is_family) lengths_.insert(key.size());
}

std::optional<std::size_t> Declarations::find(std::string_view id) const {
  std::optional<std::size_t> first;
  const auto look = [&](const Places& places, std::string_view key) {
    const auto found = places.find(key);
    if (found != places.end() && (!first || found->second < *first)) first = found->second;
  };
  look(ids_, id);
  for (auto length = lengths_.begin(); length != lengths_.end() && *length <= id.size(); ++length)
    look(families_, id.substr(0, *length));
  return first;
}

MetricGroups::MetricGroups(const record::RunStarted& start) {
  for (const auto& [suite, list] : start.declared)
    for (const record::Declared& declared : list) {
      declarations_.add(declared.id);
      groups_.push_back(declared.group);
    }
}

record::MetricGroup MetricGroups::of(std::string_view id) const {
  const auto place = declarations_.find(id);
  return place ? groups_[*place] : record::MetricGroup::kOther;
}

}  // namespace rigproof::judge
