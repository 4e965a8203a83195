#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigproof::supervisor {

// Splits a command line into words as a shell does, without a shell: blanks separate, '...' and "..." and
// \ quote; nothing is expanded. Throws std::invalid_argument for an open quote or a trailing backslash.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);

// The other way: quotes what needs it, for a line that a person can paste.
[[nodiscard]] std::string join_words(const std::vector<std::string>& words);

}  // namespace rigproof::supervisor
