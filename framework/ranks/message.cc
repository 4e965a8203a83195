#include "framework/ranks/message.h"

#include "framework/ranks/packing.h"

namespace rigproof {

std::string encode(const Message& message) {
  Packer packer;
  packer.put(static_cast<std::uint64_t>(message.kind));
  packer.put(std::uint64_t{message.point.section}).put(std::uint64_t{message.point.index});
  packer.put(message.serial).put(static_cast<std::uint64_t>(message.status));
  packer.put(message.name).put(message.text);
  return packer.bytes();
}

Message decode_message(std::string_view bytes) {
  Unpacker in(bytes);
  const auto kind = static_cast<MessageKind>(in.integer());
  const auto section = static_cast<std::uint32_t>(in.integer());
  const auto index = static_cast<std::uint32_t>(in.integer());
  Message message{.kind = kind, .point = {section, index}};
  message.serial = in.integer();
  message.status = static_cast<PhaseStatus>(in.integer());
  message.name = in.text();
  message.text = in.text();
  return message;
}

}  // namespace rigproof
