#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "framework/record/journal.h"

namespace rigproof {

JournalLines::JournalLines(std::filesystem::path path)
    : path_(std::move(path)), fd_(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (fd_ < 0)
    throw JournalError(fmt::format("{}: cannot read the journal: {}", path_.string(),
                                   std::generic_category().message(errno)));
}

JournalLines::~JournalLines() { close(fd_); }

Event JournalLines::at(LinePlace place) const {
  std::string line(place.size, '\0');
  for (std::size_t have = 0; have < line.size();) {
    const ssize_t got =
        pread(fd_, line.data() + have, line.size() - have, static_cast<off_t>(place.offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw JournalError(path_.string() + ": the journal was cut short while it was read");
    have += static_cast<std::size_t>(got);
  }
  try {
    return decode(line);
  } catch (const std::invalid_argument&) {
    throw JournalError(path_.string() + ": the journal was changed while it was read");
  }
}

}  // namespace rigproof
