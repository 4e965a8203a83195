#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <initializer_list>
#include <optional>
#include <system_error>
#include <utility>

#include "framework/channel/channel.h"

namespace rigproof::channel {
namespace {

constexpr int kBacklog = 4096;
constexpr std::size_t kAtOnce = 4 << 20;  // per connection and call, so that no connection blocks the others
constexpr int kAcceptedAtOnce = 256;
// Descriptors kept free for reports and launches; 1/N of all descriptors for known and for unknown addresses.
constexpr rlim_t kKeptFree = 8, kShareOfKnown = 4, kShareOfStrangers = 16;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

std::optional<std::uint32_t> number_of(const std::string& address) {
  in_addr number{};
  if (inet_pton(AF_INET, address.c_str(), &number) != 1) return {};
  return number.s_addr;
}

rlim_t most_descriptors() {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

std::size_t at_most(std::size_t count, rlim_t most) {
  return static_cast<std::size_t>(std::clamp<rlim_t>(most, 1, count));
}

std::string too_long() { return fmt::format("a message of more than {} MiB", kLongestLine >> 20); }

// "rigproof/1 LAUNCH WISH NONCE"
std::optional<Greeting> greeting_in(std::string_view line) {
  std::array<std::string, 4> words;
  for (std::string& word : words) {
    const auto space = std::min(line.find(' '), line.size());
    word = line.substr(0, space);
    line.remove_prefix(std::min(space + 1, line.size()));
  }
  if (words[0] != kHello || !line.empty()) return {};
  return Greeting{
      .launch = words[1], .wish = words[2], .nonce_of_rank = words[3], .nonce_of_hub = random_digits()};
}

}  // namespace

Receiver::Receiver(Hub& hub, std::string launch, const Order& order)
    : hub_(hub), launch_(std::move(launch)), order_(order), ranks_(order.nodes.size()) {
  hub_.receivers_.emplace(launch_, this);
}

Receiver::~Receiver() {
  hub_.receivers_.erase(launch_);
  close();
}

void Receiver::close() {
  std::erase_if(hub_.connections_,
                [this](const Hub::Connection& connection) { return connection.receiver == this; });
  seal_.reset();
  order_.reset();
  text_.clear();
  fault_.clear();
  open_ = false;
}

std::string Receiver::address() const {
  return fmt::format("{}:{}/{}", fmt::join(hub_.hosts_, ","), hub_.port_, launch_);
}

void Receiver::append(std::string_view text) {
  text_ += text;
  if (text_.size() > kLongestLine && text_.find('\n', searched_) == text_.npos) fault_ = too_long();
}

std::deque<Message> Receiver::take() {
  std::deque<Message> messages;
  if (fault_.empty()) open_lines(messages);
  if (fault_.empty() || !messages.empty()) return messages;
  const std::string fault = fault_;
  close();
  throw ChannelError(fault);
}

void Receiver::open_lines(std::deque<Message>& messages) {
  std::size_t begin = 0;
  try {
    for (auto end = text_.find('\n', searched_); end != text_.npos; end = text_.find('\n', begin)) {
      if (end - begin > kLongestLine) throw ChannelError(too_long());
      messages.push_back(message_in(seal_->open(std::string_view(text_).substr(begin, end - begin))));
      begin = end + 1;
    }
  } catch (const ChannelError& error) {
    fault_ = error.what();
  }
  text_.erase(0, begin);
  searched_ = text_.size();
}

Hub::Hub(std::vector<std::string> hosts, const std::vector<std::string>& nodes, const Room& room)
    : hosts_(std::move(hosts)), room_(room) {
  for (const std::vector<std::string>& list : {hosts_, nodes})
    for (const std::string& address : list)
      if (const auto number = number_of(address)) known_.insert(*number);
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
  return std::unique_ptr<Receiver>(new Receiver(*this, std::to_string(++launches_), order));
}

void Hub::wait(std::chrono::milliseconds timeout) {
  std::vector<pollfd> ready{{crowded_ ? -1 : listener_.get(), POLLIN, 0}};  // else always ready
  for (const Connection& connection : connections_)
    ready.push_back(
        {connection.socket.get(), static_cast<short>(POLLIN | (connection.out.empty() ? 0 : POLLOUT)), 0});
  if (poll(ready.data(), ready.size(), static_cast<int>(timeout.count())) < 0) return;
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    if ((ready[i + 1].revents & POLLOUT) != 0) write(connections_[i]);
    if ((ready[i + 1].revents & ~POLLOUT) != 0) read(connections_[i]);
  }
  end_overdue();
  std::erase_if(connections_, [](const Connection& connection) { return !connection.socket; });
  accept_all();
}

std::size_t Hub::expected() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(receivers_, [](const auto& each) { return each.second->order_.has_value(); }));
}

std::size_t Hub::unproven() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      connections_, [](const Connection& one) { return one.socket && one.receiver == nullptr; }));
}

void Hub::accept_all() {
  for (int count = 0; count < kAcceptedAtOnce; ++count) {
    sockaddr_in from{};
    socklen_t size = sizeof from;
    Connection newcomer{process::FileDescriptor(
        accept4(listener_.get(), reinterpret_cast<sockaddr*>(&from), &size, SOCK_CLOEXEC | SOCK_NONBLOCK))};
    crowded_ =
        !newcomer.socket && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM);
    if (!newcomer.socket) return;
    newcomer.address = from.sin_addr.s_addr;
    newcomer.is_known = known_.contains(newcomer.address);
    if (!make_room_for(newcomer)) {
      turn_away(newcomer);
      continue;
    }
    connections_.push_back(std::move(newcomer));
    read(connections_.back());
    if (!connections_.back().socket) connections_.pop_back();
  }
}

