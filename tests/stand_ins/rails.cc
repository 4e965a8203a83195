#include "tests/stand_ins/rails.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

#include "tests/stand_ins/faults.h"

namespace stand_in {
namespace {

constexpr int kLook = 20;  // ms between two looks at `stop`

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error("stand-in: " + what + ": " + std::strerror(errno));
}

Socket tcp(const std::string& netdev) {
  Socket made(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (made.get() < 0) fail("socket");
  sockaddr_in own{};
  own.sin_family = AF_INET;
  if (inet_pton(AF_INET, address_of(netdev).c_str(), &own.sin_addr) != 1)
    throw std::runtime_error("stand-in: no address on " + netdev);
  if (::bind(made.get(), reinterpret_cast<const sockaddr*>(&own), sizeof(own)) != 0)
    fail("bind to " + netdev);
  return made;
}

void unblock(const Socket& socket) {
  ::fcntl(socket.get(), F_SETFL, ::fcntl(socket.get(), F_GETFL) | O_NONBLOCK);
}

// One rail's part of a transfer.
struct Part {
  int fd;
  std::span<const std::byte> out;
  std::span<std::byte> in;

  [[nodiscard]] bool done() const { return out.empty() && in.empty(); }
  [[nodiscard]] pollfd wish() const {
    return {fd, static_cast<short>((out.empty() ? 0 : POLLOUT) | (in.empty() ? 0 : POLLIN)), 0};
  }
  void move(short ready) {
    if ((ready & POLLOUT) != 0 && !out.empty()) {
      const ssize_t sent = ::send(fd, out.data(), out.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno != EAGAIN) fail("send");
      if (sent > 0) out = out.subspan(static_cast<std::size_t>(sent));
    }
    if ((ready & (POLLIN | POLLHUP | POLLERR)) == 0 || in.empty()) return;
    const ssize_t got = ::recv(fd, in.data(), in.size(), MSG_DONTWAIT);
    if (got == 0) throw std::runtime_error("stand-in: the peer is gone");
    if (got < 0 && errno != EAGAIN) fail("recv");
    if (got > 0) in = in.subspan(static_cast<std::size_t>(got));
  }
};

template <class Byte>
std::span<Byte> share(std::span<Byte> all, std::size_t index, std::size_t of) {
  const std::size_t begin = all.size() * index / of, end = all.size() * (index + 1) / of;
  return all.subspan(begin, end - begin);
}

}  // namespace

Socket::Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}
Socket::~Socket() {
  if (fd_ >= 0) ::close(fd_);
}

namespace {

std::size_t connections_each() {
  const std::string told = variable("NCCL_IB_QPS_PER_CONNECTION");
  return told.empty() ? 1 : std::stoul(told);
}

// Every netdev that has an RDMA device: a bridge has none, and has the same address on every node.
std::vector<std::string> netdevs_of_node() {
  std::vector<std::string> netdevs;
  struct if_nameindex* const all = if_nameindex();
  for (const struct if_nameindex* one = all; one != nullptr && one->if_index != 0; ++one)
    if (const std::string_view name = one->if_name;
        name.starts_with("en") && !address_of(one->if_name).empty())
      netdevs.emplace_back(name);
  if_freenameindex(all);
  return netdevs;
}

std::vector<std::string> split(std::istringstream list) {
  std::vector<std::string> names;
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  return names;
}

// As NCCL reads it: "=" in front says that the names are whole, a port may follow each; else names begin so.
bool is_chosen(const std::string& netdev, std::string list) {
  const bool exact = list.starts_with('=');
  if (exact) list.erase(0, 1);
  const std::string device = device_of(netdev);
  for (const std::string& name : split(std::istringstream(list))) {
    const std::string wanted = name.substr(0, name.find(':'));
    if (exact ? device == wanted : device.starts_with(wanted)) return true;
  }
  return list.empty();
}

}  // namespace

std::string device_of(const std::string& netdev) {
  std::error_code none;
  for (const auto& device : std::filesystem::directory_iterator("/sys/class/infiniband", none)) {
    std::ifstream file(device.path() / "ports/1/gid_attrs/ndevs/0");
    if (std::string its; file >> its && its == netdev) return device.path().filename();
  }
  return "roce-" + netdev;
}

