#pragma once

#include "framework/toml/source_text.h"

namespace rigproof::toml {

// Throws InputError for what toml++ is not safe against: dotted keys ("a.b.c") nested deeper than a stack is
// large, and characters beyond ASCII outside of strings and comments (curly quotes, no-break spaces), which
// TOML forbids and its tables of characters do not all know.
void prescan(const SourceText& source);

}  // namespace rigproof::toml