// Closes the oldest unproven connection if too many wait, but never before `grace`: ranks prove themselves within
// milliseconds, and many may connect at once. False: the newcomer must try again.
bool Hub::make_room_for(const Connection& newcomer) {
  const bool known = newcomer.is_known;
  const rlim_t descriptors = most_descriptors();
  const auto oldest = [&](std::size_t most, const auto& of_group) -> Connection* {
    Connection* first = nullptr;
    std::size_t count = 0;
    for (Connection& one : connections_) {
      if (!one.socket || one.receiver != nullptr || !of_group(one)) continue;
      if (first == nullptr) first = &one;
      ++count;
    }
    return count < most ? nullptr : first;
  };
  const auto is_of_address = [&](const Connection& one) { return one.address == newcomer.address; };
  const auto is_of_kind = [&](const Connection& one) { return one.is_known == known; };
  Connection* leaves = oldest(known ? room_.known_of_address : room_.strangers_of_address, is_of_address);
  if (leaves == nullptr)
    leaves = oldest(known ? at_most(room_.known, descriptors / kShareOfKnown)
                          : at_most(room_.strangers, descriptors / kShareOfStrangers),
                    is_of_kind);
  if (leaves != nullptr) {
    if (Clock::now() - leaves->since < room_.grace) return false;
    turn_away(*leaves);
  }
  return static_cast<rlim_t>(newcomer.socket.get()) + kKeptFree < descriptors;
}

// Ranks connect again after this answer.
void Hub::turn_away(Connection& connection) {
  connection.out += fmt::format("{}\n", kBusy);
  write(connection);
  end(connection);
}

void Hub::end_overdue() {
  const auto now = Clock::now();
  for (Connection& one : connections_)
    if (one.receiver == nullptr && now - one.since > room_.greeting) end(one);
}

void Hub::hear(Connection& connection, std::string_view line) {
  connection.greeting ? admit(connection, line) : greet(connection, line);
}

// Answers a greeting with the proof that this is the supervisor of the launch.
void Hub::greet(Connection& connection, std::string_view line) {
  connection.greeting = greeting_in(line);
  if (!connection.greeting) return end(connection);
  const auto found = receivers_.find(connection.greeting->launch);
  const bool reports = connection.greeting->wish == kReports;
  if (found == receivers_.end() || (!reports && !connection.meets()) || (reports && !found->second->order_))
    return end(connection);
  connection.out = fmt::format("{} {}\n", connection.greeting->nonce_of_hub,
                               connection.greeting->proof(found->second->key_, "hub"));
  write(connection);
}

void Hub::admit(Connection& connection, std::string_view proof) {
  const Greeting& greeting = *connection.greeting;
  const auto found = receivers_.find(greeting.launch);
  if (found == receivers_.end() || !is_equal(proof, greeting.proof(found->second->key_, "rank")))
    return end(connection);
  Receiver& receiver = *found->second;
  if (connection.meets()) {
    connection.receiver = &receiver;
    return let_go(receiver, connection);
  }
  if (!receiver.order_) return end(connection);
  connection.receiver = &receiver;
  receiver.open_ = true;
  receiver.seal_.emplace(greeting.proof(receiver.key_, "to the hub"));
  connection.out = Seal(greeting.proof(receiver.key_, "to the rank")).close(text_of(*receiver.order_));
  receiver.order_.reset();
  write(connection);
}

// Sends "go" to all ranks of the launch once the last has connected. Ends a connection beyond their number.
void Hub::let_go(const Receiver& receiver, Connection& last) {
  std::vector<Connection*> ranks;
  for (Connection& one : connections_)
    if (one.socket && one.receiver == &receiver && one.meets()) ranks.push_back(&one);
  if (ranks.size() > receiver.ranks_) return end(last);
  if (ranks.size() < receiver.ranks_) return;
  for (Connection* const rank : ranks) {
    rank->out = Seal(rank->greeting->proof(receiver.key_, "to the rank")).close("go");
    write(*rank);
  }
}

void Hub::read(Connection& connection) {
  std::array<char, 1 << 16> part;
  for (std::size_t total = 0; connection.socket && total < kAtOnce;) {
    const bool reports = connection.receiver != nullptr && !connection.meets();
    const ssize_t size =
        recv(connection.socket.get(), part.data(), reports ? part.size() : kLongestGreeting, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (size <= 0) return end(connection);
    const std::string_view text(part.data(), static_cast<std::size_t>(size));
    total += text.size();
    if (reports) {
      connection.receiver->append(text);
      if (!connection.receiver->fault_.empty()) return end(connection);
      continue;
    }
    connection.text += text;
    const auto newline = connection.text.find('\n');
    // A rank waits for the answer after each line. In meet() a rank sends nothing after its proof.
    if (connection.receiver != nullptr || connection.text.size() > kLongestGreeting ||
        (newline != connection.text.npos && newline + 1 != connection.text.size()))
      return end(connection);
    if (newline == connection.text.npos) continue;
    const std::string line = std::exchange(connection.text, {}).substr(0, newline);
    hear(connection, line);
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
  if (connection.receiver != nullptr && !connection.meets()) connection.receiver->open_ = false;
}

}  // namespace rigproof::channel
