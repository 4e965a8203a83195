#include "framework/cli/command.h"

#include <fmt/format.h>

#include "framework/supervisor/exit_code.h"

namespace rigproof::cli {
namespace {

int refuse(const char* message, int code) {
  fmt::print(stderr, "rigproof: {}\n", message);
  return code;
}

}  // namespace

int guarded(const std::function<int()>& command) {
  try {
    return command();
  } catch (const supervisor::Refused& refused) {
    return refuse(refused.what(), refused.code());
  } catch (const std::exception& error) {
    return refuse(error.what(), supervisor::kExitError);
  }
}

}  // namespace rigproof::cli
