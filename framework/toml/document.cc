#include "framework/toml/document.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <charconv>
#include <chrono>
#include <set>
#include <utility>

#include "framework/toml/source_text.h"
#include "framework/units/printable.h"

namespace rigproof::toml {
namespace {

using Value = ::toml::node;

std::optional<int> number(std::string_view digits) {
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  int value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// True for an ISO calendar date: "2026-12-31".
bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto year = number(text.substr(0, 4));
  const auto month = number(text.substr(5, 2));
  const auto day = number(text.substr(8, 2));
  if (!year || !month || !day) return false;
  return std::chrono::year_month_day(std::chrono::year(*year),
                                     std::chrono::month(static_cast<unsigned>(*month)),
                                     std::chrono::day(static_cast<unsigned>(*day)))
      .ok();
}

Position start_of(const ::toml::source_region& region) {
  if (!region.begin) return {};  // a table that is only implied has no position
  return {region.begin.line, region.begin.column};
}

std::string_view kind_of(const Value& value) {
  switch (value.type()) {
    case ::toml::node_type::table:
      return "a table";
    case ::toml::node_type::array:
      return "an array";
    case ::toml::node_type::string:
      return "a string";
    case ::toml::node_type::integer:
      return "an integer";
    case ::toml::node_type::floating_point:
      return "a number";
    case ::toml::node_type::boolean:
      return "a boolean";
    case ::toml::node_type::date:
      return "a date";
    case ::toml::node_type::time:
      return "a time";
    default:
      return "a date with a time";
  }
}

std::string_view example_unit(Dimension dimension) {
  switch (dimension) {
    case Dimension::kDataRate:
      return "Gbit/s";
    case Dimension::kDataSize:
      return "B";
    case Dimension::kTime:
      return "us";
    case Dimension::kCount:
      return "count";
    case Dimension::kRatio:
      return "%";
  }
  return "";
}

::toml::table parse_or_throw(const SourceText& source) {
  prescan(source);
  try {
    return ::toml::parse(std::string_view(source.text), std::string_view(source.name));
  } catch (const ::toml::parse_error& error) {
    source.fail(start_of(error.source()), printable(error.description()));
  }
}

}  // namespace

struct Document::Source {
  SourceText text;
  ::toml::table root;
};

struct Table::Node {
  std::shared_ptr<const SourceText> source;
  const ::toml::table* table;
  std::set<std::string, std::less<>> known = {};
  bool is_nested = false;  // in another table than the root

  const Value* find(std::string_view key) {
    known.emplace(key);
    return table->get(key);
  }

  const Value& get(std::string_view key) {
    const Value* value = find(key);
    if (value != nullptr) return *value;
    refuse_misspelt(key);
    fail(*table, fmt::format("missing key '{}'", key));
  }

  // Throws if an unread key is spelt almost like the missing key.
  void refuse_misspelt(std::string_view key) const {
    if (key.size() < 3) return;
    const std::vector<std::string> wanted{std::string(key)};
    for (const auto& [written, value] : *table) {
      if (known.contains(written.str())) continue;
      const std::string hint = suggestion(written.str(), wanted);
      if (hint.starts_with(';'))
        source->fail(start_of(written.source()),
                     fmt::format("unknown key {}{}", in_quotes(written.str()), hint));
    }
  }

  template <class Type>
  const auto& as(const Value& value, std::string_view key, std::string_view expected) const {
    if (const auto* typed = value.as<Type>()) return *typed;
    fail(value, fmt::format("'{}' must be {}, not {}", key, expected, kind_of(value)));
  }

  std::string text(const Value& value, std::string_view key) const {
    const std::string& text = as<std::string>(value, key, "a string").get();
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
      fail(value, fmt::format("'{}' is empty", key));
    return text;
  }

  Quantity quantity(const Value& value, std::string_view key, Dimension dimension) const;

  Table child(const ::toml::table& table_of_child) const {
    return Table(std::make_shared<Node>(Node{source, &table_of_child, {}, true}));
  }

