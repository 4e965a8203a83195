#include "framework/record/events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "framework/record/event_fields.h"

namespace rigproof {
namespace {

// Every value of an enumeration with the word that stands for it in the journal.
template <class Enum>
struct Words;
template <>
struct Words<Dimension> {
  static constexpr std::array kAll{Dimension::kDataRate, Dimension::kDataSize, Dimension::kTime,
                                   Dimension::kCount, Dimension::kRatio};
  static std::string_view of(Dimension dimension) { return base_unit(dimension); }
};
template <>
struct Words<Statistic> {
  static constexpr std::array kAll{Statistic::kMin, Statistic::kMedian, Statistic::kMean,
                                   Statistic::kP99, Statistic::kP999,   Statistic::kMax};
  static std::string_view of(Statistic statistic) { return name(statistic); }
};
template <>
struct Words<Verdict> {
  static constexpr std::array kAll{Verdict::kPass, Verdict::kMarginal, Verdict::kFail, Verdict::kError,
                                   Verdict::kRecorded};
  static std::string_view of(Verdict verdict) { return name(verdict); }
};
template <>
struct Words<Failure::Kind> {
  static constexpr std::array kAll{Failure::Kind::kFail, Failure::Kind::kError, Failure::Kind::kSkip};
  static std::string_view of(Failure::Kind kind) { return name(kind); }
};

template <class Value>
concept Enumeration = std::is_enum_v<Value>;

// How doubles that JSON has no number for are written.
constexpr std::array<std::pair<std::string_view, double>, 3> kNotFinite{
    {{"nan", std::numeric_limits<double>::quiet_NaN()},
     {"inf", std::numeric_limits<double>::infinity()},
     {"-inf", -std::numeric_limits<double>::infinity()}}};

// Keeps the order of keys: a line begins with its sequence number.
class Encoder {
 public:
  using Json = nlohmann::ordered_json;

  void operator()(const char* key, const auto& member) { object_.emplace(key, value(member)); }
  void constant(const char* key, int number) { object_.emplace(key, number); }
  void unless_empty(const char* key, const std::string& text) {
    if (!text.empty()) object_.emplace(key, text);
  }
  [[nodiscard]] Json take() { return std::move(object_); }

 private:
  static Json value(const std::string& text) { return text; }
  static Json value(std::integral auto number) { return number; }
  static Json value(double number) {
    if (std::isnan(number)) return kNotFinite[0].first;
    if (std::isinf(number)) return kNotFinite[number > 0 ? 1 : 2].first;
    return number;
  }
  static Json value(Enumeration auto word) { return Words<decltype(word)>::of(word); }
  static Json value(const std::optional<double>& number) { return number ? value(*number) : Json(); }
  template <class Value>
  static Json value(const std::vector<Value>& list) {
    Json array = Json::array();
    for (const Value& element : list) array.push_back(value(element));
    return array;
  }
  template <class Value, class Compare>
  static Json value(const std::map<std::string, Value, Compare>& map) {
    Json object = Json::object();
    for (const auto& [key, element] : map) object.emplace(key, value(element));
    return object;
  }
  template <class Struct>
  requires requires(Encoder& encoder, const Struct& plain) { fields(encoder, plain); }
  static Json value(const Struct& plain) {
    Encoder encoder;
    fields(encoder, plain);
    return encoder.take();
  }

  Json object_ = Json::object();
};

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& fault) { throw std::invalid_argument(fault); }

// Reads one JSON object strictly: every key once asked for must be there, and finish() refuses the others.
class Decoder {
 public:
  explicit Decoder(const Json& object) : object_(object) {
    if (!object.is_object()) refuse("not an object");
  }

  void operator()(const char* key, auto& member) {
    const auto found = object_.find(key);
    if (found == object_.end()) refuse(fmt::format("no key '{}'", key));
    known_.push_back(key);
    within("key '{}'", key, [&] { read(*found, member); });
  }
  void constant(const char* key, int number) {
    int written = 0;
    (*this)(key, written);
    if (written != number)
      refuse(fmt::format("{} {}, but this program reads {} {}", key, written, key, number));
  }
  void unless_empty(const char* key, std::string& text) {
    if (object_.contains(key)) (*this)(key, text);
  }
  void finish() const {
    if (known_.size() == object_.size()) return;
    for (const auto& [key, unused] : object_.items())
      if (std::ranges::find(known_, std::string_view(key)) == known_.end())
        refuse(fmt::format("unknown key '{}'", key));
  }

