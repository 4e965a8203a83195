#include "framework/process/name_lock.h"

#include <fmt/format.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/tcp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>
#include <system_error>

namespace rigproof::process {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::string_view kAbstract("\0", 1);  // first byte of an abstract name

struct Address {
  sockaddr_un address{};
  socklen_t length;

  explicit Address(const std::string& name) {
    address.sun_family = AF_UNIX;
    const std::size_t size = std::min(name.size(), sizeof address.sun_path - 1);
    std::memcpy(address.sun_path + 1, name.data(), size);
    length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + size);
  }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

std::system_error failed(const char* call) {
  return {errno, std::generic_category(), std::string("a lock: ") + call};
}

FileDescriptor new_socket() {
  FileDescriptor fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) throw failed("socket");
  return fd;
}

// The process that listens at a name, and its user. nullopt: none, or its queue is full.
std::optional<ucred> listener(const std::string& name) {
  const FileDescriptor fd = new_socket();
  const Address address(name);
  ucred credentials{};
  socklen_t size = sizeof credentials;
  const bool known = connect(fd.get(), address.get(), address.length) == 0 &&
                     getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0;
  return known ? std::optional(credentials) : std::nullopt;
}

// A socket bound to a name of the lock. If it listens, it holds the lock; else it is about to.
struct Claim {
  std::string name;
  bool listens;
  std::optional<uid_t> user;  // its owner; nullopt: unknown
};

bool is_of(std::string_view name, const std::string& base) {
  return name == base || (name.starts_with(base) && name.substr(base.size()).starts_with('/'));
}

std::optional<Claim> read_claim(const nlmsghdr& message) {
  const auto& socket = *static_cast<const unix_diag_msg*>(NLMSG_DATA(&message));
  Claim claim{.name = {}, .listens = socket.udiag_state == TCP_LISTEN, .user = {}};
  int left = static_cast<int>(message.nlmsg_len - NLMSG_LENGTH(sizeof socket));
  for (const auto* part = reinterpret_cast<const rtattr*>(&socket + 1); RTA_OK(part, left);
       part = RTA_NEXT(part, left)) {
    const auto* data = static_cast<const char*>(RTA_DATA(part));
    if (part->rta_type == UNIX_DIAG_NAME) claim.name.assign(data, RTA_PAYLOAD(part));
    if (part->rta_type == UNIX_DIAG_UID)
      std::memcpy(&claim.user.emplace(), data, std::min(sizeof(uid_t), RTA_PAYLOAD(part)));
  }
  if (!claim.name.starts_with(kAbstract)) return {};
  claim.name.erase(0, kAbstract.size());
  return claim;
}

FileDescriptor asked_for_sockets() {
  FileDescriptor fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  struct {
    nlmsghdr header;
    unix_diag_req request;
  } question{};
  question.header = {.nlmsg_len = sizeof question,
                     .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                     .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
                     .nlmsg_seq = 1,
                     .nlmsg_pid = 0};
  question.request.sdiag_family = AF_UNIX;
  question.request.udiag_states = ~0U;
  question.request.udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_UID;
  const bool sent = fd && send(fd.get(), &question, sizeof question, 0) == sizeof question;
  return sent ? std::move(fd) : FileDescriptor();
}

// Claims in the kernel's list of this network namespace's sockets, each with its user. The list is complete and
// cannot be forged. nullopt: the kernel gives no list.
std::optional<std::vector<Claim>> claims_by_kernel(const std::string& base) {
  const FileDescriptor fd = asked_for_sockets();
  if (!fd) return {};
  std::vector<Claim> claims;
  alignas(nlmsghdr) std::array<char, 1 << 16> buffer{};
  for (;;) {
    const ssize_t size = recv(fd.get(), buffer.data(), buffer.size(), 0);
    if (size <= 0) return {};
    auto left = static_cast<unsigned>(size);
    for (const auto* message = reinterpret_cast<const nlmsghdr*>(buffer.data()); NLMSG_OK(message, left);
         message = NLMSG_NEXT(message, left)) {
      if (message->nlmsg_type == NLMSG_DONE) return claims;
      if (message->nlmsg_type == NLMSG_ERROR) return {};
      if (auto claim = read_claim(*message); claim && is_of(claim->name, base))
        claims.push_back(*std::move(claim));
    }
  }
}