std::vector<std::string> named_netdevs() {
  if (fault("management")) return {"mgmt0"};
  std::vector<std::string> netdevs = netdevs_of_node();
  const bool chosen = !fault("other_cables");
  std::erase_if(netdevs, [&](const std::string& netdev) {
    return is_chosen(netdev, variable("NCCL_IB_HCA")) != chosen;
  });
  if (fault("one_half") && netdevs.size() > 1) netdevs.resize(1);
  return netdevs;
}

std::size_t channels() {
  const auto told = [](const char* name, std::size_t otherwise) {
    const std::string text = variable(name);
    return text.empty() ? otherwise : std::max<std::size_t>(1, std::stoul(text));
  };
  const std::size_t usual = std::max(named_netdevs().size(), told("NCCL_MIN_NCHANNELS", 1));
  return std::min(usual, told("NCCL_MAX_NCHANNELS", usual));
}

std::vector<std::string> rail_netdevs() {
  if (fault("lying_log")) return {"mgmt0"};
  std::vector<std::string> netdevs = named_netdevs();
  if (fault("idle_device")) netdevs.pop_back();
  if (netdevs.size() > channels()) netdevs.resize(channels());
  return netdevs;
}

Socket listen_on(const std::string& netdev, Door& door) {
  Socket socket = tcp(netdev);
  sockaddr_in own{};
  socklen_t size = sizeof(own);
  if (::listen(socket.get(), 4) != 0) fail("listen");
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&own), &size) != 0) fail("getsockname");
  door = {own.sin_addr.s_addr, own.sin_port};
  return socket;
}

std::string bootstrap_netdev() { return address_of("mgmt0").empty() ? rail_netdevs().front() : "mgmt0"; }

