#pragma once

#include <string>
#include <string_view>

#include "framework/channel/channel.h"

namespace rigproof::channel {

// A line each, with its newline. The readers take it without, and throw ChannelError for what is none.
[[nodiscard]] std::string line_of(const Order& order);
[[nodiscard]] std::string line_of(const Message& message);
[[nodiscard]] Order order_in(std::string_view line);
[[nodiscard]] Message message_in(std::string_view line);

// The largest line that is taken.
inline constexpr std::size_t kLongestLine = 64 << 20;

}  // namespace rigproof::channel
