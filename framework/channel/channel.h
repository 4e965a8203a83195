#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "framework/channel/secret.h"
#include "framework/process/file_descriptor.h"
#include "framework/record/events.h"
#include "framework/record/fields.h"

// Connection between a job and the supervisor. Rank 0 of a job may run on any node, and nodes share no disk. Rank 0
// connects to the supervisor by TCP, gets its order and sends its events. Only the supervisor writes the journal.
//
// First, each end proves that it has the launch's key. A rank sends its launch, its wish and a nonce; the hub answers
// with a nonce and its proof; the rank sends its proof. Later lines are sealed (secret.h), not encrypted.
// framework/README.md describes how a run is protected.
namespace rigproof::channel {

// Two nodes of a job, by rank; the lower rank first.
struct RankPair {
  std::uint64_t first = 0, second = 0;
  bool operator==(const RankPair&) const = default;
};
template <class Archive>
void fields(Archive& archive, record::Of<RankPair> auto& pair) {
  archive("first", pair.first);
  archive("second", pair.second);
}

// Sent to a job before it begins.
struct Order {
  record::RunStarted start;        // rig, limits, profile and snapshot of the run
  std::vector<std::string> nodes;  // the job's nodes, by rank
  std::vector<std::string> cases;  // cases to run, by GoogleTest's full names
  // Pairs with cases in this job. Not set: the job has at most two nodes.
  std::optional<std::vector<RankPair>> pairs = {};
};

// A file that a job wants kept in the run's folder.
struct File {
  std::string name;  // relative: "facts/node-a.json"
  std::string text;
};

// A message of a job. The journal assigns the sequence number of an event.
using Message = std::variant<record::EventBody, File>;

// The job's end, on rank 0.
class Sender {
 public:
  // `address`: from Receiver::address(). Tries the hosts in order, and again while the supervisor is busy. Throws
  // ChannelError with the reason for each host.
  Sender(std::string_view address, const Key& key, std::chrono::milliseconds timeout);

  [[nodiscard]] const Order& order() const { return order_; }
  // On return the kernel has the message: the end of this process does not stop it. Throws ChannelError if the
  // supervisor is gone or the message is too long.
  void send(const Message& message);

 private:
  process::FileDescriptor socket_;
  Seal seal_;
  Order order_;
};

// Barrier over all ranks of a launch, through the supervisor and without MPI. Collective. Throws ChannelError.
void meet(std::string_view address, const Key& key, std::chrono::milliseconds timeout);

class Hub;

// The supervisor's end of one launch. Refuses connections without the key, and a second rank 0.
class Receiver {
 public:
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  // For the job's command line: "198.18.0.1,127.0.0.1:40123/7". Not secret.
  [[nodiscard]] std::string address() const;
  // For the job's environment.
  [[nodiscard]] const Key& key() const { return key_; }
  // Messages received since the last call, in order. Throws ChannelError for an invalid line, but returns all
  // messages before that line first; the receiver is then closed.
  [[nodiscard]] std::deque<Message> take();
  // Ends the connections of the launch; drops messages that were not taken.
  void close();
  // True while the job is connected.
  [[nodiscard]] bool open() const { return open_; }

 private:
  friend class Hub;
  Receiver(Hub& hub, std::string launch, const Order& order);
  void append(std::string_view text);
  void open_lines(std::deque<Message>& messages);

  Hub& hub_;
  std::string launch_;
  Key key_ = Key::random();
  std::optional<Order> order_;  // until rank 0 has received it
  std::size_t ranks_ = 0;       // number of ranks of the job
  std::optional<Seal> seal_;    // opens incoming lines; set after rank 0's proof
  std::string text_;            // received, not yet taken
  std::size_t searched_ = 0;    // leading bytes of text_ without a newline
  std::string fault_;           // error in the received text, not yet thrown
  bool open_ = false;
};

// Greeting "rigproof/1 LAUNCH WISH NONCE", its two wishes, and the hub's answer when it has no room.
inline constexpr std::string_view kHello = "rigproof/1", kReports = "reports", kMeets = "meets",
                                  kBusy = "busy";
// Longest accepted line: after the proof, and before it.
inline constexpr std::size_t kLongestLine = 64 << 20, kLongestGreeting = 256;

// Limits on connections that have not proven themselves yet. Known: from addresses of the rig's nodes and of this
// host. Strangers: from other addresses, because a node may have addresses that no file names.
struct Room {
  std::size_t known = 512, known_of_address = 32;
  std::size_t strangers = 32, strangers_of_address = 4;
  std::chrono::milliseconds greeting{5000};  // deadline for the whole greeting
  std::chrono::milliseconds grace{200};      // no connection is closed earlier to make room
};

// Accepts the connections of all jobs of a run. Single-threaded; only wait() blocks.
class Hub {
 public:
  // `hosts`: IPv4 addresses of this host, in the order in which nodes try them. `nodes`: known addresses of the nodes.
  // Throws std::system_error.
  explicit Hub(std::vector<std::string> hosts, const std::vector<std::string>& nodes = {},
               const Room& room = {});
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;
  ~Hub();

  // Prepares a launch; its rank 0 gets `order`. The hub must outlive the receiver.
  [[nodiscard]] std::unique_ptr<Receiver> expect(const Order& order);
  // Waits up to `timeout` for traffic and handles it. If no descriptor is free, new connections wait.
  void wait(std::chrono::milliseconds timeout);
  // Launches that have not connected yet.
  [[nodiscard]] std::size_t expected() const;
  // Connections that have not yet proven that they belong to a launch.
  [[nodiscard]] std::size_t unproven() const;

 private:
  friend class Receiver;
  using Clock = std::chrono::steady_clock;
  struct Connection {
    process::FileDescriptor socket;
    std::uint32_t address = 0;  // the peer's
    bool is_known = false;
    Clock::time_point since = Clock::now();
    std::string text = {}, out = {};        // incomplete line received; text to send
    std::optional<Greeting> greeting = {};  // set after its first line
    Receiver* receiver = nullptr;           // set after its proof
    [[nodiscard]] bool meets() const { return greeting && greeting->wish == kMeets; }
  };

  void accept_all();
  [[nodiscard]] bool make_room_for(const Connection& newcomer);
  static void turn_away(Connection& connection);
  void end_overdue();
  void hear(Connection& connection, std::string_view line);
  void greet(Connection& connection, std::string_view line);
  void admit(Connection& connection, std::string_view proof);
  void let_go(const Receiver& receiver, Connection& last);
  void read(Connection& connection);
  static void write(Connection& connection);
  static void end(Connection& connection);

  std::vector<std::string> hosts_;
  std::set<std::uint32_t> known_;  // addresses, in network order
  Room room_;
  process::FileDescriptor listener_;
  bool crowded_ = false;  // no descriptor was free for the last connection
  std::uint16_t port_ = 0;
  std::uint64_t launches_ = 0;                  // launches so far
  std::map<std::string, Receiver*> receivers_;  // by launch
  std::deque<Connection> connections_;          // oldest first
};

// Each text is one line without its newline. order_in() and message_in() throw ChannelError for invalid text.
[[nodiscard]] std::string text_of(const Order& order);
[[nodiscard]] std::string text_of(const Message& message);
[[nodiscard]] Order order_in(std::string_view text);
[[nodiscard]] Message message_in(std::string_view text);

}  // namespace rigproof::channel
