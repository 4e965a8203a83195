#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace stand_in {

// A socket. Owner.
class Socket {
 public:
  explicit Socket(int fd = -1) : fd_(fd) {}
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&& other) noexcept;
  ~Socket();
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

// The netdevs of the devices that NCCL takes: those that NCCL_IB_HCA names ("roce-" in front of a netdev's name is its
// device), or every one; as the faults have it.
[[nodiscard]] std::vector<std::string> named_netdevs();
// Those that data goes by: the same, but for the faults of a log that is wrong.
[[nodiscard]] std::vector<std::string> rail_netdevs();

// Where a rank listens, one for each rail.
struct Door {
  std::uint32_t address;  // network byte order, as is the port
  std::uint16_t port;
};

// A listening socket on the netdev's address. Throws std::runtime_error, as all below.
[[nodiscard]] Socket listen_on(const std::string& netdev, Door& door);

// Two ranks joined by TCP connections over each rail, as many as NCCL_IB_QPS_PER_CONNECTION says (1). A transfer
// splits its bytes evenly over them.
class Rails {
 public:
  [[nodiscard]] static Rails accept(std::span<const Socket> doors, const std::atomic<bool>& stop);
  [[nodiscard]] static Rails connect(std::span<const Door> doors, const std::atomic<bool>& stop);

  // Both ways at once. Throws when the peer is gone or `stop` is set.
  void exchange(std::span<const std::byte> out, std::span<std::byte> in, const std::atomic<bool>& stop);

 private:
  std::vector<Socket> sockets_;
};

}  // namespace stand_in
