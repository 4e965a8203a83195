#include "tests/stand_ins/rails.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
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

constexpr std::string_view kDevice = "roce-";  // in front of the netdev's name

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
  const std::string device = std::string(kDevice) + netdev;
  for (const std::string& name : split(std::istringstream(list))) {
    const std::string wanted = name.substr(0, name.find(':'));
    if (exact ? device == wanted : device.starts_with(wanted)) return true;
  }
  return list.empty();
}

}  // namespace

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

std::vector<std::string> rail_netdevs() {
  if (fault("lying_log")) return {"mgmt0"};
  std::vector<std::string> netdevs = named_netdevs();
  if (fault("idle_device")) netdevs.pop_back();
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

Rails Rails::accept(std::span<const Socket> doors, const std::atomic<bool>& stop) {
  Rails rails;
  for (std::size_t i = 0; i < doors.size() * connections_each(); ++i) {
    const Socket& door = doors[i / connections_each()];
    for (pollfd ready{door.get(), POLLIN, 0}; ::poll(&ready, 1, kLook) <= 0;)
      if (stop) throw std::runtime_error("stand-in: aborted");
    rails.sockets_.emplace_back(::accept4(door.get(), nullptr, nullptr, SOCK_CLOEXEC));
    unblock(rails.sockets_.back());
  }
  return rails;
}

Rails Rails::connect(std::span<const Door> doors, const std::atomic<bool>& stop) {
  Rails rails;
  const auto netdevs = rail_netdevs();
  for (std::size_t i = 0; i < doors.size() * connections_each(); ++i) {
    const std::size_t rail = i / connections_each();
    rails.sockets_.push_back(tcp(netdevs.at(std::min(rail, netdevs.size() - 1))));
    sockaddr_in peer{};
    peer.sin_family = AF_INET;
    peer.sin_addr.s_addr = doors[rail].address;
    peer.sin_port = doors[rail].port;
    while (::connect(rails.sockets_.back().get(), reinterpret_cast<const sockaddr*>(&peer), sizeof(peer)) !=
           0) {
      if (stop) throw std::runtime_error("stand-in: aborted");
      if (errno != EINTR) fail("connect");
    }
    unblock(rails.sockets_.back());
  }
  return rails;
}

void Rails::exchange(std::span<const std::byte> out, std::span<std::byte> in, const std::atomic<bool>& stop) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < sockets_.size(); ++i)
    parts.push_back({sockets_[i].get(), share(out, i, sockets_.size()), share(in, i, sockets_.size())});
  for (;;) {
    std::erase_if(parts, [](const Part& part) { return part.done(); });
    if (parts.empty()) return;
    std::vector<pollfd> wishes;
    for (const Part& part : parts) wishes.push_back(part.wish());
    if (::poll(wishes.data(), wishes.size(), kLook) < 0 && errno != EINTR) fail("poll");
    if (stop) throw std::runtime_error("stand-in: aborted");
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].move(wishes[i].revents);
  }
}

}  // namespace stand_in
