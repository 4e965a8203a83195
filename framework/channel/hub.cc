#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <random>
#include <system_error>

#include "framework/channel/channel.h"

namespace rigproof::channel {
namespace {

constexpr int kBacklog = 4096;
constexpr std::size_t kAtOnce = 4 << 20;  // of one connection, so that none holds up the others

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

std::string new_key() {
  std::random_device entropy;
  return fmt::format("{:08x}{:08x}", entropy(), entropy());
}

}  // namespace

Receiver::Receiver(Hub& hub, std::string key, const Order& order)
    : hub_(hub), key_(std::move(key)), order_(order), ranks_(order.nodes.size()) {
  hub_.receivers_.emplace(key_, this);
}

Receiver::~Receiver() {
  hub_.receivers_.erase(key_);
  std::erase_if(hub_.connections_,
                [this](const Hub::Connection& connection) { return connection.receiver == this; });
}

std::string Receiver::address() const {
  return fmt::format("{}:{}/{}", fmt::join(hub_.hosts_, ","), hub_.port_, key_);
}

std::deque<Message> Receiver::take() {
  std::deque<Message> messages;
  std::size_t begin = 0;
  for (auto end = text_.find('\n'); end != text_.npos; end = text_.find('\n', begin)) {
    messages.push_back(message_in(std::string_view(text_).substr(begin, end - begin)));
    begin = end + 1;
  }
  text_.erase(0, begin);
  return messages;
}

Hub::Hub(std::vector<std::string> hosts) : hosts_(std::move(hosts)) {
  listener_ = process::FileDescriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener_) fail("socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t size = sizeof address;
  auto* const where = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener_.get(), where, size) != 0) fail("bind");
  if (listen(listener_.get(), kBacklog) != 0) fail("listen");
  if (getsockname(listener_.get(), where, &size) != 0) fail("getsockname");
  port_ = ntohs(address.sin_port);
}

Hub::~Hub() = default;

std::unique_ptr<Receiver> Hub::expect(const Order& order) {
  return std::unique_ptr<Receiver>(new Receiver(*this, new_key(), order));
}

void Hub::wait(std::chrono::milliseconds timeout) {
  std::vector<pollfd> ready{{crowded_ ? -1 : listener_.get(), POLLIN, 0}};  // else it would be ready at once
  for (const Connection& connection : connections_)
    ready.push_back(
        {connection.socket.get(), static_cast<short>(POLLIN | (connection.out.empty() ? 0 : POLLOUT)), 0});
  if (poll(ready.data(), ready.size(), static_cast<int>(timeout.count())) <= 0) {
    if (crowded_) accept_all();
    return;
  }
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    if ((ready[i + 1].revents & POLLOUT) != 0) write(connections_[i]);
    if ((ready[i + 1].revents & ~POLLOUT) != 0) read(connections_[i]);
  }
  std::erase_if(connections_, [](const Connection& connection) { return !connection.socket; });
  accept_all();
}

std::size_t Hub::expected() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(receivers_, [](const auto& each) { return each.second->order_.has_value(); }));
}

void Hub::accept_all() {
  for (;;) {
    process::FileDescriptor socket(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    crowded_ = !socket && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM);
    if (!socket) return;
    connections_.push_back({std::move(socket), {}, {}, nullptr});
    read(connections_.back());
    if (!connections_.back().socket) connections_.pop_back();
  }
}

// The first line is a key that nobody else has used.
void Hub::greet(Connection& connection) {
  const auto newline = connection.text.find('\n');
  if (newline == std::string::npos) {
    if (connection.text.size() > 64) end(connection);
    return;
  }
  std::string key = connection.text.substr(0, newline);
  connection.meets = key.ends_with(kMeets);
  if (connection.meets) key.resize(key.size() - kMeets.size());
  const auto found = receivers_.find(key);
  if (found == receivers_.end() || (!connection.meets && !found->second->order_)) return end(connection);
  connection.receiver = found->second;
  if (connection.meets) return let_go(*connection.receiver);
  connection.receiver->open_ = true;
  connection.receiver->text_ = connection.text.substr(newline + 1);
  connection.text.clear();
  connection.out = line_of(*connection.receiver->order_);
  connection.receiver->order_.reset();
  write(connection);
}

// All of its ranks, once the last has come.
void Hub::let_go(const Receiver& receiver) {
  const auto waits = [&](const Connection& connection) {
    return connection.socket && connection.meets && connection.receiver == &receiver;
  };
  if (static_cast<std::size_t>(std::ranges::count_if(connections_, waits)) < receiver.ranks_) return;
  for (Connection& connection : connections_) {
    if (!waits(connection)) continue;
    connection.out = "go\n";
    write(connection);
  }
}

void Hub::read(Connection& connection) {
  std::array<char, 1 << 16> part;
  for (std::size_t total = 0; connection.socket && total < kAtOnce;) {
    const ssize_t size = recv(connection.socket.get(), part.data(), part.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (size <= 0) return end(connection);
    const bool sends = connection.receiver != nullptr && !connection.meets;
    std::string& text = sends ? connection.receiver->text_ : connection.text;
    text.append(part.data(), static_cast<std::size_t>(size));
    total += static_cast<std::size_t>(size);
    if (connection.receiver == nullptr)
      greet(connection);
    else if (text.size() > kLongestLine && text.find('\n') == text.npos)
      end(connection);
  }
}

void Hub::write(Connection& connection) {
  while (!connection.out.empty()) {
    const ssize_t sent =
        send(connection.socket.get(), connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (sent <= 0) return end(connection);
    connection.out.erase(0, static_cast<std::size_t>(sent));
  }
}

void Hub::end(Connection& connection) {
  connection.socket = process::FileDescriptor();
  if (connection.receiver != nullptr && !connection.meets) connection.receiver->open_ = false;
}

}  // namespace rigproof::channel
