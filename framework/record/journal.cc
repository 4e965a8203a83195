#include "framework/record/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace rigproof::record {
namespace {

using std::chrono::steady_clock;

[[noreturn]] void refuse(const std::filesystem::path& path, std::string_view reason) {
  throw JournalError(fmt::format("{}: {}", path.string(), reason));
}

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view what, int error) {
  refuse(path, fmt::format("{}: {}", what, std::generic_category().message(error)));
}

int retry(const auto& call) {
  int result;
  do result = call();
  while (result < 0 && errno == EINTR);
  return result;
}

int open_for_appending(const std::filesystem::path& path, int flags) {
  const int fd = retry([&] { return open(path.c_str(), flags | O_RDWR | O_APPEND | O_CLOEXEC, 0666); });
  if (fd < 0) fail(path, "cannot open the journal", errno);
  return fd;
}

struct stat status_of(const std::filesystem::path& path, int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0) fail(path, "cannot examine the journal", errno);
  if (!S_ISREG(status.st_mode)) refuse(path, "not a regular file");
  if (status.st_nlink == 0) refuse(path, "the journal was removed or replaced while a run was writing it");
  return status;
}

void lock(const std::filesystem::path& path, int fd, std::chrono::milliseconds timeout) {
  const auto deadline = steady_clock::now() + timeout;
  while (retry([&] { return flock(fd, LOCK_EX | LOCK_NB); }) != 0) {
    if (errno != EWOULDBLOCK) fail(path, "cannot lock the journal", errno);
    if (steady_clock::now() >= deadline)
      refuse(path,
             fmt::format("another process is writing this journal (waited {} ms for it)", timeout.count()));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

// The complete lines of a file: their number and the end of the last one.
struct Lines {
  std::uint64_t count = 0;
  off_t end = 0;
};

Lines whole_lines(const std::filesystem::path& path, int fd) {
  Lines lines;
  std::array<char, 65536> block;
  for (off_t offset = 0;;) {
    const ssize_t size = pread(fd, block.data(), block.size(), offset);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) fail(path, "cannot read the journal", errno);
    if (size == 0) return lines;
    const std::string_view text(block.data(), static_cast<std::size_t>(size));
    lines.count += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    const auto last = text.rfind('\n');
    if (last != text.npos) lines.end = offset + static_cast<off_t>(last) + 1;
    offset += size;
  }
}

void cut(const std::filesystem::path& path, int fd, off_t size) {
  if (retry([&] { return ftruncate(fd, size); }) != 0) fail(path, "cannot remove an incomplete line", errno);
}

// Uses one write(), unless the kernel accepts only a part: the next write() then returns the error.
int append_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

std::string without_folder(const std::string& message, const std::filesystem::path& journal) {
  return message.starts_with(journal.string())
             ? journal.filename().string() + message.substr(journal.string().size())
             : message;
}

JournalWriter::JournalWriter(std::filesystem::path path, int fd, std::uint64_t next)
    : path_(std::move(path)), fd_(fd), next_(next) {}

JournalWriter::JournalWriter(JournalWriter&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      next_(other.next_),
      torn_at_(other.torn_at_) {}

JournalWriter& JournalWriter::operator=(JournalWriter&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  std::swap(next_, other.next_);
  std::swap(torn_at_, other.torn_at_);
  return *this;
}

JournalWriter::~JournalWriter() {
  if (fd_ >= 0) close(fd_);
}

JournalWriter JournalWriter::create(const std::filesystem::path& path) {
  JournalWriter writer(path, open_for_appending(path, O_CREAT | O_EXCL), 0);
  lock(path, writer.fd_, {});
  return writer;
}

JournalWriter JournalWriter::append(const std::filesystem::path& path, std::chrono::milliseconds timeout) {
  JournalWriter writer(path, open_for_appending(path, O_NONBLOCK), 0);
  lock(path, writer.fd_, timeout);
  const off_t size = status_of(path, writer.fd_).st_size;
  const Lines lines = whole_lines(path, writer.fd_);
  if (lines.end != size) writer.torn_at_ = lines.end;
  writer.next_ = lines.count;
  return writer;
}

namespace {

constexpr std::size_t kLongestLine = 64 << 20;
constexpr std::string_view kReplaced = "\xEF\xBF\xBD";  // replaces invalid UTF-8

}  // namespace

JournalWriter::Written JournalWriter::write(EventBody body) {
  if (torn_at_ >= 0) cut(path_, fd_, std::exchange(torn_at_, -1));
  const off_t start = status_of(path_, fd_).st_size;
  Written written{{next_, utc_now(), std::move(body)}, {}};
  const std::string line = encode(written.event);
  if (line.size() > kLongestLine)
    throw EventTooLong(
        fmt::format("{}: an event of more than {} MiB is not written", path_.string(), kLongestLine >> 20));
  if (const int error = append_all(fd_, line + '\n'); error != 0) {
    cut(path_, fd_, start);
    fail(path_, "cannot write to the journal", error);
  }
  ++next_;
  if (line.find(kReplaced) != line.npos) written.event = decode(line);
  written.place = {static_cast<std::uint64_t>(start), line.size()};
  return written;
}

namespace {

constexpr std::size_t kBlock = 65536;

struct Descriptor {
  int fd;
  explicit Descriptor(int value) : fd(value) {}
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

}  // namespace

// `buffer` is the part of the file from `offset` on; the current line begins at `begin` in it.
struct JournalReader::State {
  std::filesystem::path path;
  Descriptor file;
  off_t offset = 0;
  std::string buffer;
  std::size_t begin = 0, searched = 0;  // no newline from begin to searched
  bool too_long = false;                // skipping the rest of a line
  bool torn = false;
  bool gave_up = false;        // the file itself failed; reported once
  std::uint64_t line = 0;      // lines read
  std::uint64_t expected = 0;  // sequence number of the next line
  LinePlace place;             // the last line read
  std::optional<Event> behind_gap;

  explicit State(const std::filesystem::path& journal)
      : path(journal), file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (file.fd < 0) fail(std::generic_category().message(errno));
    if (!S_ISREG(status().st_mode)) fail("not a regular file");
  }

  [[noreturn]] void fail(std::string_view reason) const {
    throw JournalError(fmt::format("{}: cannot read the journal: {}", path.string(), reason));
  }
  [[noreturn]] void fail_line(std::string_view reason) const {
    throw JournalError(fmt::format("{}:{}: {}", path.string(), line, reason));
  }

  struct stat status() const {
    struct stat result;
    if (fstat(file.fd, &result) != 0) fail(std::generic_category().message(errno));
    return result;
  }

  // Appends the next block; false at the end of the file.
  bool read_block() {
    const std::size_t size = buffer.size();
    buffer.resize(size + kBlock);
    ssize_t got;
    do got = pread(file.fd, buffer.data() + size, kBlock, offset + static_cast<off_t>(size));
    while (got < 0 && errno == EINTR);
    const int error = errno;
    buffer.resize(size + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got < 0 && !std::exchange(gave_up, true)) fail(std::generic_category().message(error));
    return got > 0;
  }

  void drop_until(std::size_t position) {
    buffer.erase(0, position);
    offset += static_cast<off_t>(position);
    begin = 0;
    searched = buffer.size();
  }

  // Forgets an incomplete line and reads it again later: the next writer removes it if its writer is dead.
  void end_of_file() {
    torn = too_long || !buffer.empty();
    buffer.clear();
    searched = 0;
    if (status().st_size >= offset || std::exchange(gave_up, true)) return;
    fail("it became shorter while it was written");
  }

  // The next complete line, valid until the next call; nullopt at the end of the file.
  std::optional<std::string_view> next_line() {
    for (;;) {
      const std::size_t newline = buffer.find('\n', searched);
      if (newline != buffer.npos) {
        const std::string_view text = std::string_view(buffer).substr(begin, newline - begin);
        place = {static_cast<std::uint64_t>(offset) + begin, text.size()};
        begin = searched = newline + 1;
        ++line;
        if (std::exchange(too_long, false)) {
          ++expected;
          fail_line(fmt::format("a line of more than {} MiB", kLongestLine >> 20));
        }
        return text;
      }
      too_long = too_long || buffer.size() - begin > kLongestLine;
      drop_until(too_long ? buffer.size() : begin);
      if (!read_block()) {
        end_of_file();
        return {};
      }
    }
  }

  Event decode_line(std::string_view text) try {
    return decode(text);
  } catch (const std::invalid_argument& error) {
    ++expected;
    fail_line(error.what());
  }

  Event in_sequence(Event event) {
    const std::uint64_t wanted = expected;
    if (event.sequence < wanted)
      fail_line(fmt::format("line number {}, expected {}: repeated or out of order", event.sequence, wanted));
    expected = event.sequence + 1;
    if (event.sequence == wanted) return event;
    const std::uint64_t number = event.sequence;
    behind_gap = std::move(event);
    fail_line(fmt::format("line number {}, expected {}: {} missing", number, wanted, number - wanted));
  }
};

JournalReader::JournalReader(const std::filesystem::path& path) : state_(std::make_unique<State>(path)) {}

JournalReader::~JournalReader() = default;

std::optional<Event> JournalReader::next() {
  if (state_->behind_gap) return std::exchange(state_->behind_gap, {});
  const auto line = state_->next_line();
  if (!line) return {};
  return state_->in_sequence(state_->decode_line(*line));
}

LinePlace JournalReader::place() const { return state_->place; }

bool JournalReader::torn() const { return state_->torn; }

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

}  // namespace rigproof::record
