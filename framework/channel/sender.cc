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

// Limit for each host, so that a silent host leaves time for the next.
constexpr milliseconds kOneHost{2000};
constexpr int kGoneMs = 60'000;
// How long and how often a rank tries to connect while the supervisor is busy.
constexpr milliseconds kTrying{15'000};
constexpr int kTryAgainMs = 100;

class Busy : public ChannelError {
 public:
  Busy()
      : ChannelError(
            "it accepts no more connections that have not proven yet that they belong to the launch") {}
};

struct Address {
  std::vector<std::string> hosts;
  std::uint16_t port = 0;
  std::string launch;
};

Address parse(std::string_view text) {
  const auto colon = text.rfind(':'), slash = text.find('/', colon);
  Address address;
  if (colon != text.npos && slash != text.npos) {
    const std::string_view port = text.substr(colon + 1, slash - colon - 1);
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
    if (error != std::errc() || end != port.data() + port.size()) address.port = 0;
    address.launch = text.substr(slash + 1);
    for (std::string_view hosts = text.substr(0, colon); !hosts.empty();) {
      const auto comma = std::min(hosts.find(','), hosts.size());
      address.hosts.emplace_back(hosts.substr(0, comma));
      hosts.remove_prefix(std::min(comma + 1, hosts.size()));
    }
  }
  if (address.hosts.empty() || address.port == 0 || address.launch.empty())
    throw ChannelError(
        fmt::format("'{}' is not a valid address of a supervisor (HOST,HOST:PORT/LAUNCH)", text));
  return address;
}

std::string message_of(int error) { return std::generic_category().message(error); }

// False: not ready before `until`.
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

// Returns the line without its newline.
std::string read_line(int fd, std::size_t most, Clock::time_point until) {
  std::string text;
  std::array<char, 1 << 16> part;
  while (text.empty() || text.back() != '\n') {
    if (text.size() > most || !is_ready(fd, POLLIN, until)) throw ChannelError("it sent no instructions");
    const ssize_t size = recv(fd, part.data(), part.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == ECONNRESET) throw Busy();
    if (size < 0) throw ChannelError(message_of(errno));
    if (size == 0) throw ChannelError("it has no such job");
    text.append(part.data(), static_cast<std::size_t>(size));
  }
  text.pop_back();
  if (std::string_view(text).substr(text.rfind('\n') + 1) == kBusy) throw Busy();  // may follow a challenge
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

// A connection whose other end has proven that it is this launch's supervisor, and its answer.
struct Greeted {
  process::FileDescriptor socket;
  std::string answer;
  Seal seal;  // for lines to the supervisor
};

Greeted greet(process::FileDescriptor socket, Greeting greeting, const Key& key,
              Clock::time_point challenged_by, Clock::time_point until) {
  send_text(socket.get(),
            fmt::format("{} {} {} {}\n", kHello, greeting.launch, greeting.wish, greeting.nonce_of_rank));
  const std::string challenge = read_line(socket.get(), kLongestGreeting, challenged_by);
  const auto space = challenge.find(' ');
  greeting.nonce_of_hub = challenge.substr(0, space);
  if (space == challenge.npos || !is_equal(challenge.substr(space + 1), greeting.proof(key, "hub")))
    throw ChannelError("it did not prove that it is the supervisor of this launch");
  send_text(socket.get(), greeting.proof(key, "rank") + '\n');
  Seal seal(greeting.proof(key, "to the rank"));
  const std::string line = read_line(socket.get(), kLongestLine, until);
  std::string answer(seal.open(line));
  return {std::move(socket), std::move(answer), Seal(greeting.proof(key, "to the hub"))};
}

// Tries each host in turn. A host that accepts and stays silent gets only its share of the time.
Greeted greet(std::string_view text, const Key& key, std::string_view wish, milliseconds timeout) {
  const Address address = parse(text);
  const auto until = Clock::now() + timeout, trying = std::min(until, Clock::now() + kTrying);
  for (;; poll(nullptr, 0, kTryAgainMs)) {
    std::string faults;
    bool is_busy = false;
    for (std::size_t left = address.hosts.size(); left > 0; --left) {
      const std::string& host = address.hosts[address.hosts.size() - left];
      const auto now = Clock::now(), challenged_by = now + (trying - now) / static_cast<int>(left);
      try {
        return greet(connect_to(host, address.port, std::min(challenged_by, now + kOneHost)),
                     {address.launch, std::string(wish), random_digits()}, key, challenged_by, until);
      } catch (const ChannelError& error) {
        is_busy = is_busy || dynamic_cast<const Busy*>(&error) != nullptr;
        faults += fmt::format("{}{}:{}: {}", faults.empty() ? "" : "; ", host, address.port, error.what());
      }
    }
    if (!is_busy || Clock::now() > trying)
      throw ChannelError(
          fmt::format("the supervisor can't be reached from this node ({}): nodes must be able to connect to "
                      "the host that "
                      "runs rigproof, on any port",
                      faults));
  }
}

}  // namespace

Sender::Sender(std::string_view address, const Key& key, milliseconds timeout) {
  auto [socket, answer, seal] = greet(address, key, kReports, timeout);
  order_ = order_in(answer);
  socket_ = std::move(socket);
  seal_ = std::move(seal);
}

void Sender::send(const Message& message) {
  const std::string text = text_of(message);
  if (text.size() + Seal::kSize > kLongestLine)
    throw ChannelError(fmt::format("a message of more than {} MiB", kLongestLine >> 20));
  send_text(socket_.get(), seal_.close(text));
}

void meet(std::string_view address, const Key& key, milliseconds timeout) {
  (void)greet(address, key, kMeets, timeout);
}

}  // namespace rigproof::channel
