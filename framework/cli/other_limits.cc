#include "framework/cli/other_limits.h"

#include "framework/cli/run_arguments.h"
#include "framework/record/program.h"
#include "framework/toml/document.h"

namespace rigproof {

TextFile load_thresholds(const std::filesystem::path& path) {
  return text_file(path, toml::Document::load(path).text());
}

OtherLimits other_limits(TextFile limits) {
  return {.limits = {std::move(limits)},
          .by = {.run = {},
                 .time = utc_now(),
                 .user = user_name(),
                 .host = host_name(),
                 .command_line = own_command_line()}};
}

}  // namespace rigproof
