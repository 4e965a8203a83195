#include "reports/figures/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <tuple>

#include "framework/units/quantity.h"
#include "reports/text/describe.h"
#include "reports/text/markup.h"
#include "reports/text/metrics.h"

namespace rigproof::figures {
namespace {

using Kind = Place::Kind;

constexpr std::size_t kUnmarked = 8;  // headlines if the thresholds mark none
constexpr std::array kLooks{Look{"none", "", "not measured", "#57606a", "#ffffff"},
                            Look{"soft", "·", "no limit", "#57606a", "#f6f8fa"},
                            Look{"good", "✓", "within its limit", "#0b6b4f", "#e2f2ec"},
                            Look{"near", "!", "close to its limit", "#7d4e00", "#fbe9b7"},
                            Look{"near", "W", "waived", "#7d4e00", "#fbe9b7"},
                            Look{"open", "?", "not proven", "#5b3d8f", "#e6dcf5"},
                            Look{"bad", "✗", "missed", "#ffffff", "#a8320b"},
                            Look{"bad", "✗", "error", "#ffffff", "#a8320b"}};

bool is_worse(Mark mark, const std::optional<double>& margin, Mark than, const std::optional<double>& its) {
  if (mark != than) return mark > than;
  return margin.value_or(INFINITY) < its.value_or(INFINITY);
}

void keep_lowest(std::optional<double>& lowest, double value) {
  if (!lowest || value < *lowest) lowest = value;
}

bool asks_for_one(const judge::Bounds& bounds, Dimension dimension) {
  return dimension == Dimension::kCount && bounds.equals == 1.0;
}

// Keeps every second value, the smallest and the largest.
void thin(std::vector<double>& values) {
  std::ranges::sort(values);
  std::vector<double> some;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) some.push_back(values[i]);
  some.push_back(values.back());
  values = std::move(some);
}

// Margin of a rate within its limit: distance to the lower bound. The upper bound is only what the wire can carry.
std::optional<double> margin_of(const judge::JudgedMeasurement& m) {
  const judge::Judgement& judgement = m.judgement;
  const std::optional<double>& least = judgement.bounds.at_least;
  const bool passed =
      judgement.verdict == judge::Verdict::kPass || judgement.verdict == judge::Verdict::kMarginal;
  if (!passed || judgement.further() != nullptr || !judgement.margin ||
      m.samples.dimension != Dimension::kDataRate || !least || *least <= 0)
    return judgement.margin;
  return judgement.value / *least - 1;
}

// "rail0: node-a -> node-b": a rail or link, with the devices at its ends.
std::string where_text(const record::PlannedCase& plan, const Rig* rig, const Place& place) {
  const bool rail = place.kind == Kind::kRailPath;
  if (rig == nullptr || (!rail && place.kind != Kind::kLinkPath))
    return text::one_line(plan.subject.empty() ? plan.name : plan.subject);
  return text::one_line(fmt::format(
      "{}: {} {} {}",
      rail ? rig->rail_of(place.from).name : rig->link_of({place.from.node, place.from.port}).name,
      rig->node(place.from.node).name, place.both_ways ? "<->" : "->", rig->node(place.to.node).name));
}

// A limit that is a fact of the rig ("= half.mtu") has no unit of its own.
std::string unit_of(const judge::JudgedMeasurement& m) {
  if (!m.unit.empty() || m.samples.dimension != Dimension::kDataSize) return m.unit;
  return std::string(base_unit(Dimension::kDataSize));
}

// Two bounds as "0.950 … 1.050 Gbit/s"; in words they would need two lines of a narrow column.
std::string limit_of(const judge::JudgedMeasurement& m, const judge::Bounds& bounds) {
  const std::string unit = unit_of(m);
  if (!bounds.at_least || !bounds.at_most || (unit.empty() && m.samples.dimension != Dimension::kCount)) {
    const std::string text = text::bounds_text(bounds, m.samples.dimension, m.unit);
    return text.empty() ? text::one_line(m.judgement.limit) : text;
  }
  const auto number = [&](double value) { return number_text(value, unit, m.samples.dimension); };
  return fmt::format("{} … {}{}", number(*bounds.at_least), number(*bounds.at_most),
                     unit.empty() || unit == "count" ? "" : " " + unit);
}
std::string limit_of(const judge::JudgedMeasurement& m) { return limit_of(m, m.judgement.bounds); }

void update(Cell& cell, const judge::JudgedMeasurement& m, Mark mark) {
  ++cell.count;
  const auto value = m.text.empty() ? text::measured_value(m) : std::nullopt;
  const auto margin = margin_of(m);
  const bool first = cell.count == 1;
  // Without a limit no value is better or worse: keeps the largest.
  const bool larger =
      mark == cell.mark && !margin && !cell.margin && value && cell.value && *value > *cell.value;
  if (!first && !larger && !is_worse(mark, margin, cell.mark, cell.margin)) return;
  const judge::JudgedStatistic* missed = mark >= Mark::kWaived ? m.judgement.further() : nullptr;
  cell.mark = mark;
  cell.statistic = missed == nullptr ? "" : name(missed->statistic);
  cell.value = missed == nullptr ? value : missed->value;
  cell.margin = margin;
  cell.text =
      m.unread != record::Measured::Unread::kNo ? kUnread : text::shortened(text::one_line(m.text), 60);
}

}  // namespace

