#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "framework/cbor/cbor.h"
#include "framework/record/fields.h"

// JSON of the record's types, by their fields(): for journal lines, and as CBOR for messages between ranks.
// Include it in few files: nlohmann/json.hpp is large.

namespace rigproof::record::codec {

// All values of an enumeration, each with its word in the journal.
template <class Enum>
struct EnumWords;
template <>
struct EnumWords<Dimension> {
  static constexpr std::array kAll{Dimension::kDataRate, Dimension::kDataSize, Dimension::kTime,
                                   Dimension::kCount, Dimension::kRatio};
  static std::string_view of(Dimension dimension) { return base_unit(dimension); }
};
template <>
struct EnumWords<Failure::Kind> {
  static constexpr std::array kAll{Failure::Kind::kFail, Failure::Kind::kError, Failure::Kind::kSkip};
  static std::string_view of(Failure::Kind kind) { return name(kind); }
};

template <>
struct EnumWords<SubjectPlace::Kind> {
  using Kind = SubjectPlace::Kind;
  static constexpr std::array kAll{Kind::kRun,  Kind::kNode,  Kind::kPort,      Kind::kHalf,    Kind::kRail,
                                   Kind::kLink, Kind::kNodes, Kind::kForwarded, Kind::kAllNodes};
  static std::string_view of(Kind kind) {
    constexpr std::array<std::string_view, kAll.size()> kWords{
        "run", "node", "port", "half", "rail", "link", "nodes", "forwarded", "all nodes"};
    return kWords.at(static_cast<std::size_t>(kind));
  }
};

template <>
struct EnumWords<MetricGroup> {
  using Group = MetricGroup;
  static constexpr std::array kAll{Group::kOther,      Group::kCarrierLosses, Group::kLoad,
                                   Group::kLoadDamage, Group::kLoadRdma,      Group::kInventory};
  static std::string_view of(Group group) {
    constexpr std::array<std::string_view, kAll.size()> kWords{
        "other", "carrier losses", "load", "damage under load", "RDMA load", "inventory"};
    return kWords.at(static_cast<std::size_t>(group));
  }
};

template <>
struct EnumWords<CableMoved::Step> {
  using Step = CableMoved::Step;
  static constexpr std::array kAll{Step::kPull, Step::kPulled, Step::kPlug, Step::kPlugged};
  static std::string_view of(Step step) {
    return step == Step::kPull     ? "pull"
           : step == Step::kPulled ? "pulled"
           : step == Step::kPlug   ? "plug"
                                   : "plugged";
  }
};

template <>
struct EnumWords<Axis::Kind> {
  static constexpr std::array kAll{Axis::Kind::kPoint, Axis::Kind::kSeries};
  static std::string_view of(Axis::Kind kind) { return kind == Axis::Kind::kPoint ? "point" : "series"; }
};
template <>
struct EnumWords<Measured::Role> {
  static constexpr std::array kAll{Measured::Role::kMeasured, Measured::Role::kFound,
                                   Measured::Role::kBeside};
  static std::string_view of(Measured::Role role) {
    return role == Measured::Role::kMeasured ? "measured"
           : role == Measured::Role::kFound  ? "found"
                                             : "beside";
  }
};
template <>
struct EnumWords<Measured::Unread> {
  static constexpr std::array kAll{Measured::Unread::kNo, Measured::Unread::kNotReadable,
                                   Measured::Unread::kNothingThere};
  static std::string_view of(Measured::Unread unread) {
    return unread == Measured::Unread::kNo            ? "no"
           : unread == Measured::Unread::kNotReadable ? "not readable"
                                                      : "nothing there";
  }
};

template <class Value>
concept Enumeration = std::is_enum_v<Value>;

// How numbers without a JSON form are written.
constexpr std::array<std::pair<std::string_view, double>, 3> kNotFinite{
    {{"nan", std::numeric_limits<double>::quiet_NaN()},
     {"inf", std::numeric_limits<double>::infinity()},
     {"-inf", -std::numeric_limits<double>::infinity()}}};

// True if a member has its default value, so that its key may be left out.
template <class Member>
bool is_default(const Member& member) {
  if constexpr (requires { member.empty(); })
    return member.empty();
  else if constexpr (requires { member.has_value(); })
    return !member.has_value();
  else
    return member == Member{};
}

// Encodes one JSON object. Keeps the order of keys: a line begins with its sequence number.
class Encoder {
 public:
  using Json = nlohmann::ordered_json;

  void operator()(const char* key, const auto& member) { object_.emplace(key, value(member)); }
  void constant(const char* key, int number) { object_.emplace(key, number); }
  template <class Member>
  void unless_empty(const char* key, const Member& member) {
    if (!is_default(member)) object_.emplace(key, value(member));
  }
  [[nodiscard]] Json take() { return std::move(object_); }

