#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "framework/process/file_descriptor.h"
#include "framework/record/events.h"
#include "framework/record/fields.h"

// How a job and the supervisor talk. Rank 0 of a job may be on any node, and nodes share no disk: it connects to the
// supervisor by TCP, is told what to run, and hands its events up. The supervisor alone writes the journal. Lines of
// JSON; a key in the first one keeps out strays of other runs (it is no secret: process lists show it).
namespace rigproof::channel {

class ChannelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

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
  // `address` as Receiver::address() says it. Tries the hosts in their order. Throws ChannelError: why none answers.
  Sender(std::string_view address, std::chrono::milliseconds timeout);

  [[nodiscard]] const Order& order() const { return order_; }
  // On return it is on its way: the end of this process does not stop it. Throws ChannelError when the supervisor is
  // gone.
  void send(const Message& message);

 private:
  process::FileDescriptor socket_;
  Order order_;
};

// Waits until every rank of the launch has called it, by the supervisor: nothing of it goes by MPI. Collective.
// Throws ChannelError.
void meet(std::string_view address, std::chrono::milliseconds timeout);

class Hub;

// The supervisor's end of one launch. Strangers are refused, and so is a second rank 0.
class Receiver {
 public:
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  // For the job's command line: "198.18.0.1,127.0.0.1:40123/5f2e8c1d"
  [[nodiscard]] std::string address() const;
  // What has come since, in its order, by the hub's last wait(). Throws ChannelError for what is no message.
  [[nodiscard]] std::deque<Message> take();
  // The job is connected: more may come.
  [[nodiscard]] bool open() const { return open_; }

 private:
  friend class Hub;
  Receiver(Hub& hub, std::string key, const Order& order);

  Hub& hub_;
  std::string key_;
  std::optional<Order> order_;  // until it is taken
  std::size_t ranks_ = 0;       // of the job
  std::string text_;            // received, not yet taken
  bool open_ = false;
};

// Where all jobs of a run connect to. For one thread; nothing in it blocks but wait().
class Hub {
 public:
  // `hosts`: addresses of this host, the one that nodes should try first in front. Throws std::system_error.
  explicit Hub(std::vector<std::string> hosts);
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;
  ~Hub();

  // The hub outlives it.
  [[nodiscard]] std::unique_ptr<Receiver> expect(const Order& order);
  // Reads what comes, for up to `timeout` until something does. Who can't be let in for want of descriptors waits.
  void wait(std::chrono::milliseconds timeout);
  // Launches that have not connected yet.
  [[nodiscard]] std::size_t expected() const;

 private:
  friend class Receiver;
  struct Connection {
    process::FileDescriptor socket;
    std::string text, out;         // received but not whole; to be sent
    Receiver* receiver = nullptr;  // once it has said its key
    bool meets = false;            // it waits for the other ranks, and sends no messages
  };
  void accept_all();
  void greet(Connection& connection);
  void let_go(const Receiver& receiver);
  void read(Connection& connection);
  static void write(Connection& connection);
  static void end(Connection& connection);

  std::vector<std::string> hosts_;
  process::FileDescriptor listener_;
  bool crowded_ = false;  // no descriptor was left for the last who came
  std::uint16_t port_ = 0;
  std::map<std::string, Receiver*> receivers_;  // by key
  std::deque<Connection> connections_;
};

// A line each, with its newline. The readers take it without, and throw ChannelError for what is none.
[[nodiscard]] std::string line_of(const Order& order);
[[nodiscard]] std::string line_of(const Message& message);
[[nodiscard]] Order order_in(std::string_view line);
[[nodiscard]] Message message_in(std::string_view line);

// Behind its key, from a rank that waits for the others.
inline constexpr std::string_view kMeets = " meets";

// The largest line that is taken.
inline constexpr std::size_t kLongestLine = 64 << 20;

}  // namespace rigproof::channel
