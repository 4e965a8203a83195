#include "framework/runner/profile_windows.h"

namespace rigproof {

Windows windows_of(Profile profile) {
  using namespace std::chrono_literals;
  switch (profile) {
    case Profile::kSmoke:
      return {.warm_up = 200ms, .window = 500ms, .intervals = 5, .repeats = 20};
    case Profile::kStandard:
      return {.warm_up = 500ms, .window = 2000ms, .intervals = 10, .repeats = 200};
    case Profile::kAcceptance:
      break;
  }
  return {.warm_up = 2000ms, .window = 10'000ms, .intervals = 20, .repeats = 2000};
}

}  // namespace rigproof