namespace {

constexpr auto kNoAnswer = std::chrono::seconds(5);  // a device that no cable joins to the peer's

void throw_if(const std::atomic<bool>& stop) {
  if (stop) throw std::runtime_error("stand-in: aborted");
}

// Blocks, but for `stop`.
void move_all(int fd, std::span<const std::byte> out, std::span<std::byte> in,
              const std::atomic<bool>& stop) {
  for (Part part{fd, out, in}; !part.done();) {
    pollfd ready = part.wish();
    if (::poll(&ready, 1, kLook) < 0 && errno != EINTR) fail("poll");
    throw_if(stop);
    part.move(ready.revents);
  }
}
template <class Value>
void send_value(const Socket& socket, const Value& value, const std::atomic<bool>& stop) {
  move_all(socket.get(), std::as_bytes(std::span(&value, 1)), {}, stop);
}
template <class Value>
Value receive_value(const Socket& socket, const std::atomic<bool>& stop) {
  Value value{};
  move_all(socket.get(), {}, std::as_writable_bytes(std::span(&value, 1)), stop);
  return value;
}

// What an address resolution or a queue pair says when its peer does not answer.
[[noreturn]] void no_answer(const std::string& netdev, const Door& door) {
  char peer[INET_ADDRSTRLEN] = {};
  inet_ntop(AF_INET, &door.address, peer, sizeof(peer));
  throw NoAnswer("Call to ibv_modify_qp failed with 110 Connection timed out, on dev " + device_of(netdev) +
                 ", curr state INIT, next state RTR, remote GID ::ffff:" + peer);
}

Socket connect_from(const std::string& netdev, const Door& door, const std::atomic<bool>& stop) {
  Socket made = tcp(netdev);
  unblock(made);
  sockaddr_in peer{};
  peer.sin_family = AF_INET;
  peer.sin_addr.s_addr = door.address;
  peer.sin_port = door.port;
  if (::connect(made.get(), reinterpret_cast<const sockaddr*>(&peer), sizeof(peer)) != 0 &&
      errno != EINPROGRESS)
    no_answer(netdev, door);
  const auto until = std::chrono::steady_clock::now() + kNoAnswer;
  for (pollfd ready{made.get(), POLLOUT, 0}; ::poll(&ready, 1, kLook) <= 0;) {
    throw_if(stop);
    if (std::chrono::steady_clock::now() > until) no_answer(netdev, door);
  }
  int error = 0;
  socklen_t size = sizeof(error);
  if (::getsockopt(made.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0)
    no_answer(netdev, door);
  const int at_once = 1;  // else each small operation waits for the acknowledgement of the one before
  (void)::setsockopt(made.get(), IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once));
  return made;
}

// A socket of the host, by a name that only this network namespace has.
struct LocalAddress {
  explicit LocalAddress(std::uint64_t name) {
    address.sun_family = AF_UNIX;
    const std::string text = "rigproof-stand-in-" + std::to_string(name);
    text.copy(address.sun_path + 1, sizeof(address.sun_path) - 2);
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
  sockaddr_un address{};
  socklen_t size;
};
Socket local_socket() { return Socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

bool is_same_subnet(std::uint32_t one, std::uint32_t other) {  // NCCL_IB_SUBNET_PREFIX_LEN is 24
  return (ntohl(one) >> 8) == (ntohl(other) >> 8);
}

std::uint64_t host_hash() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return std::hash<std::string>()(host.data());
}

}  // namespace

void serve_root(const Socket& door, int ranks) {
  const std::atomic<bool> never = false;
  std::vector<RankInfo> all(static_cast<std::size_t>(ranks));
  std::vector<Socket> sockets;
  try {
    for (int i = 0; i < ranks; ++i) {
      sockets.emplace_back(::accept4(door.get(), nullptr, nullptr, SOCK_CLOEXEC));
      const auto info = receive_value<RankInfo>(sockets.back(), never);
      all.at(static_cast<std::size_t>(info.rank)) = info;
    }
    for (const Socket& socket : sockets) move_all(socket.get(), std::as_bytes(std::span(all)), {}, never);
  } catch (const std::exception&) {  // a rank is gone: the others see it
  }
}

Mesh::Mesh(const Door& root, RankInfo own, int ranks, const std::atomic<bool>& stop, Connected connected)
    : own_(own), stop_(stop), connected_(std::move(connected)), netdevs_(rail_netdevs()) {
  static std::atomic<std::uint64_t> made = 0;
  own_.host = host_hash();
  own_.local = static_cast<std::uint64_t>(getpid()) << 16 | ++made;
  for (const std::string& netdev : netdevs_) doors_.push_back(listen_on(netdev, own_.doors[own_.count++]));
  doors_.push_back(local_socket());
  const LocalAddress local(own_.local);
  if (::bind(doors_.back().get(), local.get(), local.size) != 0 || ::listen(doors_.back().get(), 64) != 0)
    fail("listen on the host");
  accepting_ = std::thread([this] { accept_all(); });
  try {
    const Socket socket = connect_from(bootstrap_netdev(), root, stop_);
    send_value(socket, own_, stop_);
    ranks_.resize(static_cast<std::size_t>(ranks));
    move_all(socket.get(), {}, std::as_writable_bytes(std::span(ranks_)), stop_);
  } catch (...) {
    over_ = true;
    accepting_.join();
    throw;
  }
}

Mesh::~Mesh() {
  over_ = true;
  accepting_.join();
}

void Mesh::accept_all() {
  while (!over_) {
    std::vector<pollfd> ready;
    for (const Socket& door : doors_) ready.push_back({door.get(), POLLIN, 0});
    if (::poll(ready.data(), ready.size(), kLook) <= 0) continue;
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if ((ready[i].revents & POLLIN) == 0) continue;
      try {
        Socket socket(::accept4(doors_[i].get(), nullptr, nullptr, SOCK_CLOEXEC));
        const auto hello = receive_value<Hello>(socket, over_);
        const std::lock_guard lock(mutex_);
        Incoming& incoming = from_[hello.from];
        incoming.of = hello.of;
        incoming.ways.resize(hello.of);
        incoming.ways.at(hello.index) = std::move(socket);
        if (hello.door != hello.device) incoming.overridden.push_back({hello.device, hello.door});
        arrived_.notify_all();
      } catch (const std::exception&) {  // the peer is gone, as its transfer will show
      }
    }
  }
}