 private:
  static void within(const char* place, const auto& which, const auto& body) try {
    body();
  } catch (const std::invalid_argument& error) {
    refuse(fmt::format(fmt::runtime(place), which) + ": " + error.what());
  }

  static void read(const Json& json, std::string& text) {
    if (!json.is_string()) refuse("not a string");
    text = json.get_ref<const std::string&>();
  }
  static void read(const Json& json, bool& flag) {
    if (!json.is_boolean()) refuse("not true or false");
    flag = json.get<bool>();
  }
  static void read(const Json& json, std::uint64_t& number) {
    if (!json.is_number_unsigned()) refuse("not a whole number from 0");
    number = json.get<std::uint64_t>();
  }
  static void read(const Json& json, int& number) {
    using Limits = std::numeric_limits<int>;
    if (!json.is_number_integer()) refuse("not a whole number");
    const bool fits = json.is_number_unsigned() ? json.get<std::uint64_t>() <= std::uint64_t{Limits::max()}
                                                : json.get<std::int64_t>() >= std::int64_t{Limits::min()};
    if (!fits) refuse("a whole number beyond the range");
    number = json.get<int>();
  }
  static void read(const Json& json, double& number) {
    if (json.is_number()) {
      number = json.get<double>();
      return;
    }
    for (const auto& [word, value] : kNotFinite)
      if (json == word) {
        number = value;
        return;
      }
    refuse("not a number");
  }
  static void read(const Json& json, std::optional<double>& number) {
    if (!json.is_null()) read(json, number.emplace());
  }
  template <Enumeration Enum>
  static void read(const Json& json, Enum& value) {
    std::string word;
    read(json, word);
    for (const Enum known : Words<Enum>::kAll)
      if (Words<Enum>::of(known) == word) {
        value = known;
        return;
      }
    refuse(fmt::format("unknown word '{}'", word));
  }
  template <class Value>
  static void read(const Json& json, std::vector<Value>& list) {
    if (!json.is_array()) refuse("not an array");
    list.reserve(json.size());
    for (const Json& element : json)
      within("element {}", list.size(), [&] { read(element, list.emplace_back(Value{})); });
  }
  template <class Value, class Compare>
  static void read(const Json& json, std::map<std::string, Value, Compare>& map) {
    if (!json.is_object()) refuse("not an object");
    for (auto item = json.begin(); item != json.end(); ++item)
      within("key '{}'", item.key(),
             [&] { read(item.value(), map.try_emplace(item.key(), Value{}).first->second); });
  }
  template <class Struct>
  requires requires(Decoder& decoder, Struct& plain) { fields(decoder, plain); }
  static void read(const Json& json, Struct& plain) {
    Decoder decoder(json);
    fields(decoder, plain);
    decoder.finish();
  }

  const Json& object_;
  std::vector<const char*> known_;
};

Json parse(std::string_view line) try { return Json::parse(line); } catch (const Json::exception& error) {
  refuse(fmt::format("not JSON: {}", error.what()));
}

// Tries the alternatives of the variant from `index` on.
template <std::size_t index = 0>
EventBody read_body(std::string_view event, Decoder& decoder) {
  if constexpr (index == std::variant_size_v<EventBody>) {
    refuse(fmt::format("unknown event '{}'", event));
  } else {
    using Body = std::variant_alternative_t<index, EventBody>;
    if (event != kEventName<Body>) return read_body<index + 1>(event, decoder);
    Body body{};
    fields(decoder, body);
    return body;
  }
}

}  // namespace

std::string encode(const Event& event) {
  Encoder encoder;
  encoder("seq", event.sequence);
  encoder("time", event.time);
  std::visit(
      [&]<class Body>(const Body& body) {
        encoder("event", std::string(kEventName<Body>));
        fields(encoder, body);
      },
      event.body);
  return encoder.take().dump(-1, ' ', false, Encoder::Json::error_handler_t::replace);
}

Event decode(std::string_view line) {
  const Json json = parse(line);
  // A byte order mark, a carriage return: something else wrote this file.
  if (json.is_object() && (!line.starts_with('{') || !line.ends_with('}')))
    refuse("bytes around the object: a journal's lines begin with '{' and end with '}'");
  Decoder decoder(json);
  Event event{};
  std::string kind;
  decoder("seq", event.sequence);
  decoder("time", event.time);
  if (!is_utc(event.time)) refuse(fmt::format("key 'time': no UTC time: '{}'", event.time));
  decoder("event", kind);
  event.body = read_body(kind, decoder);
  decoder.finish();
  return event;
}

}  // namespace rigproof
