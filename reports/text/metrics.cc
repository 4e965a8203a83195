#include "reports/text/metrics.h"

#include "framework/units/printable.h"
#include "reports/text/markup.h"

namespace rigproof::text {

Metrics::Metrics(const BySuite& declared) {
  for (const auto& [suite, metrics] : declared)
    for (const record::Declared& metric : metrics) {
      if (metric.title.empty()) continue;
      all_.push_back(&metric);
      declarations_.add(metric.id);
    }
}

const record::Declared* Metrics::find(std::string_view id) const {
  const auto place = declarations_.find(id);
  return place ? all_[*place] : nullptr;
}

std::string Metrics::title_of(std::string_view id) const {
  constexpr std::size_t kLongest = 80;
  const record::Declared* metric = find(id);
  return metric == nullptr ? "" : shortened(one_line(metric->title), kLongest);
}

}  // namespace rigproof::text
