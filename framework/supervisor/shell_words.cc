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

constexpr std::string_view kSafe = "%+,-./:=@_";
constexpr std::string_view kMask = "***";

// `also`: characters that need no quotes, either.
std::string quote(const std::string& word, std::string_view also = {}) {
  const auto is_safe = [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || kSafe.find(c) != kSafe.npos ||
           also.find(c) != also.npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_safe)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// The length of a variable's name at the front of "NAME=VALUE"; 0: it is no assignment.
std::size_t assigned_name(std::string_view text) {
  const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto end =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_of_name) - text.begin());
  const bool is_name = end > 0 && std::isdigit(static_cast<unsigned char>(text.front())) == 0;
  return is_name && end < text.size() && text[end] == '=' ? end : 0;
}

// Open MPI's own parameters hold no secret, and say by which network it goes.
bool is_open(std::string_view name) { return name.starts_with("OMPI_MCA_"); }

std::string masked_assignment(std::string_view text) {
  const std::size_t name = assigned_name(text);
  if (name == 0 || is_open(text.substr(0, name))) return std::string(text);
  return std::string(text.substr(0, name + 1)) + std::string(kMask);
}

// srun's "ALL,NAME=VALUE,OTHER='a,b'".
std::string masked_list(std::string_view list) {
  std::string masked;
  std::size_t begin = 0;
  char quote = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    if (quote != 0 && at < list.size()) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == ',') {
      masked += (begin == 0 ? "" : ",") + masked_assignment(list.substr(begin, at - begin));
      begin = at + 1;
    }
  }
  return masked;
}

// A command line in one word, as --launcher takes it.
std::string masked_line(const std::string& word) {
  try {
    const std::vector<std::string> words = split_words(word);
    if (words.size() < 2) return word;
    const std::string masked = join_masked(words);
    return masked == join_words(words) ? word : masked;
  } catch (const std::invalid_argument&) {
    return word;
  }
}

std::string masked_word(const std::string& word) {
  if (const std::string masked = masked_assignment(word); masked != word) return masked;
  const auto equals = word.find('=');
  if (equals == word.npos) return word;
  const std::string_view option = std::string_view(word).substr(0, equals),
                         value = std::string_view(word).substr(equals + 1);
  if (option == "--export") return std::string(option) + "=" + masked_list(value);
  if (option.starts_with('-') && assigned_name(value) > 0)
    return std::string(option) + "=" + masked_assignment(value);
  return word;
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) { return Splitter(text).split(); }

std::string join_words(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + quote(word);
  return line;
}

std::string join_masked(const std::vector<std::string>& words) {
  std::string line, before, before_that;
  for (const std::string& word : words) {
    std::string masked = word;
    if (before_that == "-env" || before_that == "-genv")  // MPICH's: the name, then the value
      masked = kMask;
    else if (before == "--export")
      masked = masked_list(word);
    else if (masked = masked_word(word); masked == word)
      masked = masked_line(word);
    line += (line.empty() ? "" : " ") + (masked == word ? quote(word) : quote(masked, "*"));
    before_that = std::exchange(before, word);
  }
  return line;
}

}  // namespace rigproof::supervisor
