#pragma once

#include <string_view>

namespace rigproof {

// How the text begins of a fact that is recorded though the thresholds may have a limit for it.
inline constexpr std::string_view kNotRead = "not read: ";                 // under a limit it proves nothing
inline constexpr std::string_view kNothingToJudge = "nothing to judge: ";  // a sound rig may lack it

}  // namespace rigproof
