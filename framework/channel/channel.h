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

// How a job and the supervisor talk. Rank 0 of a job may be on any node, and nodes share no disk: it connects to the
// supervisor by TCP, is told what to run, and hands its events up. The supervisor alone writes the journal.
//
// Both ends prove to each other that they have the launch's key before either believes a word, and every line after that
// is sealed (secret.h): a rank says its launch, its wish and a nonce; the hub answers with a nonce and its proof; the rank
// sends its own. Lines are not encrypted. framework/README.md says what protects a run against whom.
namespace rigproof::channel {

// Two nodes of a job, by rank; the earlier first.
struct RankPair {
  std::uint64_t first = 0, second = 0;
  bool operator==(const RankPair&) const = default;
};
template <class Archive>
void fields(Archive& archive, record::Of<RankPair> auto& pair) {
  archive("first", pair.first);
  archive("second", pair.second);
}

// What a job is told before it begins.
struct Order {
  record::RunStarted start;        // rig, limits, profile and snapshot of the run
  std::vector<std::string> nodes;  // of the job, by rank
  std::vector<std::string> cases;  // to be run, by GoogleTest's full names
  // That have cases among them: of other pairs a suite makes none, a million of 400 nodes. Absent: of two nodes.
  std::optional<std::vector<RankPair>> pairs = {};
};

// A file that a job wants kept beside the journal.
struct File {
  std::string name;  // relative: "facts/node-a.json"
  std::string text;
};

// What a job sent. An event's sequence is the journal's business.
using Message = std::variant<record::EventBody, File>;

// The job's end, on rank 0.
class Sender {
 public:
  // `address` as Receiver::address() says it. Tries the hosts in their order, and again where the supervisor is crowded.
  // Throws ChannelError: why none answers.
  Sender(std::string_view address, const Key& key, std::chrono::milliseconds timeout);

  [[nodiscard]] const Order& order() const { return order_; }
  // On return it is on its way: the end of this process does not stop it. Throws ChannelError when the supervisor is
  // gone, and for a message that is too long.
  void send(const Message& message);

 private:
  process::FileDescriptor socket_;
  Seal seal_;
  Order order_;
};

// Waits until every rank of the launch has called it, by the supervisor: nothing of it goes by MPI. Collective.
// Throws ChannelError.
void meet(std::string_view address, const Key& key, std::chrono::milliseconds timeout);

class Hub;

// The supervisor's end of one launch. Strangers are refused, and so is a second rank 0.
class Receiver {
 public:
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  // For the job's command line: "198.18.0.1,127.0.0.1:40123/7". Everybody may know it.
  [[nodiscard]] std::string address() const;
  // For the job's environment.
  [[nodiscard]] const Key& key() const { return key_; }
  // The messages that have come since, in their order, by the hub's last wait(). Throws ChannelError for a line that is
  // no message, once all before it has been taken; nothing more comes then.
  [[nodiscard]] std::deque<Message> take();
  // Takes nothing more.
  void close();
  // The job is connected: more may come.
  [[nodiscard]] bool open() const { return open_; }

 private:
  friend class Hub;
  Receiver(Hub& hub, std::string launch, const Order& order);
  void append(std::string_view text);  // what has come
  void open_lines(std::deque<Message>& messages);

  Hub& hub_;
  std::string launch_;
  Key key_ = Key::random();
  std::optional<Order> order_;  // until it is taken
  std::size_t ranks_ = 0;       // of the job
  std::optional<Seal> seal_;    // of what comes, once rank 0 has proven itself
  std::string text_;            // received, not yet taken
  std::size_t searched_ = 0;    // how much of it has no newline
  std::string fault_;           // of what came last, not yet thrown
  bool open_ = false;
};

// The first words of a rank, "rigproof/1 LAUNCH WISH NONCE", its wishes, and what a hub says that has no room.
inline constexpr std::string_view kHello = "rigproof/1", kReports = "reports", kMeets = "meets",
                                  kBusy = "busy";
// The largest line that is taken: from whoever has proven itself, and before.
inline constexpr std::size_t kLongestLine = 64 << 20, kLongestGreeting = 256;

// How many connections may wait for their proof at once. Ranks come from the addresses of the rig's nodes and of this host,
// and so does any user there. Strangers come from others: a node may have addresses that no file names.
struct Room {
  std::size_t known = 512, known_of_address = 32;
  std::size_t strangers = 32, strangers_of_address = 4;
  std::chrono::milliseconds greeting{5000};  // for all of it
  std::chrono::milliseconds grace{200};      // nobody has to make room sooner
};

// Where all jobs of a run connect to. For one thread; nothing in it blocks but wait().
class Hub {
 public:
  // `hosts`: IPv4 addresses of this host, the one that nodes should try first in front; `nodes`: those of the nodes, as
  // far as they are known. Throws std::system_error.
  explicit Hub(std::vector<std::string> hosts, const std::vector<std::string>& nodes = {},
               const Room& room = {});
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;
  ~Hub();

  // The hub outlives it.
  [[nodiscard]] std::unique_ptr<Receiver> expect(const Order& order);
  // Reads what comes, for up to `timeout` until something does. Who can't be let in for want of descriptors waits.
  void wait(std::chrono::milliseconds timeout);
  // Launches that have not connected yet.
  [[nodiscard]] std::size_t expected() const;
  // Connections that have not proven yet that they belong to a launch.
  [[nodiscard]] std::size_t unproven() const;

 private:
  friend class Receiver;
  using Clock = std::chrono::steady_clock;
  struct Connection {
    process::FileDescriptor socket;
    std::uint32_t address = 0;  // of its other end
    bool is_known = false;
    Clock::time_point since = Clock::now();
    std::string text = {}, out = {};        // received but not whole; to be sent
    std::optional<Greeting> greeting = {};  // once it has said what it wants
    Receiver* receiver = nullptr;           // once it has proven that it has the key
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
  bool crowded_ = false;  // no descriptor was left for the last who came
  std::uint16_t port_ = 0;
  std::uint64_t launches_ = 0;                  // expected so far
  std::map<std::string, Receiver*> receivers_;  // by launch
  std::deque<Connection> connections_;          // in the order in which they came
};

// A line each, without its newline. The readers throw ChannelError for what is none.
[[nodiscard]] std::string text_of(const Order& order);
[[nodiscard]] std::string text_of(const Message& message);
[[nodiscard]] Order order_in(std::string_view text);
[[nodiscard]] Message message_in(std::string_view text);

}  // namespace rigproof::channel
