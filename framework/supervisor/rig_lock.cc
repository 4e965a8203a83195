#include "framework/supervisor/rig_lock.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <system_error>

#include "framework/supervisor/exit_code.h"

namespace rigproof::supervisor {
namespace {

struct Address {
  sockaddr_un address{};
  socklen_t size;

  explicit Address(const std::string& rig_name) {
    const std::string name = "rigproof/rig/" + rig_name;
    if (name.size() + 1 > sizeof address.sun_path) throw Refused("the rig's name is too long: " + rig_name);
    address.sun_family = AF_UNIX;
    std::copy(name.begin(), name.end(), address.sun_path + 1);  // the leading 0: abstract
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

int new_socket() {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "the rig's lock: socket");
  return fd;
}

// " (process 4711)" of who listens at `address`, or "" when it can't be told.
std::string holder_of(const Address& address) {
  const int fd = new_socket();
  ucred holder{};
  socklen_t size = sizeof holder;
  const bool known = connect(fd, address.get(), address.size) == 0 &&
                     getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &holder, &size) == 0 && holder.pid > 0;
  close(fd);
  return known ? fmt::format(" (process {})", holder.pid) : "";
}

}  // namespace

RigLock::RigLock(const std::string& rig_name) : fd_(new_socket()) {
  const Address address(rig_name);
  if (bind(fd_, address.get(), address.size) == 0 && listen(fd_, 8) == 0) return;
  const int error = errno;
  close(fd_);
  if (error != EADDRINUSE) throw std::system_error(error, std::generic_category(), "the rig's lock: bind");
  throw Refused(fmt::format("another run{} holds the rig '{}'; two runs on one rig would measure each other",
                            holder_of(address), rig_name));
}

RigLock::~RigLock() { close(fd_); }

}  // namespace rigproof::supervisor