void merge(Cell& cell, const Cell& other) {
  if (other.count == 0) return;
  const int count = cell.count + other.count;
  if (cell.count == 0 || is_worse(other.mark, other.margin, cell.mark, cell.margin)) cell = other;
  cell.count = count;
}

const Look& look_of(Mark mark) { return kLooks.at(static_cast<std::size_t>(mark)); }

Mark mark_of(judge::Status status) {
  switch (status) {
    case judge::Status::kRecorded:
      return Mark::kRecorded;
    case judge::Status::kPassed:
      return Mark::kGood;
    case judge::Status::kWaived:
      return Mark::kWaived;
    case judge::Status::kNotProven:
      return Mark::kNotProven;
    case judge::Status::kFailed:
      return Mark::kMissed;
    case judge::Status::kError:
      return Mark::kError;
  }
  return Mark::kError;
}

Mark mark_of(const judge::Attempt& attempt, const judge::JudgedMeasurement& m) {
  switch (m.judgement.verdict) {
    case judge::Verdict::kRecorded:
      return Mark::kRecorded;
    case judge::Verdict::kPass:
      return Mark::kGood;
    case judge::Verdict::kMarginal:
    case judge::Verdict::kAdvice:
      return Mark::kClose;
    case judge::Verdict::kFail:
      return attempt.status == judge::Status::kWaived      ? Mark::kWaived
             : attempt.status == judge::Status::kNotProven ? Mark::kNotProven
                                                           : Mark::kMissed;
    case judge::Verdict::kError:
      return attempt.status == judge::Status::kWaived || attempt.status == judge::Status::kNotProven
                 ? mark_of(attempt.status)
                 : Mark::kError;
  }
  return Mark::kError;
}

Figures::Figures(const judge::JudgedRun& run, const Rig* rig) : run_(run), rig_(rig) {
  if (run.limits != nullptr) marked_ = std::ranges::any_of(run.limits->limits(), &Limit::headline);
  columns_[Kind::kRun] = {{"", "the run"}};
  if (rig == nullptr) return;
  for (std::size_t node = 0; node < rig->nodes.size(); ++node) {
    const Node& one = rig->nodes[node];
    columns_[Kind::kNode].emplace_back(one.name, "");
    state_.nodes.push_back({Mark::kNothing, std::vector<RigState::PortState>(one.ports.size())});
    for (std::size_t port = 0; port < one.ports.size(); ++port) {
      port_columns_[{node, port}] = columns_[Kind::kPort].size();
      columns_[Kind::kPort].emplace_back(one.name, one.ports[port].name);
      RigState::PortState& state = state_.nodes.back().ports[port];
      state.halves.resize(one.ports[port].halves.size());
      state.half_rates.resize(one.ports[port].halves.size());
      for (std::size_t half = 0; half < one.ports[port].halves.size(); ++half) {
        half_columns_[{node, port, half}] = columns_[Kind::kHalf].size();
        columns_[Kind::kHalf].emplace_back(one.name, rig->rail_of({node, port, half}).name);
      }
    }
  }
}

