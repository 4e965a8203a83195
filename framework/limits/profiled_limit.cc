#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "framework/limits/limit_reader.h"
#include "framework/units/printable.h"
#include "framework/units/quantity.h"

namespace rigproof::inline limits {
namespace {

using toml::Table;

bool is_zero(const Bound& bound) {
  const auto* quantity = std::get_if<Quantity>(&bound.value);
  return quantity != nullptr ? quantity->value == 0 : std::get<RelativeBound>(bound.value).factor == 0;
}

}  // namespace

std::string read_word(const Table& table, std::string_view key, std::vector<std::string> words) {
  std::string text = table.text(key);
  if (std::ranges::find(words, text) != words.end()) return text;
  table.fail(key, fmt::format("unknown {} {}{}", key, in_quotes(text), suggestion(text, words)));
}

std::optional<Basis> maybe_basis(const Table& limit) {
  const auto table = limit.maybe_table("basis");
  if (!table) return std::nullopt;
  const std::vector<std::string> kinds = {"measured", "specification", "vendor", "derived", "policy"};
  const auto reasoning = table->maybe_text("reasoning");
  Basis basis{read_word(*table, "kind", kinds), table->text("source"),
              table->maybe_text("quote").value_or(""), reasoning.value_or("")};
  table->finish();
  if (basis.quote.empty() && !reasoning) table->fail("", "missing key 'quote' or 'reasoning'");
  return basis;
}

namespace {

// A person pastes each command as one line.
std::vector<std::string> read_commands(const Table& remedy, std::string_view key) {
  std::vector<std::string> commands = remedy.one_or_more_texts(key);
  for (std::size_t i = 0; i < commands.size(); ++i)
    if (std::ranges::any_of(commands[i], [](unsigned char c) { return std::iscntrl(c) != 0; }))
      remedy.fail(
          key,
          fmt::format("{} has a newline or another control character: write one command per text, in a "
                      "list if there are several",
                      in_quotes(commands[i])),
          i);
  return commands;
}

}  // namespace

std::optional<Remedy> maybe_remedy(const Table& limit) {
  const auto table = limit.maybe_table("remedy");
  if (!table) return std::nullopt;
  Remedy remedy{.check = read_commands(*table, "check"),
                .fix = read_commands(*table, "fix"),
                .hint = table->one_or_more_texts("hint")};
  table->finish();
  if (remedy.empty()) table->fail("", "an empty remedy: write check, fix or hint");
  return remedy;
}

namespace {

std::optional<Statistic> maybe_statistic(const Table& table) {
  const auto text = table.maybe_text("statistic");
  if (!text) return std::nullopt;
  try {
    return parse_statistic(*text);
  } catch (const std::invalid_argument& error) {
    table.fail("statistic", error.what());
  }
}

std::optional<Enforce> maybe_enforce(const Table& table) {
  if (!table.has("enforce")) return std::nullopt;
  const std::vector<std::string> words = {"required", "advice", "informative"};  // as in Enforce
  const std::string word = read_word(table, "enforce", words);
  return static_cast<Enforce>(std::ranges::find(words, word) - words.begin());
}

std::optional<Dimension> maybe_unit_dimension(const Table& table) {
  const auto name = table.maybe_text("unit");
  if (!name) return std::nullopt;
  if (const Unit* unit = find_unit(*name)) return unit->dimension;
  table.fail("unit", fmt::format("{} is not a valid unit (write e.g. \"Gbit/s\")", in_quotes(*name)));
}

std::optional<Quantity> maybe_place(const Table& table) {
  const auto text = table.maybe_text("at");
  if (!text) return std::nullopt;
  try {
    return parse_quantity(*text);
  } catch (const std::invalid_argument& error) {
    table.fail("at", error.what());
  }
}

// Reads one table of `also`.
FurtherBounds read_further_bounds(const Table& table, const Limit& limit, const FactDimensions& facts) {
  const auto at = maybe_place(table);
  auto statistic = maybe_statistic(table);
  if (!statistic && at) statistic = limit.statistic;
  if (!statistic) table.fail("", "missing key 'statistic' or 'at'");
  if (!at && !limit.at_least && !limit.at_most)
    table.fail(
        "",
        "'also' without 'at' needs at_least or at_most in the limit itself: it adds bounds for further "
        "statistics of the same samples");
  if (*statistic == limit.statistic && !at)
    table.fail("statistic", fmt::format("the limit itself has bounds for the {}: name another statistic",
                                        name(*statistic)));
  const auto bound = [&](std::string_view key) -> std::optional<Bound> {
    const auto written = maybe_bound(table, key, facts);
    if (!written) return std::nullopt;
    if (written->dimension != limit.dimension)
      table.fail(key,
                 fmt::format("wrong dimension: {} is a {}, expected a {}", in_quotes(written->bound.text),
                             name(written->dimension), name(limit.dimension)));
    return written->bound;
  };
  FurtherBounds more{*statistic, bound("at_least"), bound("at_most"), at, bound("marginal")};
  if (!more.at_least && !more.at_most) table.fail("", "no bound: write at_least or at_most");
  if (more.marginal && (!at || *statistic != limit.statistic))
    table.fail("marginal", "marginal needs 'at', and the limit's own statistic");
  if (more.marginal && ((more.at_least && compare(*more.marginal, *more.at_least) <= 0) ||
                        (more.at_most && compare(*more.marginal, *more.at_most) >= 0)))
    table.fail("marginal",
               fmt::format("marginal {} is not inside the bounds", in_quotes(more.marginal->text)));
  if (more.at_least && !more.at_most && is_zero(*more.at_least))
    table.fail("at_least", fmt::format("at_least {} can never be missed", in_quotes(more.at_least->text)));
  if (more.at_least && more.at_most && compare(*more.at_least, *more.at_most) > 0)
    table.fail("at_least", fmt::format("at_least {} is above at_most {}", in_quotes(more.at_least->text),
                                       in_quotes(more.at_most->text)));
  table.finish();
  return more;
}

}  // namespace

ProfiledLimit::ProfiledLimit(const Table& base, const Table* over, const FactDimensions& facts)
    : base_(base), over_(over), facts_(facts) {
  for (const std::string_view key : {"at_least", "at_most", "equals", "marginal"}) {
    if (auto bound = get([&](const Table& table) { return maybe_bound(table, key, facts); })) {
      bounds_.emplace(key, std::move(*bound));
    }
  }
}

Limit ProfiledLimit::condition(const std::string& id) const {
  const auto rule = this->rule();
  Limit limit{.id = id, .dimension = rule ? Dimension::kCount : dimension(), .unit = rule ? "" : unit()};
  limit.rule = rule;
  limit.at_least = bound("at_least");
  limit.at_most = bound("at_most");
  limit.equals = bound("equals");
  limit.marginal = bound("marginal");
  limit.statistic = get(maybe_statistic).value_or(Statistic::kMedian);
  limit.where = base_.where();
  check_bounds(limit);
  return limit;
}

Limit ProfiledLimit::read(const std::string& id) const {
  Limit limit = condition(id);
  limit.also = also(limit);
  limit.enforce = get(maybe_enforce).value_or(Enforce::kRequired);
  limit.headline = base_.maybe_boolean("headline").value_or(false);
  limit.by_pause = base_.maybe_boolean("by_pause").value_or(false);
  check(limit);
  read_reasons(limit);
  limit.tolerance = read_tolerance(limit, base_, over_);
  limit.gate = read_gate(limit);
  return limit;
}

std::optional<TextRule> ProfiledLimit::rule() const {
  const auto words = get([](const Table& table) { return table.maybe_texts("one_of"); });
  const auto version = get([](const Table& table) { return table.maybe_text("at_least_version"); });
  if (!words && !version) return std::nullopt;
  const std::string_view key = words ? "one_of" : "at_least_version";
  if (words && version) fail("at_least_version", "one_of and at_least_version cannot be combined");
  for (const char* other : {"unit", "statistic", "also"}) {
    if (base_.has(other) || (over_ != nullptr && over_->has(other)))
      fail(other, fmt::format("{} has no effect with {}: the fact is a text", other, key));
  }
  if (!bounds_.empty())
    fail(key, fmt::format("{} cannot be combined with bounds, which are for numbers", key));
  if (version && !is_version(*version))
    fail(key, fmt::format("{} is not a valid version (write e.g. \"28.45.1200\")", in_quotes(*version)));
  return TextRule{words.value_or(std::vector<std::string>()), version.value_or("")};
}

std::vector<FurtherBounds> ProfiledLimit::also(const Limit& limit) const {
  std::vector<FurtherBounds> all;
  for (const Table& table : get([](const Table& of) -> std::optional<std::vector<Table>> {
                              if (!of.has("also")) return std::nullopt;
                              return of.tables("also");
                            }).value_or(std::vector<Table>()))
    all.push_back(read_further_bounds(table, limit, facts_));
  return all;
}

bool ProfiledLimit::read_gate(const Limit& limit) const {
  const bool gate = base_.maybe_boolean("gate").value_or(false);
  if (gate && (limit.equals || limit.rule))
    fail("gate", "remove 'gate': it has no effect with equals or a text, which are compared by their limit");
  return gate && limit.is_required();
}

void ProfiledLimit::fail(std::string_view key, std::string_view message) const {
  (over_ != nullptr && over_->has(key) ? *over_ : base_).fail(key, message);
}

std::optional<Bound> ProfiledLimit::bound(std::string_view key) const {
  const auto found = bounds_.find(key);
  return found == bounds_.end() ? std::nullopt : std::optional(found->second.bound);
}

Dimension ProfiledLimit::dimension() const {
  const auto asked = maybe_unit_dimension(base_);
  if (bounds_.empty() && !asked) {
    fail("",
         "no bound: write at_least, at_most or equals, or one_of for a text (or a unit, for an informative "
         "limit)");
  }
  const Dimension wanted = asked ? *asked : bounds_.begin()->second.dimension;
  for (const auto& [key, written] : bounds_) {
    if (written.dimension == wanted) continue;
    const std::string_view hint = written.dimension == Dimension::kRatio
                                      ? " (to state a part of a fact, write e.g. \"85 % of port.rate\")"
                                      : "";
    fail(key, fmt::format("wrong dimension: {} is a {}, expected a {}{}", in_quotes(written.bound.text),
                          name(written.dimension), name(wanted), hint));
  }
  return wanted;
}

std::string ProfiledLimit::unit() const {
  if (const auto unit = base_.maybe_text("unit")) return *unit;
  for (const auto& [key, written] : bounds_) {
    if (!written.unit.empty()) return written.unit;
  }
  return dimension() == Dimension::kDataRate ? "Gbit/s" : "";
}

void ProfiledLimit::read_reasons(Limit& limit) const {
  const auto basis = get(maybe_basis);
  const auto remedy = get(maybe_remedy);
  if (!basis && (!bounds_.empty() || !limit.also.empty() || limit.rule))
    fail("", "missing key 'basis': state the source of the bound");
  if (!remedy && limit.enforce != Enforce::kInformative)
    fail("", "missing key 'remedy': state what to type when the limit is missed");
  limit.basis = basis.value_or(Basis{});
  limit.remedy = remedy.value_or(Remedy{});
}

void ProfiledLimit::check(const Limit& limit) const {
  if (!limit.at_least && !limit.at_most && !limit.equals && !limit.rule && limit.also.empty() &&
      limit.enforce != Enforce::kInformative) {
    fail("", "no bound: write at_least, at_most or equals");
  }
  if (limit.at_least && is_zero(*limit.at_least) && !limit.at_most && limit.enforce != Enforce::kInformative)
    fail("at_least", fmt::format("at_least {} can never be missed: write more, or enforce = \"informative\"",
                                 in_quotes(limit.at_least->text)));
}

void ProfiledLimit::check_bounds(const Limit& limit) const {
  const bool one_sided = limit.at_least || limit.at_most;
  if (limit.equals && (one_sided || limit.marginal)) {
    fail("equals", "'equals' cannot be combined with at_least, at_most or marginal");
  }
  if (limit.marginal && !one_sided) fail("marginal", "marginal needs at_least or at_most");
  const auto require = [&](bool good, std::string_view key, const Bound& bound, std::string_view relation,
                           const Bound& other) {
    if (good) return;
    fail(key, fmt::format("{} {} is {} {}", key, in_quotes(bound.text), relation, in_quotes(other.text)));
  };
  if (limit.at_least && limit.at_most) {
    require(!(compare(*limit.at_least, *limit.at_most) > 0), "at_least", *limit.at_least, "above at_most",
            *limit.at_most);
  }
  if (limit.marginal && limit.at_least) {
    require(!(compare(*limit.marginal, *limit.at_least) <= 0), "marginal", *limit.marginal,
            "not above at_least", *limit.at_least);
  }
  if (limit.marginal && limit.at_most) {
    require(!(compare(*limit.marginal, *limit.at_most) >= 0), "marginal", *limit.marginal,
            "not below at_most", *limit.at_most);
  }
}

}  // namespace rigproof::inline limits
