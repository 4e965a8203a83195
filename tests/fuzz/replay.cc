// main() of a fuzz target in a build without libFuzzer: gives the target each seed as it is, then copies of it with
// bytes changed, cut off and said twice. The same inputs each time.   replay-NAME [copies=N] SEED...   (files or folders)
//
// Exits 0 when every promise holds. A broken promise ends the process; the input lies in ./replay.failed then.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::string_view kCopies = "copies=";
int broken_copies = 150;  // of each seed
constexpr const char* kFailed = "replay.failed";

std::string current;  // the input at work

void keep_input(int signal) {
  std::ofstream(kFailed, std::ios::binary) << current;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run(std::string input) {
  current = std::move(input);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current.data()), current.size());
}

std::string broken_copy(std::string text, std::minstd_rand& random) {
  const auto below = [&random](std::size_t end) { return end == 0 ? 0 : random() % end; };
  for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
    const std::size_t place = below(text.size());
    const std::size_t length = below(std::min<std::size_t>(text.size() - place, 64));
    switch (random() % 4) {
      case 0:
        text.insert(place, 1, static_cast<char>(random() % 256));
        break;
      case 1:
        text.erase(place, length);
        break;
      case 2:
        text.insert(below(text.size()), text.substr(place, length));
        break;
      default:
        if (!text.empty()) text[place] = static_cast<char>(random() % 256);
    }
  }
  if (random() % 8 == 0) text.resize(below(text.size()));
  return text;
}

std::set<std::filesystem::path> files_of(const std::vector<std::string>& arguments) {
  std::set<std::filesystem::path> files;
  for (const std::string& argument : arguments) {
    if (!std::filesystem::is_directory(argument)) {
      files.insert(argument);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argument))
      if (entry.is_regular_file()) files.insert(entry.path());
  }
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS}) std::signal(signal, keep_input);
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments[0].starts_with(kCopies)) {
    broken_copies = std::stoi(arguments[0].substr(kCopies.size()));
    arguments.erase(arguments.begin());
  }
  const auto files = files_of(arguments);
  run("");
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string seed{std::istreambuf_iterator<char>(in), {}};
    if (seed.empty()) {
      fmt::print(stderr, "{}: empty, or cannot be read\n", file.string());
      return EXIT_FAILURE;
    }
    run(seed);
    std::minstd_rand random(1);
    for (int copy = 0; copy < broken_copies; ++copy) run(broken_copy(seed, random));
  }
  fmt::print("{} seeds, {} broken copies of each\n", files.size(), broken_copies);
  return files.empty() ? EXIT_FAILURE : EXIT_SUCCESS;
}
