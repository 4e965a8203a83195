#pragma once

#include <string>
#include <string_view>

namespace rigproof {

// Foreign text as Markdown that shows it literally, on one line, in a table's cell too.
[[nodiscard]] std::string markdown(std::string_view text);

}  // namespace rigproof