  [[noreturn]] void fail(const Value& value, std::string_view message) const {
    source->fail(start_of(value.source()), message);
  }
};

Quantity Table::Node::quantity(const Value& value, std::string_view key, Dimension dimension) const {
  const std::string_view unit = example_unit(dimension);
  if (value.is_number()) {
    const double number = value.value_or(0.0);
    fail(value, fmt::format("no unit in {0} (write e.g. \"{0} {1}\")", number, unit));
  }
  const std::string words = text(value, key);
  if (words.find_first_not_of("0123456789.") == std::string::npos)
    fail(value, fmt::format("no unit in '{0}' (write e.g. \"{0} {1}\")", words, unit));
  try {
    const Quantity quantity = parse_quantity(words);
    if (quantity.dimension == dimension) return quantity;
    fail(value, fmt::format("{} is a {}, but '{}' is a {} (in e.g. {})", in_quotes(words),
                            name(quantity.dimension), key, name(dimension), unit));
  } catch (const std::invalid_argument& error) {
    fail(value, error.what());
  }
}

Table::Table(std::shared_ptr<Node> node) : node_(std::move(node)) {}

bool Table::has(std::string_view key) const { return node_->table->contains(key); }

std::string Table::text(std::string_view key) const { return node_->text(node_->get(key), key); }

Quantity Table::quantity(std::string_view key, Dimension dimension) const {
  return node_->quantity(node_->get(key), key, dimension);
}

std::int64_t Table::integer(std::string_view key) const {
  return node_->as<std::int64_t>(node_->get(key), key, "an integer").get();
}

std::string Table::date(std::string_view key) const {
  const Value& value = node_->get(key);
  if (const auto* day = value.as_date()) {
    return fmt::format("{:04}-{:02}-{:02}", day->get().year, day->get().month, day->get().day);
  }
  if (!value.is_string()) fail(key, fmt::format("'{}' must be a date, not {}", key, kind_of(value)));
  const std::string text = node_->text(value, key);
  if (!is_date(text)) {
    fail(key, fmt::format("{} is not a valid date (write e.g. \"2026-12-31\")", in_quotes(text)));
  }
  return text;
}

std::vector<std::string> Table::texts(std::string_view key) const {
  const Value& value = node_->get(key);
  const ::toml::array& array = node_->as<::toml::array>(value, key, "an array of strings");
  if (array.empty()) node_->fail(value, fmt::format("'{}' is empty", key));
  std::vector<std::string> texts;
  for (const Value& element : array) {
    if (!element.is_string())
      node_->fail(element, fmt::format("'{}' must hold strings only, not {}", key, kind_of(element)));
    texts.push_back(node_->text(element, key));
  }
  return texts;
}

Table Table::table(std::string_view key) const {
  return node_->child(node_->as<::toml::table>(node_->get(key), key, "a table"));
}

std::vector<Table> Table::tables(std::string_view key) const {
  std::vector<Table> tables;
  const Value* value = node_->find(key);
  if (value == nullptr) return tables;
  // A header [[key]] would begin a table of the root.
  const std::string form =
      node_->is_nested ? fmt::format("{} = [{{ ... }}]", key) : fmt::format("[[{}]]", key);
  const std::string expected = "a list of tables (write " + form + ")";
  for (const Value& element : node_->as<::toml::array>(*value, key, expected)) {
    tables.push_back(node_->child(node_->as<::toml::table>(element, key, expected)));
  }
  return tables;
}

std::optional<std::string> Table::maybe_text(std::string_view key) const {
  return node_->find(key) == nullptr ? std::nullopt : std::optional(text(key));
}

std::optional<std::vector<std::string>> Table::maybe_texts(std::string_view key) const {
  return node_->find(key) == nullptr ? std::nullopt : std::optional(texts(key));
}

std::vector<std::string> Table::one_or_more_texts(std::string_view key) const {
  const Value* value = node_->find(key);
  if (value == nullptr) return {};
  return value->is_array() ? texts(key) : std::vector{text(key)};
}

std::optional<bool> Table::maybe_boolean(std::string_view key) const {
  const Value* value = node_->find(key);
  if (value == nullptr) return std::nullopt;
  return node_->as<bool>(*value, key, "true or false").get();
}

std::optional<Table> Table::maybe_table(std::string_view key) const {
  return node_->find(key) == nullptr ? std::nullopt : std::optional(table(key));
}

void Table::allow(std::string_view key) const { node_->known.emplace(key); }

std::vector<std::string> Table::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, value] : *node_->table) keys.emplace_back(key.str());
  return keys;
}

void Table::finish() const {
  for (const auto& [key, value] : *node_->table) {
    if (node_->known.contains(key.str())) continue;
    const std::vector<std::string> known(node_->known.begin(), node_->known.end());
    node_->source->fail(start_of(key.source()),
                        fmt::format("unknown key {}{}", in_quotes(key.str()), suggestion(key.str(), known)));
  }
}

void Table::fail(std::string_view key, std::string_view message, std::optional<std::size_t> index) const {
  const Value* value = key.empty() ? nullptr : node_->table->get(key);
  if (value == nullptr) node_->fail(*node_->table, message);
  const ::toml::array* array = value->as_array();
  const Value* element = array != nullptr && index ? array->get(*index) : nullptr;
  node_->fail(element != nullptr ? *element : *value, message);
}

Place Table::where() const {
  return {node_->source->name, static_cast<std::uint32_t>(start_of(node_->table->source()).line)};
}

std::string to_text(const Place& place) {
  return place.line == 0 ? "" : fmt::format("{}:{}", place.file, place.line);
}

Document::Document(std::shared_ptr<Source> source) : source_(std::move(source)) {}

Document Document::load(const std::filesystem::path& path) {
  SourceText source = load_text(path);
  return parse(source.text, std::move(source.name));
}

Document Document::parse(std::string_view text, std::string name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  SourceText source{std::move(name), std::string(text)};
  ::toml::table root = parse_or_throw(source);
  return Document(std::make_shared<Source>(Source{std::move(source), std::move(root)}));
}

Table Document::root() const {
  const std::shared_ptr<const SourceText> text(source_, &source_->text);
  return Table(std::make_shared<Table::Node>(Table::Node{text, &source_->root}));
}

const std::string& Document::text() const { return source_->text.text; }

void Document::fail(const Place& place, std::string_view word, std::string_view message) const {
  const SourceText& source = source_->text;
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < place.line && begin != source.text.npos; ++line)
    begin = source.text.find('\n', begin) + 1;
  for (const char* quote : {"\"", "'"})
    if (const auto at = source.text.find(quote + std::string(word) + quote, begin); at != source.text.npos)
      source.fail(source.position(at), message);
  source.fail({place.line}, message);
}

}  // namespace rigproof::toml
