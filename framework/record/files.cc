#include "framework/record/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <system_error>
#include <vector>

namespace rigproof::record {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw FileError(fmt::format("{}: cannot write: {}", path.string(), std::generic_category().message(error)));
}

// A process that writes a draft holds its lock until it ends in any way.
void remove_unless_written(const std::filesystem::path& draft) {
  const int fd = open(draft.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) unlink(draft.c_str());
  close(fd);
}

void remove_drafts(const std::filesystem::path& folder, const std::string& prefix) {
  std::error_code none;
  std::vector<std::filesystem::path> drafts;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix) && name.ends_with(".tmp") && entry.is_regular_file(none))
      drafts.push_back(entry.path());
  }
  for (const std::filesystem::path& draft : drafts) remove_unless_written(draft);
}

// A draft beside the final file; the destructor removes it unless it was renamed.
class Temporary {
 public:
  explicit Temporary(const std::filesystem::path& target)
      : target_(target), path_(target.parent_path() / fmt::format(".{}.{}.tmp", name(), getpid())) {
    std::error_code none;
    if (std::filesystem::is_other(target, none))
      throw FileError(fmt::format("{}: cannot write: not a regular file", target.string()));
    const std::filesystem::path folder = target.parent_path();
    remove_drafts(folder.empty() ? "." : folder, "." + name() + ".");
    fd_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd_ < 0) fail(target_, errno);
    flock(fd_, LOCK_EX | LOCK_NB);
  }
  ~Temporary() {
    if (fd_ >= 0) close(fd_);
    if (!renamed_) unlink(path_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(fd_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(target_, errno);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void rename_to_target() {
    if (fsync(fd_) != 0) fail(target_, errno);
    if (std::rename(path_.c_str(), target_.c_str()) != 0) fail(target_, errno);  // still locked
    renamed_ = true;
  }

 private:
  [[nodiscard]] std::string name() const { return target_.filename().string(); }

  std::filesystem::path target_, path_;
  int fd_ = -1;
  bool renamed_ = false;
};

// Writes a report to the file in blocks: it may be larger than the memory. Stores a failure for the caller.
// An exception could leave the destructor of an element that closes itself, and end the process.
class Blocks final : public std::streambuf {
 public:
  explicit Blocks(Temporary& file) : file_(file) { setp(block_.data(), block_.data() + block_.size()); }
  void throw_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 protected:
  int overflow(int character) override {
    if (sync() != 0) return traits_type::eof();
    if (character != traits_type::eof()) sputc(static_cast<char>(character));
    return traits_type::not_eof(character);
  }
  int sync() override {
    const std::string_view text(pbase(), static_cast<std::size_t>(pptr() - pbase()));
    setp(block_.data(), block_.data() + block_.size());
    try {
      if (!failure_) file_.write(text);
    } catch (const FileError&) {
      failure_ = std::current_exception();
    }
    return failure_ ? -1 : 0;
  }

 private:
  Temporary& file_;
  std::array<char, 1 << 16> block_;
  std::exception_ptr failure_;
};

}  // namespace

void replace_file(const std::filesystem::path& path, std::string_view text) {
  Temporary file(path);
  file.write(text);
  file.rename_to_target();
}

void replace_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  Temporary file(path);
  Blocks blocks(file);
  std::ostream out(&blocks);
  write(out);
  out.flush();
  blocks.throw_failure();
  file.rename_to_target();
}

void remove_drafts(const std::filesystem::path& folder) { remove_drafts(folder, "."); }

void keep_file(const std::filesystem::path& folder, const std::filesystem::path& name,
               std::string_view text) {
  const std::filesystem::path plain = name.lexically_normal();
  if (plain.empty() || plain.is_absolute() || *plain.begin() == "..")
    throw FileError(fmt::format("{}: not kept: the name is outside of {}", name.string(), folder.string()));
  const std::filesystem::path path = folder / plain;
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  if (error) throw FileError(path.parent_path().string() + ": " + error.message());
  replace_file(path, text);
}

namespace {

void require(int status) {
  if (status != 1) throw std::runtime_error("libcrypto cannot compute SHA-256");
}

}  // namespace

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  require(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr));
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  require(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()));
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  require(EVP_DigestFinal_ex(state_->context, digest.data(), &size));
  std::string text;
  for (unsigned byte = 0; byte < size; ++byte) text += fmt::format("{:02x}", digest[byte]);
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  const auto fail = [&](int error) {
    throw std::system_error(error, std::generic_category(), path.string() + ": cannot read");
  };
  if (!std::filesystem::is_regular_file(path)) fail(std::filesystem::exists(path) ? EINVAL : ENOENT);
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(errno);
  Sha256 hash;
  std::vector<char> block(1 << 16);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0)
    hash.add({block.data(), static_cast<std::size_t>(file.gcount())});
  if (file.bad()) fail(EIO);
  return hash.hex();
}

namespace {

class Opened {
 public:
  explicit Opened(int fd) : fd_(fd) {}
  ~Opened() { reset(-1); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  void reset(int fd) {
    if (fd_ >= 0) close(fd_);
    fd_ = fd;
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

std::string why_not_opened(int error) {
  if (error == ENOENT) return "missing";
  if (error == ELOOP || error == ENOTDIR) return "a link, or behind one: not a file of this folder";
  return fmt::format("cannot be read: {}", std::generic_category().message(error));
}

}  // namespace

std::string read_once(const std::filesystem::path& folder, const std::filesystem::path& name,
                      const std::function<void(std::string_view)>& take) {
  Opened file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (auto part = name.begin(); part != name.end() && file.get() >= 0; ++part) {
    const int kind = std::next(part) == name.end() ? O_NONBLOCK : O_DIRECTORY;  // a pipe must not block
    const int fd = openat(file.get(), part->c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
    const int error = errno;
    file.reset(fd);
    errno = error;
  }
  if (file.get() < 0) return why_not_opened(errno);
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return why_not_opened(errno);
  if (!S_ISREG(status.st_mode)) return "not a regular file";
  std::vector<char> block(1 << 16);
  for (;;) {
    const ssize_t got = read(file.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return why_not_opened(errno);
    if (got == 0) return "";
    take({block.data(), static_cast<std::size_t>(got)});
  }
}

}  // namespace rigproof::record
