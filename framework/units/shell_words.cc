#include "framework/units/shell_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <stdexcept>
#include <utility>

namespace rigproof::inline units {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

// Splits one text, from left to right.
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
constexpr std::string_view kLauncherOption = "--launcher";
constexpr std::string_view kLabelOption = "--label";  // its values are for every reader of the reports

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || kSafe.find(c) != kSafe.npos;
}

// `also`: further characters that need no quotes.
std::string quote(const std::string& word, std::string_view also = {}) {
  const auto is_safe = [&](char c) { return is_plain(c) || also.find(c) != also.npos; };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_safe)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// Length of NAME in "NAME=VALUE"; 0: not an assignment.
std::size_t assigned_name(std::string_view text) {
  const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto end =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_of_name) - text.begin());
  const bool is_name = end > 0 && std::isdigit(static_cast<unsigned char>(text.front())) == 0;
  return is_name && end < text.size() && text[end] == '=' ? end : 0;
}

// Open MPI's own parameters hold no secrets, and show which network Open MPI uses.
bool is_open(std::string_view name) { return name.starts_with("OMPI_MCA_"); }

std::string masked_launcher_line(std::string_view line);

std::string masked_assignment(std::string_view text) {
  const std::size_t name = assigned_name(text);
  if (name == 0) return std::string(text);
  const std::string_view value = text.substr(name + 1);
  return std::string(text.substr(0, name + 1)) +
         (is_open(text.substr(0, name)) ? masked_launcher_line(value) : std::string(kMask));
}

// Masks srun's list "ALL,NAME=VALUE,OTHER='a,b'".
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

// Programs that start other programs, and their options whose values are not secret.
struct Starter {
  std::string_view names, options;
};
constexpr std::string_view kOfMpirun =
    " -np --np -n --n -c -N -host --host -H -hostfile --hostfile -machinefile --machinefile -hosts -f -ppn "
    "-npernode "
    "--npernode -map-by --map-by -bind-to --bind-to -rank-by --rank-by -prefix --prefix -wdir --wdir -wd "
    "--timeout -x "
    "-mca --mca -gmca --gmca --prtemca --pmixmca ";
constexpr std::string_view kOfSrun =
    " -N --nodes -n --ntasks -w --nodelist -x --exclude -c --cpus-per-task -t --time --ntasks-per-node --mpi "
    "--partition --cpu-bind --gres --gpus --gpus-per-node --mem --jobid --reservation --chdir --export "
    "--input ";
constexpr std::array kStarters{
    Starter{" mpirun mpiexec mpiexec.hydra orterun prterun prun ", kOfMpirun}, Starter{" srun ", kOfSrun},
    Starter{" numactl taskset nice ", " -n -c --cpunodebind --membind --physcpubind "},
    Starter{" env sudo ssh sshpass sh bash timeout time stdbuf setsid nohup chrt ionice ip docker podman "
            "apptainer "
            "singularity enroot unshare nsenter ",
            ""}};

bool has_word(std::string_view list, std::string_view word) {
  return word.find(' ') == word.npos && list.find(fmt::format(" {} ", word)) != list.npos;
}

const Starter* starter_of(std::string_view word) {
  const std::string_view name = word.substr(word.rfind('/') + 1);
  const auto found = std::ranges::find_if(
      kStarters, [&](const Starter& starter) { return !name.empty() && has_word(starter.names, name); });
  return found == kStarters.end() ? nullptr : &*found;
}

// Masks a value appended to an option's name: "-pSECRET", "--token:SECRET".
std::string option_name(const std::string& name, const Starter* starter) {
  const auto is_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  };
  if (starter != nullptr && has_word(starter->options, name)) return name;
  auto end = std::find_if_not(name.begin(), name.end(), is_of_name);
  if (!name.starts_with("--") && name.size() > 2) {
    const bool is_count = name.find_first_not_of("0123456789", 2) == name.npos && starter != nullptr &&
                          has_word(starter->options, std::string_view(name).substr(0, 2));
    if (!is_count) end = name.begin() + 2;
  }
  return std::string(name.begin(), end) + (end == name.end() ? "" : std::string(kMask));
}

