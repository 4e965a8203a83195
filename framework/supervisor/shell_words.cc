#include "framework/supervisor/shell_words.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <stdexcept>
#include <utility>

namespace rigproof::supervisor {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

// Reads one text from left to right; `quote` is the open quote or 0.
class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<std::string> split() {
    for (; at_ < text_.size(); ++at_) quote_ == 0 ? plain(text_[at_]) : quoted(text_[at_]);
    if (quote_ != 0) throw std::invalid_argument(std::string("no closing ") + quote_);
    end_word();
    return std::move(words_);
  }

 private:
  void plain(char c) {
    if (is_blank(c)) return end_word();
    if (c == '\'' || c == '"') return open(c);
    add(c == '\\' ? escaped() : c);
  }
  void quoted(char c) {
    if (c == quote_)
      quote_ = 0;
    else
      add(c == '\\' && quote_ == '"' && escapable_in_quotes() ? escaped() : c);
  }
  void open(char c) {
    quote_ = c;
    if (!word_) word_.emplace();
  }
  bool escapable_in_quotes() const {
    return at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\');
  }
  char escaped() {
    if (++at_ == text_.size()) throw std::invalid_argument("nothing after the last backslash");
    return text_[at_];
  }
  void add(char c) {
    if (!word_) word_.emplace();
    word_->push_back(c);
  }
  void end_word() {
    if (word_) words_.push_back(*std::exchange(word_, std::nullopt));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  char quote_ = 0;
  std::optional<std::string> word_;
  std::vector<std::string> words_;
};

std::string quote(const std::string& word) {
  const auto is_safe = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("%+,-./:=@_").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_safe)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) { return Splitter(text).split(); }

std::string join_words(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + quote(word);
  return line;
}

}  // namespace rigproof::supervisor
