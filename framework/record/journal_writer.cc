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

#include "framework/record/journal.h"

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

void lock(const std::filesystem::path& path, int fd, std::chrono::milliseconds patience) {
  const auto deadline = steady_clock::now() + patience;
  while (retry([&] { return flock(fd, LOCK_EX | LOCK_NB); }) != 0) {
    if (errno != EWOULDBLOCK) fail(path, "cannot lock the journal", errno);
    if (steady_clock::now() >= deadline)
      refuse(path,
             fmt::format("another process is writing this journal (waited {} ms for it)", patience.count()));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

// The whole lines of a file: how many, and where the last one ends.
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
  if (retry([&] { return ftruncate(fd, size); }) != 0) fail(path, "cannot cut off a torn line", errno);
}

// One write() unless the kernel takes only a part, which says that the next one will tell why.
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

JournalWriter::JournalWriter(std::filesystem::path path, int fd, std::uint64_t next)
    : path_(std::move(path)), fd_(fd), next_(next) {}

JournalWriter::JournalWriter(JournalWriter&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)), next_(other.next_) {}

JournalWriter& JournalWriter::operator=(JournalWriter&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  std::swap(next_, other.next_);
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

JournalWriter JournalWriter::append(const std::filesystem::path& path, std::chrono::milliseconds patience) {
  JournalWriter writer(path, open_for_appending(path, O_NONBLOCK), 0);
  lock(path, writer.fd_, patience);
  const off_t size = status_of(path, writer.fd_).st_size;
  const Lines lines = whole_lines(path, writer.fd_);
  if (lines.end != size) cut(path, writer.fd_, lines.end);
  writer.next_ = lines.count;
  return writer;
}

void JournalWriter::write(const EventBody& body) {
  const off_t start = status_of(path_, fd_).st_size;
  const int error = append_all(fd_, encode({next_, utc_now(), body}) + '\n');
  if (error != 0) {
    cut(path_, fd_, start);
    fail(path_, "cannot write to the journal", error);
  }
  ++next_;
}

}  // namespace rigproof::record
