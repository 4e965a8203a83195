#pragma once

#include <string>
#include <string_view>

#include "framework/toml/document.h"

namespace rigproof::toml {

// Runs `read` and returns the message of the InputError it ends in.
template <class Read>
std::string refusal(Read read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

inline std::string refusal_of_parse(std::string_view text) {
  return refusal([&] { (void)Document::parse(text, "t.toml"); });
}

}  // namespace rigproof::toml
