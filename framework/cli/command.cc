#include "framework/cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <system_error>

#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/out_directory.h"
#include "framework/units/printable.h"
#include "reports/text/markup.h"

namespace rigproof::cli {
namespace {

int refuse(const std::string& message, int code = supervisor::kExitError) {
  complain(message);
  return code;
}

}  // namespace

// Does not throw, even if stderr cannot be written.
void complain(std::string_view message) {
  const std::string line = fmt::format("rigproof: {}\n", text::clean(message));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void complain_of(const std::vector<record::Problem>& problems) {
  constexpr std::size_t kMost = 5;
  for (const record::Problem& problem : std::span(problems).first(std::min(problems.size(), kMost)))
    complain(problem.message);
  if (problems.size() > kMost)
    complain(fmt::format("and {} more problems: the run's reports list them", problems.size() - kMost));
}

std::string not_empty(const std::string& value) { return value.empty() ? "the value is empty" : ""; }

std::string finite(const std::string& value) {
  return std::isfinite(std::strtod(value.c_str(), nullptr)) ? "" : in_quotes(value) + " is no number";
}

void create_folder(const std::string& option, const std::filesystem::path& path) {
  supervisor::require_outside_of_runs(option, path);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    throw supervisor::Refused(
        fmt::format("{} {}: cannot create the folder: {}", option, path.string(), error.message()));
}

int exit_code_of(const std::function<int()>& command) {
  try {
    std::error_code gone;
    (void)std::filesystem::current_path(gone);
    if (gone)
      throw supervisor::Refused("the current folder was deleted (" + gone.message() +
                                "): cd to another folder");
    return command();
  } catch (const supervisor::Refused& refused) {
    return refuse(refused.what(), refused.code());
  } catch (const std::filesystem::filesystem_error& error) {
    return refuse(fmt::format("{}: {}", error.path1().string(), error.code().message()));
  } catch (const std::system_error& error) {
    const bool is_fmt =
        std::string_view(error.what()).starts_with("cannot write to file");  // from fmt, about stdout
    return refuse(is_fmt ? "standard output cannot be written: " + error.code().message() : error.what());
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}

}  // namespace rigproof::cli
