#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/support/temp_folder.h"

namespace rigproof {

inline bool has_xmllint() { return std::system("command -v xmllint >/dev/null 2>&1") == 0; }

// What xmllint says against the text; empty when it finds nothing.
inline std::string xmllint(const std::string& xml, const std::string& options = "") {
  const TempFolder folder;
  const auto file = (folder.path() / "junit.xml").string(), says = (folder.path() / "says").string();
  write_text(file, xml);
  const int status =
      std::system(("xmllint --huge --noout " + options + " " + file + " >" + says + " 2>&1").c_str());
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "" : "xmllint: " + file_text(says);
}

}  // namespace rigproof
