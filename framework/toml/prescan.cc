#include "framework/toml/prescan.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace rigproof::toml {
namespace {

constexpr int kMostDots = 16;

// Where a scan over TOML text stands; strings and comments are stepped over whole.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  [[nodiscard]] std::size_t at() const { return at_; }

  // The next character outside strings and comments, either of which counts as the one that opens it.
  char next() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') {
      skip_string(c);
    } else {
      at_ = c == '#' ? std::min(text_.find('\n', at_), text_.size()) : at_ + 1;
    }
    return c;
  }

 private:
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool multiline = text_.substr(at_).starts_with(three);
    const std::string_view end = multiline ? std::string_view(three) : std::string_view(three).substr(0, 1);
    at_ += end.size();
    while (!done() && !text_.substr(at_).starts_with(end) && (multiline || text_[at_] != '\n')) {
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_ + end.size(), text_.size());
    while (multiline && !done() && text_[at_] == quote) ++at_;  // """a quote at the end""""
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

[[noreturn]] void refuse_character(const SourceText& source, std::size_t at) {
  const std::string_view text = source.text;
  const bool utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  source.fail(source.position(at), utf16 ? "the file is UTF-16; save it as UTF-8"
                                         : "only plain ASCII may stand outside of strings and comments");
}

}  // namespace

void prescan(const SourceText& source) {
  int dots = 0;
  for (Scanner scanner(source.text); !scanner.done();) {
    const std::size_t at = scanner.at();
    const char c = scanner.next();
    if (static_cast<unsigned char>(c) >= 0x80) refuse_character(source, at);
    if (c == '.' && ++dots > kMostDots) source.fail(source.position(at), "this key is nested too deeply");
    if (std::string_view("=,[]{}\n#").find(c) != std::string_view::npos) dots = 0;
  }
}

}  // namespace rigproof::toml