std::string kept_value(std::string_view option, const std::string& value) {
  if (option == "--export") return masked_list(value);
  return assigned_name(value) > 0 ? masked_assignment(value) : masked_launcher_line(value);
}

// Each word of a launcher may be a secret, except programs that start others, option names and values of known
// options.
std::vector<std::string> masked_launcher(const std::vector<std::string>& words) {
  std::vector<std::string> shown;
  const Starter* starter = nullptr;
  const auto next = [&](std::size_t& i, const auto& show) {
    if (i + 1 < words.size()) shown.push_back(show(words[++i]));
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const Starter* const found = starter_of(word);
    if (i == 0 || found != nullptr) {
      starter = found;
      shown.push_back(word);
    } else if (word == "-env" || word == "-genv") {  // MPICH: name, then value
      shown.push_back(word);
      next(i, [](const std::string& name) { return name; });
      next(i, [](const std::string&) { return std::string(kMask); });
    } else if (word.size() > 1 && word.front() == '-') {
      const auto equals = word.find('=');
      const std::string name = word.substr(0, equals);
      const bool known = starter != nullptr && has_word(starter->options, name);
      const auto show = [&](const std::string& value) {
        if (known) return kept_value(name, value);
        return assigned_name(value) > 0 ? masked_assignment(value) : std::string(kMask);
      };
      shown.push_back(option_name(name, starter));
      if (equals != word.npos) shown.back() += "=" + show(word.substr(equals + 1));
      if (!known || equals != word.npos) continue;
      next(i, show);
      if (name.ends_with("mca")) next(i, show);
    } else {
      shown.push_back(assigned_name(word) > 0 ? masked_assignment(word) : std::string(kMask));
    }
  }
  return shown;
}

std::string masked_launcher_line(std::string_view line) {
  if (line.find_first_of(" \t\n") == line.npos) return std::string(line);
  try {
    const std::vector<std::string> words = split_words(line), shown = masked_launcher(words);
    std::string masked;
    for (std::size_t i = 0; i < words.size(); ++i)
      masked += (i == 0 ? "" : " ") + (shown[i] == words[i] ? quote(words[i]) : quote(shown[i], "*"));
    return shown == words ? std::string(line) : masked;
  } catch (const std::invalid_argument&) {
    return std::string(kMask);
  }
}

// Masks a word that is itself a command line.
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
  if (option == kLabelOption) return word;
  if (option == "--export") return std::string(option) + "=" + masked_list(value);
  if (option == kLauncherOption) return std::string(option) + "=" + masked_launcher_line(value);
  if (option.starts_with('-') && assigned_name(value) > 0)
    return std::string(option) + "=" + masked_assignment(value);
  return word;
}

}  // namespace

std::string shell_quoted(const std::string& word) { return quote(word); }

bool is_plain_word(std::string_view text) { return std::ranges::all_of(text, is_plain); }

std::vector<std::string> split_words(std::string_view text) { return Splitter(text).split(); }

std::string join_words(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + quote(word);
  return line;
}

std::string join_masked(const std::vector<std::string>& words, std::size_t launcher) {
  launcher = std::min(launcher, words.size());
  const std::vector<std::string> first =
      masked_launcher({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(launcher)});
  std::string line, before, before_that;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    std::string masked = word;
    if (i < launcher)
      masked = first[i];
    else if (before_that == "-env" || before_that == "-genv")  // MPICH: name, then value
      masked = kMask;
    else if (before == kLabelOption)
      masked = word;
    else if (before == "--export")
      masked = masked_list(word);
    else if (before == kLauncherOption)
      masked = masked_launcher_line(word);
    else if (masked = masked_word(word); masked == word && !word.starts_with(kLauncherOption))
      masked = masked_line(word);
    line += (line.empty() ? "" : " ") + (masked == word ? quote(word) : quote(masked, "*"));
    before_that = std::exchange(before, word);
  }
  return line;
}

}  // namespace rigproof::inline units
