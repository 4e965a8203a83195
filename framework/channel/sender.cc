#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>

#include "framework/channel/channel.h"

namespace rigproof::channel {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// One that does not answer must leave time for the next.
constexpr milliseconds kOneHost{2000};
constexpr int kGoneMs = 60'000;

struct Address {
  std::vector<std::string> hosts;
  std::uint16_t port = 0;
  std::string key;
};

Address parse(std::string_view text) {
  const auto colon = text.rfind(':'), slash = text.find('/', colon);
  Address address;
  if (colon != text.npos && slash != text.npos) {
    const std::string_view port = text.substr(colon + 1, slash - colon - 1);
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
    if (error != std::errc() || end != port.data() + port.size()) address.port = 0;
    address.key = text.substr(slash + 1);
    for (std::string_view hosts = text.substr(0, colon); !hosts.empty();) {
      const auto comma = std::min(hosts.find(','), hosts.size());
      address.hosts.emplace_back(hosts.substr(0, comma));
      hosts.remove_prefix(std::min(comma + 1, hosts.size()));
    }
  }
  if (address.hosts.empty() || address.port == 0 || address.key.empty())
    throw ChannelError(fmt::format("'{}' is not a valid address of a supervisor (HOST,HOST:PORT/KEY)", text));
  return address;
}

std::string message_of(int error) { return std::generic_category().message(error); }

// Whether it is ready within that time.
bool is_ready(int fd, short events, Clock::time_point until) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
    pollfd ready{fd, events, 0};
    const int found = poll(&ready, 1, static_cast<int>(std::max<long>(left.count(), 0)));
    if (found > 0) return true;
    if (found == 0 || errno != EINTR) return false;
  }
}

process::FileDescriptor connect_to(const std::string& host, std::uint16_t port, Clock::time_point until) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) throw ChannelError("no IPv4 address");
  process::FileDescriptor fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) throw ChannelError(message_of(errno));
  if (connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    if (errno != EINPROGRESS) throw ChannelError(message_of(errno));
    if (!is_ready(fd.get(), POLLOUT, until)) throw ChannelError("no answer");
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) throw ChannelError(message_of(error));
  }
  fcntl(fd.get(), F_SETFL, 0);
  const int on = 1;
  setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(fd.get(), IPPROTO_TCP, TCP_USER_TIMEOUT, &kGoneMs, sizeof kGoneMs);
  return fd;
}

// Without its newline.
std::string read_line(int fd, Clock::time_point until) {
  std::string text;
  std::array<char, 1 << 16> part;
  while (text.empty() || text.back() != '\n') {
    if (text.size() > kLongestLine || !is_ready(fd, POLLIN, until))
      throw ChannelError("it sent no instructions");
    const ssize_t size = recv(fd, part.data(), part.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) throw ChannelError(message_of(errno));
    if (size == 0) throw ChannelError("it has no such job");
    text.append(part.data(), static_cast<std::size_t>(size));
  }
  text.pop_back();
  return text;
}

void send_text(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0)
      throw ChannelError(fmt::format("the supervisor can't be reached any more: {}", message_of(errno)));
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

// A connection to the supervisor, and what it answered to the key.
struct Greeted {
  process::FileDescriptor socket;
  std::string answer;
};

Greeted greet(std::string_view text, std::string_view wish, milliseconds timeout) {
  const Address address = parse(text);
  const auto until = Clock::now() + timeout;
  std::string faults;
  for (const std::string& host : address.hosts) {
    try {
      process::FileDescriptor socket =
          connect_to(host, address.port, std::min(until, Clock::now() + kOneHost));
      send_text(socket.get(), fmt::format("{}{}\n", address.key, wish));
      std::string answer = read_line(socket.get(), until);
      return {std::move(socket), std::move(answer)};
    } catch (const ChannelError& error) {
      faults += fmt::format("{}{}:{}: {}", faults.empty() ? "" : "; ", host, address.port, error.what());
    }
  }
  throw ChannelError(fmt::format(
      "the supervisor can't be reached from this node ({}): nodes must be able to connect to the host that "
      "runs rigproof, on any port",
      faults));
}

}  // namespace

Sender::Sender(std::string_view address, milliseconds timeout) {
  auto [socket, answer] = greet(address, "", timeout);
  order_ = order_in(answer);
  socket_ = std::move(socket);
}

void Sender::send(const Message& message) { send_text(socket_.get(), line_of(message)); }

void meet(std::string_view address, milliseconds timeout) { (void)greet(address, kMeets, timeout); }

}  // namespace rigproof::channel