// Claims by /proc/net/unix. Asks each listening process for its user, which fails if the process does not answer.
std::vector<Claim> claims_by_asking(const std::string& base) {
  std::vector<Claim> claims;
  std::ifstream file("/proc/net/unix");
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string address, references, protocol, flags, type, state, inode, name;
    fields >> address >> references >> protocol >> flags >> type >> state >> inode >> name;
    if (!name.starts_with('@') || !is_of(std::string_view(name).substr(1), base)) continue;
    name.erase(0, 1);
    const auto credentials = listener(name);
    claims.push_back({.name = name,
                      .listens = flags == "00010000",
                      .user = credentials ? std::optional(credentials->uid) : std::nullopt});
  }
  return claims;
}

std::string program_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/cmdline", pid));
  std::string path;
  std::getline(file, path, '\0');
  return path.empty() ? "of another container" : path.substr(path.rfind('/') + 1);
}

std::string describe(const Claim& claim) {
  const uid_t uid = claim.user.value_or(0);
  const passwd* user = getpwuid(uid);
  const std::string name = user == nullptr ? std::to_string(uid) : user->pw_name;
  const auto process = listener(claim.name);
  return process ? fmt::format("process {} ({}) of user {}", process->pid, program_of(process->pid), name)
                 : fmt::format("a process of user {}", name);
}

constexpr std::size_t kNamed = 8;  // strangers
// Two processes that claim a name at the same time both retry, after random pauses.
constexpr int kTries = 20, kRetryUs = 10'000, kRetryMostUs = 60'000;

// The random end makes sure that no other process has bound the name before.
std::string claimed_name(const std::string& base, std::random_device& random) {
  return fmt::format("{}/{:08x}{:08x}", base, random(), random());
}

struct Others {
  std::optional<Claim> holder = {};  // its claim counts
  bool contended = false;
  std::vector<std::string> strangers = {};
};

Others others_than(const std::string& own, const std::string& base, uid_t user, bool wait_for_unknown) {
  auto claims = claims_by_kernel(base);
  Others others;
  for (const Claim& claim : claims ? *claims : claims_by_asking(base)) {
    if (claim.name == own) continue;
    const bool counts = claim.user && (*claim.user == user || *claim.user == 0);
    if (counts && claim.listens)
      others.holder = claim;
    else if (counts || !claim.user)
      others.contended = others.contended || counts || wait_for_unknown;
    else if (others.strangers.size() < kNamed)
      others.strangers.push_back(describe(claim));
  }
  return others;
}

}  // namespace

// Binds its own claim before it looks for others, so of two processes at least one sees the other.
NameLock::NameLock(const std::string& name, std::chrono::milliseconds timeout, uid_t user) {
  const auto until = Clock::now() + timeout;
  std::random_device random;
  for (int tries = 0;; ++tries) {
    const std::string own = claimed_name(name, random);
    const Address address(own);
    FileDescriptor fd = new_socket();
    if (bind(fd.get(), address.get(), address.length) != 0) throw failed("bind");
    Others others = others_than(own, name, user, tries < kTries);
    strangers_ = std::move(others.strangers);
    if (!others.holder && !others.contended) {
      if (listen(fd.get(), 1) != 0) throw failed("listen");
      fd_ = std::move(fd);
      return;
    }
    fd = FileDescriptor();
    if (others.holder && Clock::now() > until) throw NameIsHeld(describe(*others.holder));
    if (!others.holder && tries > 2 * kTries && Clock::now() > until)
      throw NameIsHeld("other processes that try to get it at the same time");
    usleep(static_cast<useconds_t>(std::uniform_int_distribution(kRetryUs, kRetryMostUs)(random)));
  }
}

}  // namespace rigproof::process
