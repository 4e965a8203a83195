#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "reports/text/markup.h"
#include "tests/junit/xmllint.h"
#include "tests/support/temp_folder.h"

namespace rigproof {

// Nothing in it that a terminal or a parser would take for more than text.
inline bool is_printable(const std::string& text) { return text::clean(text) == text; }

// What `write` writes to a stream.
template <class Write>
[[nodiscard]] std::string written(const Write& write) {
  std::ostringstream out;
  write(out);
  return out.str();
}

// XML to be looked at by one call of xmllint, where there is one.
class XmlFiles {
 public:
  // `of`: what the file is about, for messages.
  void add(const std::string& xml, const std::string& of) {
    write_text(folder_.path() / fmt::format("{}.xml", names_.size()), xml);
    names_.push_back(of);
  }
  void expect_well_formed(const std::string& options = "") const {
    if (!has_xmllint()) return;
    const auto says = folder_.path() / "says";
    const std::string command =
        fmt::format("cd {} && ls | grep xml$ | xargs xmllint --huge --noout {} >{} 2>&1",
                    folder_.path().string(), options, says.string());
    const bool good = std::system(command.c_str()) == 0;
    EXPECT_TRUE(good) << file_text(says).substr(0, 4000) << legend();
  }

 private:
  [[nodiscard]] std::string legend() const {
    std::string text;
    for (std::size_t i = 0; i < names_.size(); ++i) text += fmt::format("{}.xml: {}\n", i, names_[i]);
    return text;
  }

  TempFolder folder_;
  std::vector<std::string> names_;
};

}  // namespace rigproof