  static Json value(const std::string& text) { return text; }
  static Json value(DataSize size) { return size.bytes(); }
  static Json value(std::integral auto number) { return number; }
  static Json value(double number) {
    if (std::isnan(number)) return kNotFinite[0].first;
    if (std::isinf(number)) return kNotFinite[number > 0 ? 1 : 2].first;
    return number;
  }
  static Json value(Enumeration auto word) { return EnumWords<decltype(word)>::of(word); }
  template <class Value>
  static Json value(const std::optional<Value>& maybe) {
    return maybe ? value(*maybe) : Json();
  }
  template <class Value>
  static Json value(const std::vector<Value>& list) {
    Json array = Json::array();
    for (const Value& element : list) array.push_back(value(element));
    return array;
  }
  template <class Value, std::size_t Size>
  static Json value(const std::array<Value, Size>& list) {
    return value(std::vector(list.begin(), list.end()));
  }
  template <class Value, class Compare>
  static Json value(const std::map<std::string, Value, Compare>& map) {
    Json object = Json::object();
    // Appends: emplace() would compare each key with all keys before it.
    typename Json::object_t::Container& members = object.get_ref<Json::object_t&>();
    for (const auto& [key, element] : map) members.emplace_back(key, value(element));
    return object;
  }
  template <class Struct>
  requires requires(Encoder& encoder, const Struct& plain) { fields(encoder, plain); }
  static Json value(const Struct& plain) {
    Encoder encoder;
    fields(encoder, plain);
    return encoder.take();
  }

 private:
  Json object_ = Json::object();
};

[[noreturn]] inline void refuse(const std::string& fault) { throw std::invalid_argument(fault); }

// Reads one JSON object strictly: every key asked for must exist, and finish() refuses all others.
class Decoder {
 public:
  using Json = nlohmann::json;
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
      refuse(
          fmt::format("{} {}, but this program reads {} {}: {}", key, written, key, number, kUseItsWriter));
  }
  void unless_empty(const char* key, auto& member) {
    if (object_.contains(key)) (*this)(key, member);
  }
  void finish() const {
    if (known_.size() == object_.size()) return;
    for (const auto& [key, unused] : object_.items())
      if (std::ranges::find(known_, std::string_view(key)) == known_.end())
        refuse(fmt::format("unknown key '{}'", key));
  }

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
  template <std::unsigned_integral Number>
  static void read(const Json& json, Number& number) {
    if (!json.is_number_unsigned()) refuse("not a whole number of 0 or more");
    const auto written = json.get<std::uint64_t>();
    if (written > std::numeric_limits<Number>::max()) refuse("a whole number out of range");
    number = static_cast<Number>(written);
  }
  static void read(const Json& json, DataSize& size) {
    std::uint64_t bytes = 0;
    read(json, bytes);
    size = DataSize::bytes(bytes);
  }
  static void read(const Json& json, int& number) {
    using Limits = std::numeric_limits<int>;
    if (!json.is_number_integer()) refuse("not a whole number");
    const bool fits = json.is_number_unsigned() ? json.get<std::uint64_t>() <= std::uint64_t{Limits::max()}
                                                : json.get<std::int64_t>() >= std::int64_t{Limits::min()};
    if (!fits) refuse("a whole number out of range");
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
  template <class Value>
  static void read(const Json& json, std::optional<Value>& maybe) {
    if (!json.is_null()) read(json, maybe.emplace(Value{}));
  }
  template <Enumeration Enum>
  static void read(const Json& json, Enum& value) {
    std::string word;
    read(json, word);
    for (const Enum known : EnumWords<Enum>::kAll)
      if (EnumWords<Enum>::of(known) == word) {
        value = known;
        return;
      }
    refuse(fmt::format("unknown value '{}'", word));
  }
  template <class Value>
  static void read(const Json& json, std::vector<Value>& list) {
    if (!json.is_array()) refuse("not an array");
    list.reserve(json.size());
    for (const Json& element : json)
      within("element {}", list.size(), [&] { read(element, list.emplace_back(Value{})); });
  }
  template <class Value, std::size_t Size>
  static void read(const Json& json, std::array<Value, Size>& list) {
    if (!json.is_array() || json.size() != Size) refuse(fmt::format("not an array of {}", Size));
    for (std::size_t i = 0; i < Size; ++i) within("element {}", i, [&] { read(json[i], list[i]); });
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

 private:
  const Json& object_;
  std::vector<const char*> known_;
};

// CBOR bytes for another rank of the same build, and back. from_bytes throws std::invalid_argument.
template <class Value>
std::string to_bytes(const Value& value) {
  std::string bytes;
  Encoder::Json::to_cbor(Encoder::value(value), bytes);
  return bytes;
}
template <class Value>
Value from_bytes(std::string_view bytes) try {
  Value value{};
  Decoder::read(cbor::decode_json(bytes), value);
  return value;
} catch (const cbor::Malformed& error) {
  refuse(error.what());
}

}  // namespace rigproof::record::codec
