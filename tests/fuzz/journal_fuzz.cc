// Whatever bytes a journal holds, its reader takes events or names faults; a line that is an event is written again as the
// same event; and a run read whole is the run whose measurements stay in the journal.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "framework/judge/run_judge.h"
#include "tests/fuzz/well_formed.h"
#include "tests/support/temp_folder.h"

namespace rigproof {
namespace {

void require_the_same_again(std::string_view line) try {
  const std::string once = encode(record::decode(line));
  require(encode(record::decode(once)) == once, "an event survives its line");
} catch (const std::invalid_argument& fault) {
  require(fault.what()[0] != '\0', "a fault has a name");
}

void require_readable(const std::filesystem::path& folder) try {
  const judge::JudgedRun run = judge::read_run(folder), left = judge::open_run(folder);
  require(run.exit_code() == left.exit_code(), "both ways to read a run agree");
  require(run.suites.size() == left.suites.size(), "both ways to read a run find its suites");
  for (const judge::JudgedSuite& suite : left.suites) {
    for (const judge::JudgedCase& test : suite.cases) {
      judge::JudgedCase buffer;
      for (const judge::Attempt& attempt : whole(left, test, buffer).attempts)
        require(!attempt.started.empty(), "an attempt has begun");
    }
  }
} catch (const record::JournalError& fault) {
  require(fault.what()[0] != '\0', "a fault has a name");
}

}  // namespace
}  // namespace rigproof

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rigproof;
  static const TempFolder folder;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (std::size_t begin = 0; begin < size;) {
    const std::size_t end = std::min(text.find('\n', begin), size);
    require_the_same_again(text.substr(begin, end - begin));
    begin = end + 1;
  }
  write_text(folder.path() / "journal.jsonl", text);
  require_readable(folder.path());
  return 0;
}
