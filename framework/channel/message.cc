#include <utility>

#include "framework/channel/channel.h"
#include "framework/record/codec.h"
#include "framework/record/run_identity.h"
#include "framework/record/strict_json.h"
#include "framework/units/printable.h"

namespace rigproof::channel {

template <class Archive>
void fields(Archive& archive, record::Of<Order> auto& order) {
  archive("start", order.start);
  archive("nodes", order.nodes);
  archive("cases", order.cases);
  archive("pairs", order.pairs);
}

template <class Archive>
void fields(Archive& archive, record::Of<File> auto& file) {
  archive("file", file.name);
  archive("text", file.text);
}

namespace {

using record::codec::Decoder;
using record::codec::Encoder;

constexpr std::string_view kFile = R"({"file":)";

std::string dumped(const Encoder::Json& json) {
  return json.dump(-1, ' ', false, Encoder::Json::error_handler_t::replace);
}

template <class Value>
Value value_in(std::string_view line) try {
  Value value{};
  Decoder::read(record::parse_strict_json(line), value);
  return value;
} catch (const Decoder::Json::exception& error) {
  throw ChannelError("not JSON: " + shortened(error.what(), 300));
} catch (const std::exception& error) {  // also std::bad_alloc: such a message ends only the sender's launch
  throw ChannelError(error.what());
}

}  // namespace

std::string text_of(const Order& order) { return dumped(Encoder::value(order)); }

std::string text_of(const Message& message) {
  if (const auto* file = std::get_if<File>(&message)) return dumped(Encoder::value(*file));
  return encode(record::Event{0, record::utc_now(), std::get<record::EventBody>(message)});
}

Order order_in(std::string_view line) { return value_in<Order>(line); }

Message message_in(std::string_view line) {
  if (line.starts_with(kFile)) return value_in<File>(line);
  try {
    return record::decode(line).body;
  } catch (const std::exception& error) {
    throw ChannelError(error.what());
  }
}

}  // namespace rigproof::channel
