#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
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

// The RDMA device of a netdev; where it has none, "roce-" in front of its name.
[[nodiscard]] std::string device_of(const std::string& netdev);
// The netdevs of the devices that NCCL takes: those that NCCL_IB_HCA names, or every one; as the faults have it.
[[nodiscard]] std::vector<std::string> named_netdevs();
// NCCL's channels: one for each such device, within NCCL_MIN_NCHANNELS and NCCL_MAX_NCHANNELS.
[[nodiscard]] std::size_t channels();
// Those that data goes by: the same, but for the faults of a log that is wrong.
[[nodiscard]] std::vector<std::string> rail_netdevs();
// The netdev of the bootstrap: mgmt0, or the first rail's.
[[nodiscard]] std::string bootstrap_netdev();

// A place where somebody listens.
struct Door {
  std::uint32_t address;  // network byte order, as is the port
  std::uint16_t port;
};

// A listening socket on the netdev's address. Throws std::runtime_error, as all below.
[[nodiscard]] Socket listen_on(const std::string& netdev, Door& door);

constexpr std::size_t kMostDoors = 8;

// A rank as the others know it.
struct RankInfo {
  int rank = 0, version = 0, device = 0;
  std::uint64_t host = 0;   // ranks of one host have the same
  std::uint64_t local = 0;  // names its socket for ranks of its host
  std::uint32_t count = 0;  // of its doors, one per device
  Door doors[kMostDoors] = {};
};

// As NCCL's root does: collects the ranks at this socket and tells each of all. Blocks; ends when all were told or one is
// gone.
void serve_root(const Socket& door, int ranks);

// A device did not reach the peer's.
class NoAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The ranks of a communicator and their connections. A rank connects to another one when it first sends to it: by TCP over
// each device, as many times as NCCL_IB_QPS_PER_CONNECTION says (1), or by a socket of the host. A transfer splits its bytes
// evenly over them. Device i of the sender goes to device i of the receiver; with NCCL_IB_SUBNET_AWARE_ROUTING=1 to one in a
// subnet that both have, if these two have none.
class Mesh {
 public:
  // `connected` is told of each new direction, of the rank that it leads to or from and its overridden devices.
  struct Overridden {
    std::size_t device, instead;
  };
  using Connected = std::function<void(int peer, bool sends, const std::vector<Overridden>&)>;

  // All ranks. Throws when a rank is gone or `stop` is set.
  Mesh(const Door& root, RankInfo own, int ranks, const std::atomic<bool>& stop, Connected connected);
  ~Mesh();
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  [[nodiscard]] const RankInfo& rank(int rank) const { return ranks_.at(static_cast<std::size_t>(rank)); }
  [[nodiscard]] int size() const { return static_cast<int>(ranks_.size()); }
  [[nodiscard]] bool is_local(int peer) const { return rank(peer).host == own_.host; }

  void end() { over_ = true; }  // nobody connects any more
  // Sends and receives at once; an empty part is left out.
  void exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in);

 private:
  struct Hello {
    int from;
    std::uint32_t index, of;
    std::uint32_t device, door;
  };
  void accept_all();
  std::vector<Socket>& ways_to(int peer);
  std::vector<Socket>& ways_from(int peer);
  void connect_locally(int peer, std::vector<Socket>& ways);
  void connect_by_rails(int peer, std::vector<Socket>& ways);
  [[nodiscard]] std::pair<std::size_t, std::size_t> devices_for(std::size_t rail, const RankInfo& peer) const;

  RankInfo own_;
  const std::atomic<bool>& stop_;
  Connected connected_;
  std::vector<std::string> netdevs_;
  std::vector<Socket> doors_;
  std::vector<RankInfo> ranks_;
  std::map<int, std::vector<Socket>> to_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  struct Incoming {
    std::vector<Socket> ways;
    std::vector<Overridden> overridden;
    std::size_t of = 0;
    bool told = false;
  };
  std::map<int, Incoming> from_;
  std::atomic<bool> over_ = false;
  std::thread accepting_;
};

}  // namespace stand_in
