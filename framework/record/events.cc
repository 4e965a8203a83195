#include "framework/record/events.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "framework/record/codec.h"
#include "framework/record/files.h"
#include "framework/record/measured.h"
#include "framework/record/strict_json.h"
#include "framework/units/printable.h"

namespace rigproof::record {

using codec::Decoder;
using codec::Encoder;
using codec::refuse;
using Json = nlohmann::json;

namespace {

Json parse_json(std::string_view line) try {
  return parse_strict_json(line);
} catch (const Json::exception& error) {
  refuse(fmt::format("not JSON: {}", words_of(error)));
}

// Refuses values that no clock or counter returns: the line was changed.
template <class Body>
void require_possible(const Body& body) {
  const auto require = [](bool possible, std::string_view key, auto number) {
    if (!possible) refuse(fmt::format("key '{}': {} is not possible", key, number));
  };
  const auto require_amount = [&](std::string_view key, double number) {
    require(std::isfinite(number) && number >= 0, key, number);
  };
  if constexpr (requires { body.seconds; }) require_amount("seconds", body.seconds);
  if constexpr (requires { body.measuring_s; }) require_amount("measuring_s", body.measuring_s);
  if constexpr (requires { body.deadline_s; }) require_amount("deadline_s", body.deadline_s);
  if constexpr (requires { body.within_s; }) require_amount("within_s", body.within_s);
  if constexpr (requires { body.disturbed; }) require_amount("disturbed", body.disturbed);
  if constexpr (requires { body.unread; }) require_amount("value", body.value);
  if constexpr (requires { body.iteration; }) require(body.iteration >= 1, "iteration", body.iteration);
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
    require_possible(body);
    return body;
  }
}

}  // namespace

TextFile text_file(std::string file, std::string text) {
  std::string hash = sha256(text);
  return {std::move(file), std::move(hash), std::move(text)};
}

std::string RunStarted::version() const { return programs.empty() ? "" : programs.front().version; }

std::string RunStarted::limits_files() const {
  std::vector<std::string_view> files;
  for (const TextFile& file : limits) files.push_back(file.file);
  return fmt::format("{}", fmt::join(files, ", "));
}

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
  const Json json = parse_json(line);
  // A byte order mark or a carriage return: another program wrote this file.
  if (json.is_object() && (!line.starts_with('{') || !line.ends_with('}')))
    refuse("bytes around the object: a journal's lines begin with '{' and end with '}'");
  Decoder decoder(json);
  Event event{};
  std::string kind;
  decoder("seq", event.sequence);
  decoder("time", event.time);
  if (!is_utc(event.time)) refuse(fmt::format("key 'time': not a valid UTC time: '{}'", event.time));
  decoder("event", kind);
  event.body = read_body(kind, decoder);
  decoder.finish();
  return event;
}

std::string fact_name(const std::string& part, const std::string& property) {
  return part.empty() ? property : part + " " + property;
}

namespace {
constexpr std::string_view kLastWords = "[rigproof] ended the job: ";
}  // namespace

std::string last_words(const Failure& failure) {
  return fmt::format("{}{}\n", kLastWords,
                     Encoder::value(failure).dump(-1, ' ', false, Encoder::Json::error_handler_t::replace));
}

std::optional<Failure> find_last_words(std::string_view log) {
  for (std::size_t at = log.rfind(kLastWords); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : log.rfind(kLastWords, at - 1)) {
    const std::string_view rest = log.substr(at + kLastWords.size());
    try {
      Failure failure;
      Decoder::read(parse_json(rest.substr(0, rest.find('\n'))), failure);
      return failure;
    } catch (const std::invalid_argument&) {  // incomplete or mixed: try the line before it
    }
  }
  return std::nullopt;
}

std::string encode(const SuiteDescription& description) {
  return Encoder::value(description).dump(-1, ' ', false, Encoder::Json::error_handler_t::replace);
}

SuiteDescription decode_description(std::string_view text) {
  SuiteDescription description;
  Decoder::read(parse_json(text), description);
  return description;
}

}  // namespace rigproof::record