void Figures::add(const judge::JudgedCase& test) {
  const Place place = rig_ == nullptr ? Place() : judge::place_of(*rig_, test.plan.place);
  colour(place, mark_of(test.status()));
  const judge::Attempt* attempt = test.deciding();
  note_lacking(test, attempt, place);
  if (attempt == nullptr) return;
  const judge::Directions directions(*attempt);
  for (const judge::JudgedMeasurement& m : attempt->measurements) add(test, *attempt, m, directions, place);
}

// Counts required measurements that are missing. Without this the headline would show only the good figures of other cases.
void Figures::note_lacking(const judge::JudgedCase& test, const judge::Attempt* attempt, const Place& place) {
  const Mark mark = mark_of(test.status());
  if (mark < Mark::kWaived) return;
  const auto suite = std::ranges::find(run_.suites, test.suite, &judge::JudgedSuite::name);
  const record::PlannedTest* planned = suite == run_.suites.end() ? nullptr : suite->test_of(test.plan);
  if (planned == nullptr) return;
  std::set<std::string_view> measured;
  if (attempt != nullptr)
    for (const judge::JudgedMeasurement& m : attempt->measurements) measured.insert(m.id);
  for (const std::string& id : planned->owes) {
    if (measured.contains(id)) continue;
    Headline::Lacking& lacking = lacking_[id];
    if (lacking.cases++ == 0 || mark > lacking.mark)
      lacking.mark = mark, lacking.where = where_text(test.plan, rig_, place);
  }
}

void Figures::add(const judge::JudgedCase& test, const judge::Attempt& attempt,
                  const judge::JudgedMeasurement& m, const judge::Directions& directions,
                  const Place& place) {
  const Mark mark = mark_of(attempt, m);
  colour(place, mark);
  add_cell(m, place, mark);
  if (!m.judgement.limit.empty() && mark != Mark::kRecorded) {
    add_headline(test, m, mark, place);
    add_pair(directions, m, mark, place);
    add_rates(m, place);
  }
}

void Figures::add_headline(const judge::JudgedCase& test, const judge::JudgedMeasurement& m, Mark mark,
                           const Place& place) {
  Headline& line = headlines_[m.id];
  const auto value = m.text.empty() ? text::measured_value(m) : std::nullopt;
  if (value && std::isfinite(*value)) line.values.push_back(*value);
  if (line.values.size() > kMostValues) thin(line.values);
  ++line.figures;
  line.missed += mark >= Mark::kWaived ? 1 : 0;
  const std::optional<double> margin = margin_of(m);
  const bool first = line.figures == 1;
  if (!first && !is_worse(mark, margin, line.mark, line.margin)) return;
  line.id = m.id;
  line.unit = unit_of(m);
  line.limit = text::one_line(m.judgement.limit);
  line.where = where_text(test.plan, rig_, place);
  if (!m.detail.empty()) line.where += ", " + text::shortened(text::one_line(m.detail), 60);
  line.node = m.node;
  line.basis = text::one_line(m.basis.kind);
  line.stated_in = m.limit_where;
  line.dimension = m.samples.dimension;
  line.mark = mark;
  const judge::JudgedStatistic* further = m.judgement.further();
  line.statistic = further == nullptr ? "" : name(further->statistic);
  line.own = {m.statistic, value, m.judgement.bounds, limit_of(m)};
  line.value = further == nullptr ? value : further->value;
  line.bounds = further == nullptr ? line.own.bounds : further->bounds;
  line.short_limit = limit_of(m, line.bounds);
  line.margin = margin;
  line.text = text::shortened(text::one_line(m.text), 40);
  line.yes_or_no = asks_for_one(line.own.bounds, line.dimension);
}

