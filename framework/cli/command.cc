#include "framework/cli/command.h"

#include <fmt/format.h>

#include "framework/supervisor/exit_code.h"
#include "reports/text/markup.h"

namespace rigproof::cli {
namespace {

int refuse(const char* message, int code) {
  complain(message);
  return code;
}

}  // namespace

void complain(std::string_view message) { fmt::print(stderr, "rigproof: {}\n", text::clean(message)); }

void create_folder(const std::string& option, const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    throw supervisor::Refused(
        fmt::format("{} {}: cannot create the folder: {}", option, path.string(), error.message()));
}

int exit_code_of(const std::function<int()>& command) {
  try {
    return command();
  } catch (const supervisor::Refused& refused) {
    return refuse(refused.what(), refused.code());
  } catch (const std::exception& error) {
    return refuse(error.what(), supervisor::kExitError);
  }
}

}  // namespace rigproof::cli
