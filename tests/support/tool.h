#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/support/temp_folder.h"

namespace rigproof {

// How a checking program took a text that it was given as a file.
struct ToolAnswer {
  bool missing;      // exit code 77: something it needs is not installed
  std::string says;  // empty when it found nothing
};

// `program`: a path from the source folder, or a command.
inline ToolAnswer tool_on(const std::string& program, const std::string& text, const std::string& name) {
  const TempFolder folder;
  const auto file = (folder.path() / name).string(), says = (folder.path() / "says").string();
  write_text(file, text);
  const int status = std::system((program + " " + file + " >" + says + " 2>&1").c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return {code == 77, code == 0 ? "" : "exit code " + std::to_string(code) + ": " + file_text(says)};
}

}  // namespace rigproof