void Figures::add_cell(const judge::JudgedMeasurement& m, const Place& place, Mark mark) {
  const Place end = rig_ == nullptr ? Place() : judge::end_of(*rig_, place, m.node);
  Rows& rows = rows_[end.kind];
  auto found = rows.index.find(m.id);
  if (found == rows.index.end()) {
    found = rows.index.emplace(m.id, rows.rows.size()).first;
    Row row{.id = m.id, .unit = m.unit, .limit = {}, .dimension = m.samples.dimension, .cells = {}};
    row.cells.resize(columns_[end.kind].size());
    rows.rows.push_back(std::move(row));
  }
  Row& row = rows.rows[found->second];
  if (row.limit.empty()) row.limit = limit_of(m);
  row.yes_or_no = row.yes_or_no || asks_for_one(m.judgement.bounds, m.samples.dimension);
  update(row.cells.at(column_of(end)), m, mark);
}

// A pair's measurement from only one node counts for both directions.
void Figures::add_pair(const judge::Directions& directions, const judge::JudgedMeasurement& m, Mark mark,
                       Place place) {
  const bool path =
      place.kind == Kind::kRailPath || place.kind == Kind::kLinkPath || place.kind == Kind::kNodePath;
  if (rig_ == nullptr || rig_->nodes.size() < 3 || !path || place.from.node == place.to.node) return;
  if (!m.text.empty()) return;
  place = directions.of(*rig_, m, place);
  PairTable& table = pairs_[m.id];
  if (table.id.empty()) table = {m.id, m.unit, limit_of(m), m.samples.dimension, {}, m.judgement.bounds};
  update(table.cells[{place.from.node, place.to.node}], m, mark);
  if (place.both_ways) update(table.cells[{place.to.node, place.from.node}], m, mark);
}

void Figures::add_rates(const judge::JudgedMeasurement& m, const Place& place) {
  const bool path =
      place.kind == Kind::kRailPath || place.kind == Kind::kLinkPath || place.kind == Kind::kNodePath;
  if (rig_ == nullptr || !path || place.both_ways) return;
  const auto value = m.text.empty() ? text::measured_value(m) : std::nullopt;
  if (!value || !std::isfinite(*value)) return;
  if (m.samples.dimension != Dimension::kDataRate || place.kind == Kind::kNodePath) return;
  PartRates& rates = (place.kind == Kind::kRailPath ? half_rates_ : port_rates_)[m.id];
  keep_lowest(rates[place.from].out, *value);
  keep_lowest(rates[place.to].in, *value);
}

// Marks both ends of a path, because one figure does not show which end is at fault.
void Figures::colour(const Place& place, Mark mark) {
  if (rig_ == nullptr || place.kind == Kind::kRun) return;
  for (const HalfRef end : {place.from, place.to}) {
    RigState::NodeState& node = state_.nodes[end.node];
    Mark* part = &node.mark;
    if (place.kind == Kind::kHalf || place.kind == Kind::kRailPath)
      part = &node.ports[end.port].halves[end.half];
    else if (place.kind == Kind::kPort || place.kind == Kind::kLinkPath)
      part = &node.ports[end.port].mark;
    *part = std::max(*part, mark);
  }
}

std::size_t Figures::column_of(const Place& end) const {
  if (end.kind == Kind::kHalf) return half_columns_.at(end.from);
  if (end.kind == Kind::kPort) return port_columns_.at({end.from.node, end.from.port});
  return end.kind == Kind::kNode ? end.from.node : 0;
}

std::vector<Headline> Figures::headlines() const {
  std::vector<Headline> lines;
  const text::Metrics metrics(run_.start.declared);
  const auto add_line = [&](Headline line) {
    line.title = metrics.title_of(line.id);
    if (const auto found = lacking_.find(line.id); found != lacking_.end()) line.lacking = found->second;
    lines.push_back(std::move(line));
  };
  if (marked_) {
    for (const Limit& limit : run_.limits->limits())
      if (const auto found = headlines_.find(limit.id); limit.headline && found != headlines_.end())
        add_line(found->second);
    return lines;
  }
  for (const auto& [id, line] : headlines_) add_line(line);
  std::ranges::stable_sort(lines, [](const Headline& a, const Headline& b) {
    return is_worse(a.mark, a.margin, b.mark, b.margin);
  });
  if (lines.size() > kUnmarked) lines.resize(kUnmarked);
  return lines;
}