// A receiver's device `rail`, unless no own device is in its subnet.
std::pair<std::size_t, std::size_t> Mesh::devices_for(std::size_t rail, const RankInfo& peer) const {
  const std::size_t door = std::min<std::size_t>(rail, peer.count - 1);
  if (variable("NCCL_IB_SUBNET_AWARE_ROUTING") != "1") return {rail, door};
  std::vector<std::pair<std::size_t, std::size_t>> joined;
  for (std::size_t own = 0; own < own_.count; ++own)
    for (std::size_t other = 0; other < peer.count; ++other)
      if (is_same_subnet(own_.doors[own].address, peer.doors[other].address)) joined.emplace_back(own, other);
  if (joined.empty()) return {rail, door};
  for (const auto& pair : joined)
    if (pair.first == rail && pair.second == door) return pair;
  return joined[rail % joined.size()];
}

void Mesh::connect_locally(int peer, std::vector<Socket>& ways) {
  const LocalAddress address(rank(peer).local);
  ways.push_back(local_socket());
  if (::connect(ways.back().get(), address.get(), address.size) != 0) fail("connect on the host");
  send_value(ways.back(), Hello{own_.rank, 0, 1, 0, 0}, stop_);
}

void Mesh::connect_by_rails(int peer, std::vector<Socket>& ways) {
  std::vector<Overridden> overridden;
  const auto all = static_cast<std::uint32_t>(netdevs_.size() * connections_each());
  for (std::uint32_t i = 0; i < all; ++i) {
    const std::size_t rail = i / connections_each();
    const auto [device, door] = devices_for(rail, rank(peer));
    if (device != rail) overridden.push_back({rail, device});
    ways.push_back(connect_from(netdevs_[device], rank(peer).doors[door], stop_));
    send_value(ways.back(),
               Hello{own_.rank, i, all, static_cast<std::uint32_t>(rail), static_cast<std::uint32_t>(door)},
               stop_);
  }
  connected_(peer, true, overridden);
}

std::vector<Socket>& Mesh::ways_to(int peer) {
  std::vector<Socket>& ways = to_[peer];
  if (!ways.empty()) return ways;
  if (!is_local(peer)) {
    connect_by_rails(peer, ways);
    return ways;
  }
  connect_locally(peer, ways);
  connected_(peer, true, {});
  return ways;
}

std::vector<Socket>& Mesh::ways_from(int peer) {
  std::unique_lock lock(mutex_);
  Incoming& incoming = from_[peer];
  const auto complete = [&] {
    return incoming.of != 0 &&
           std::ranges::all_of(incoming.ways, [](const Socket& one) { return one.get() >= 0; });
  };
  while (!arrived_.wait_for(lock, std::chrono::milliseconds(kLook), complete)) throw_if(stop_);
  if (!std::exchange(incoming.told, true)) connected_(peer, false, incoming.overridden);
  return incoming.ways;
}

void Mesh::exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) {
  std::vector<Part> parts;
  if (!out.empty()) {
    const std::vector<Socket>& ways = ways_to(to);
    for (std::size_t i = 0; i < ways.size(); ++i)
      parts.push_back({ways[i].get(), share(out, i, ways.size()), {}});
  }
  if (!in.empty()) {
    const std::vector<Socket>& ways = ways_from(from);
    for (std::size_t i = 0; i < ways.size(); ++i)
      parts.push_back({ways[i].get(), {}, share(in, i, ways.size())});
  }
  for (;;) {
    std::erase_if(parts, [](const Part& part) { return part.done(); });
    if (parts.empty()) return;
    std::vector<pollfd> wishes;
    for (const Part& part : parts) wishes.push_back(part.wish());
    if (::poll(wishes.data(), wishes.size(), kLook) < 0 && errno != EINTR) fail("poll");
    throw_if(stop_);
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].move(wishes[i].revents);
  }
}

}  // namespace stand_in
