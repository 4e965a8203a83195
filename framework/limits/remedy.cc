#include "framework/limits/remedy.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/units/printable.h"
#include "framework/units/shell_words.h"

namespace rigproof::inline limits {
namespace {

// Placeholders whose values are several shell words, separated by blanks.
constexpr std::array<std::string_view, 4> kLists = {"netdevs", "rdmas", "left_out", "change"};

// Stand-ins that are clearer than the word in capitals.
const RemedyValues& better_than_capitals() {
  static const RemedyValues words{{"here", "VALUE"},        {"there", "OTHER_VALUE"},
                                  {"others", "most nodes"}, {"to", "OTHER_NODE"},
                                  {"sysctl", "SETTING"},    {"wanted", "LIMIT"},
                                  {"left_out", "NETDEV"},   {"change", "add|del ADDRESS/PREFIX"}};
  return words;
}

std::string stand_in(std::string_view word) {
  const RemedyValues& known = better_than_capitals();
  if (const auto found = known.find(word); found != known.end()) return found->second;
  std::string capitals(word);
  std::ranges::transform(capitals, capitals.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return capitals;
}

// The word of the placeholder at the front; empty: none.
std::string_view placeholder(std::string_view text) {
  const auto is_of_word = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  if (!text.starts_with('{')) return {};
  const auto end = std::find_if_not(text.begin() + 1, text.end(), is_of_word);
  const bool closed = end != text.end() && *end == '}';
  return closed ? text.substr(1, static_cast<std::size_t>(end - text.begin()) - 1) : std::string_view();
}

std::vector<std::string> at_blanks(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// Fills a template from left to right. `show` makes a value's text for its place; empty: use the stand-in.
template <class Show>
std::string filled(std::string_view text, const RemedyValues& values, Show& show) {
  std::string result;
  while (!text.empty()) {
    const std::string_view word = result.ends_with('$') ? std::string_view() : placeholder(text);
    if (word.empty()) {
      const std::size_t size = show.step(text);
      result += text.substr(0, size);
      text.remove_prefix(size);
      continue;
    }
    const auto value = values.find(word);
    std::string shown = value == values.end() ? "" : show.value(word, value->second, result);
    result += shown.empty() ? stand_in(word) : shown;
    text.remove_prefix(word.size() + 2);
  }
  return result;
}

// Tracks the shell syntax of a command. Outside quotes a value is quoted. Text in quotes may be read by another shell
// ("ssh NODE 'ip link'"), and arithmetic evaluates its text: there only harmless values are shown.
class InCommand {
 public:
  // Reads the next characters and returns their number.
  std::size_t step(std::string_view text) {
    const char c = text.front();
    if (c == '\\' && quote_ != '\'') return std::min<std::size_t>(2, text.size());
    if (quote_ != 0) {
      is_unclear_ = is_unclear_ || (quote_ == '"' && (c == '`' || text.starts_with("$(")));
      if (c == quote_) quote_ = 0;
    } else if (c == '\'' || c == '"') {
      quote_ = c;
    } else if (c == '`' || text.starts_with("<<")) {
      is_unclear_ = true;
    } else if (text.starts_with("$((")) {
      is_arithmetic_ = true;
    } else if (text.starts_with("))")) {
      is_arithmetic_ = false;
    }
    return 1;
  }

  // The value as it must be typed; empty: it cannot be typed here.
  [[nodiscard]] std::string value(std::string_view word, const std::string& value,
                                  std::string_view before) const {
    if (is_unclear_ || is_arithmetic_) return is_plain_word(value) ? value : "";
    if (quote_ != 0) {
      std::string without_blanks = value;
      std::erase(without_blanks, ' ');
      return is_plain_word(without_blanks) ? value : "";
    }
    if (std::ranges::find(kLists, word) == kLists.end()) return as_word(value, before);
    std::string list;
    for (const std::string& one : at_blanks(value)) {
      const std::string quoted = as_word(one, list.empty() ? before : " ");
      if (quoted.empty()) return "";
      list += (list.empty() ? "" : " ") + quoted;
    }
    return list;
  }

 private:
  // Refuses a value that a terminal does not show unchanged, or that a program would take for an option.
  static std::string as_word(const std::string& value, std::string_view before) {
    const bool begins = before.empty() || before.ends_with(' ');
    if (value.empty() || printable(value) != value || (begins && value.starts_with('-'))) return "";
    return shell_quoted(value);
  }

  char quote_ = 0;  // the open quote, or 0
  bool is_arithmetic_ = false;
  bool is_unclear_ = false;  // from here on, the syntax is not tracked
};

// A text for a person, who may paste it with the command: values that a shell would act on are quoted.
class InHint {
 public:
  static std::size_t step(std::string_view) { return 1; }
  [[nodiscard]] static std::string value(std::string_view, std::string value, std::string_view) {
    std::ranges::replace(value, '\t', ' ');
    value = printable(value);
    const bool acts = value.find_first_of(";&|<>$`\\'\"!\n") != value.npos;
    return acts ? shell_quoted(value) : value;
  }
};

}  // namespace

Remedy fill_placeholders(const Remedy& remedy, const RemedyValues& values) {
  const auto fill = [&]<class Show>(std::vector<std::string> list, Show) {
    for (std::string& text : list) {
      Show show;
      text = filled(text, values, show);
    }
    return list;
  };
  return {fill(remedy.check, InCommand()), fill(remedy.fix, InCommand()), fill(remedy.hint, InHint())};
}

Remedy remedy_of_finding(Remedy remedy, const RemedyValues& values) {
  const auto lacks_value = [&](std::string_view text) {
    for (bool of_shell = false; !text.empty(); of_shell = text.front() == '$', text.remove_prefix(1)) {
      const std::string_view word = of_shell ? std::string_view() : placeholder(text);
      const auto value = values.find(word);
      if (!word.empty() && (value == values.end() || value->second.empty())) return true;
    }
    return false;
  };
  for (std::vector<std::string>* steps : {&remedy.check, &remedy.fix, &remedy.hint})
    std::erase_if(*steps, lacks_value);
  return fill_placeholders(remedy, values);
}

std::string requoted_command(std::string_view text) try {
  const std::string command(text);
  return printable(command) == command ? join_words(split_words(command)) : "";
} catch (const std::invalid_argument&) {  // an open quote
  return {};
}

Remedy generic_remedy(const Limit& limit) {
  RemedyValues values{{"wanted", target_value(limit, {})}};
  const std::size_t family = limit.id.find('.'), member = limit.id.find('.', family + 1);
  if (member != std::string::npos)
    values[limit.id.substr(family + 1, member - family - 1)] = limit.id.substr(member + 1);
  return fill_placeholders(limit.remedy, values);
}

}  // namespace rigproof::inline limits