std::vector<std::string> Figures::not_measured() const {
  std::vector<std::string> ids;
  if (run_.limits == nullptr) return ids;
  for (const Limit& limit : run_.limits->limits())
    if (limit.headline && !headlines_.contains(limit.id)) ids.push_back(limit.id);
  return ids;
}

std::vector<Matrix> Figures::matrices() const {
  std::vector<Matrix> all;
  for (const Kind kind : {Kind::kHalf, Kind::kPort, Kind::kNode, Kind::kRun})
    if (const auto found = rows_.find(kind); found != rows_.end())
      all.push_back({kind, columns_.at(kind), found->second.rows});
  return all;
}

// The last measured headline in the thresholds file (RDMA stands after TCP and wins); without one the first rate measured.
std::string Figures::rate_id(bool of_ports) const {
  const auto& rates = of_ports ? port_rates_ : half_rates_;
  std::string id = rates.empty() ? "" : rates.begin()->first;
  if (run_.limits == nullptr) return id;
  for (const Limit& limit : run_.limits->limits())
    if (limit.headline && rates.contains(limit.id)) id = limit.id;
  return id;
}

RigState Figures::rig_state() const {
  RigState state = state_;
  state.half_rate = rate_id(false);
  state.port_rate = rate_id(true);
  const auto limit_of = [&](const std::string& id) {
    const auto found = headlines_.find(id);
    if (found == headlines_.end()) return std::string();
    state.unit = found->second.unit;
    return found->second.own.limit;
  };
  state.port_limit = limit_of(state.port_rate);
  state.half_limit = limit_of(state.half_rate);
  if (const auto rates = half_rates_.find(state.half_rate); rates != half_rates_.end())
    for (const auto& [half, rate] : rates->second)
      state.nodes[half.node].ports[half.port].half_rates[half.half] = rate;
  if (const auto rates = port_rates_.find(state.port_rate); rates != port_rates_.end())
    for (const auto& [end, rate] : rates->second) state.nodes[end.node].ports[end.port].rates = rate;
  return state;
}

namespace {

// A value that is required to be the same everywhere, and is, needs no table.
bool tells_something(const PairTable& table) {
  const std::optional<double>& first = table.cells.begin()->second.value;
  return std::ranges::any_of(table.cells, [&](const auto& pair) {
    return pair.second.mark >= Mark::kWaived || pair.second.value != first;
  });
}

}  // namespace

std::vector<PairTable> Figures::pairs() const {
  std::vector<PairTable> tables;
  if (run_.limits == nullptr) return tables;
  for (const Limit& limit : run_.limits->limits())
    if (const auto found = pairs_.find(limit.id);
        limit.headline && found != pairs_.end() && tells_something(found->second))
      tables.push_back(found->second);
  return tables;
}

std::vector<std::size_t> shown_nodes(const PairTable& table, const Rig& rig, std::size_t most) {
  struct Rank {
    std::size_t node;
    int missed = 0;
    double margin = INFINITY;
  };
  std::vector<Rank> ranks(rig.nodes.size());
  for (std::size_t node = 0; node < ranks.size(); ++node) ranks[node].node = node;
  for (const auto& [pair, cell] : table.cells)
    for (const std::size_t node : {pair.first, pair.second}) {
      ranks[node].missed += cell.mark >= Mark::kWaived ? 1 : 0;
      ranks[node].margin = std::min(ranks[node].margin, cell.margin.value_or(INFINITY));
    }
  std::ranges::stable_sort(ranks, [](const Rank& a, const Rank& b) {
    return a.missed != b.missed ? a.missed > b.missed : a.margin < b.margin;
  });
  if (ranks.size() > most) ranks.resize(most);
  std::vector<std::size_t> nodes;
  for (const Rank& rank : ranks) nodes.push_back(rank.node);
  std::ranges::sort(nodes);
  return nodes;
}

NodeNames::NodeNames(const Rig& rig) {
  for (const Node& node : rig.nodes) names_.push_back(text::one_line(node.name));
  if (names_.size() < 2) return;
  constexpr std::string_view kSeparators = "-._";
  std::string_view begin = names_.front(), end = names_.front();
  for (const std::string_view name : names_) {
    begin = {begin.begin(), std::ranges::mismatch(begin, name).in1};
    const auto from_behind = std::mismatch(end.rbegin(), end.rend(), name.rbegin(), name.rend()).first;
    end = end.substr(end.size() - static_cast<std::size_t>(from_behind - end.rbegin()));
  }
  // Cuts only at word boundaries: of shelf1 and shelf2 the digit alone would be meaningless.
  before_ = begin.find_last_of(kSeparators) + 1;
  const std::size_t last = end.find_first_of(kSeparators);
  after_ = last == end.npos ? 0 : end.size() - last;
  for (const std::string& name : names_)
    if (before_ + after_ >= name.size()) before_ = after_ = 0;
}

std::string NodeNames::of(std::size_t node, std::size_t most) const {
  constexpr std::string_view kCut = "…";
  const auto characters = [](std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char each) { return (each & 0xc0) != 0x80; }));
  };
  const std::string& name = names_.at(node);
  if (characters(name) <= most) return name;
  std::string_view own = std::string_view(name).substr(before_, name.size() - before_ - after_);
  const bool is_begun = before_ > 0, is_ended = after_ > 0;
  if (characters(own) + is_begun + is_ended <= most)
    return fmt::format("{}{}{}", is_begun ? kCut : "", own, is_ended ? kCut : "");
  while (!own.empty() && (characters(own) + 1 > most || (own.front() & 0xc0) == 0x80)) own.remove_prefix(1);
  return fmt::format("{}{}", kCut, own);
}

std::string number_text(double value, const std::string& unit, Dimension dimension,
                        const judge::Bounds& bounds) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const Unit* known = find_unit(unit);
  const bool fits = known != nullptr && known->dimension == dimension;
  const double scale = fits ? known->scale : dimension == Dimension::kRatio ? 0.01 : 1;
  const auto crosses = [&](const std::optional<double>& bound, double shown) {
    return bound && ((value < *bound) != (shown < *bound) || (value > *bound) != (shown > *bound));
  };
  const double number = value / scale;
  if (dimension == Dimension::kCount && number == std::floor(number) && std::abs(number) < 1e15)
    return fmt::format("{:.0f}", number);
  for (int digits = 4; digits < 9; ++digits) {
    const int whole = number == 0 ? 1 : static_cast<int>(std::floor(std::log10(std::abs(number)))) + 1;
    const std::string text = fmt::format("{:.{}f}", number, std::clamp(digits - std::max(whole, 1), 0, 9));
    const double shown = std::stod(text) * scale;
    if (shown == value || (!crosses(bounds.at_least, shown) && !crosses(bounds.at_most, shown))) return text;
  }
  return fmt::format("{}", number);
}

std::string figure_text(const Headline& line) {
  if (line.yes_or_no) return fmt::format("{} of {}", line.figures - line.missed, line.owed());
  if (!line.text.empty()) return line.text;
  if (!line.value) return "no value";
  return fmt::format("{}{}{}", line.statistic, line.statistic.empty() ? "" : " ",
                     number_text(*line.value, line.unit, line.dimension, line.bounds));
}

std::string lacking_text(const Headline& line) {
  if (line.lacking.cases == 0) return "";
  return fmt::format("{} case{} without a figure: {}", line.lacking.cases, line.lacking.cases == 1 ? "" : "s",
                     line.lacking.where);
}

std::string shown_unit(const Headline& line) {
  return line.text.empty() && !line.yes_or_no && line.unit != "count" ? line.unit : "";
}

std::string margin_text(double margin) {
  constexpr double kLargest = 999;  // digits of larger margins carry no information
  const double percent = margin * 100;
  if (std::abs(percent) > kLargest)
    return fmt::format("{} {:+.0f} %", percent < 0 ? "<" : ">", std::copysign(kLargest, percent));
  return std::abs(percent) < 9.95 ? fmt::format("{:+.{}f} %", percent, std::abs(percent) < 0.1 ? 2 : 1)
                                  : fmt::format("{:+.0f} %", percent);
}

}  // namespace rigproof::figures
