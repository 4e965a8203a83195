// What a job sends reaches the supervisor whole, whatever becomes of the job; strangers are kept out.
#include "framework/channel/channel.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <future>
#include <random>

namespace rigproof {
namespace {

using channel::File;
using channel::Greeting;
using channel::Key;
using channel::Message;
using channel::Receiver;
using channel::Sender;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::ThrowsMessage;

// The other end of a connection, which says what a test has it say.
struct Peer {
  explicit Peer(std::uint16_t port, const char* from = "127.0.0.1")
      : socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    inet_pton(AF_INET, from, &to.sin_addr);
    EXPECT_EQ(bind(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  }
  void say(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  std::string heard() const {
    std::array<char, 4096> part;
    const ssize_t size = recv(socket.get(), part.data(), part.size(), MSG_DONTWAIT);
    return {part.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
  }
  // True once the other end has closed it; forgets all that it had said.
  [[nodiscard]] bool is_closed() const {
    std::array<char, 4096> part;
    ssize_t size = 1;
    while (size > 0) size = recv(socket.get(), part.data(), part.size(), MSG_DONTWAIT);
    return size == 0 || errno == ECONNRESET;
  }
  process::FileDescriptor socket;
  channel::Seal seal;
};

// A process that holds so many connections and says nothing, until the object goes.
class Children {
 public:
  Children(int connections, std::uint16_t port) {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    child_ = fork();
    if (child_ == 0) {
      std::vector<Peer> all;
      for (int i = 0; i < connections; ++i) all.emplace_back(port);
      (void)!write(ends[1], "x", 1);
      pause();
      _exit(0);
    }
    char ready = 0;
    (void)!read(ends[0], &ready, 1);
    for (const int end : ends) close(end);
  }
  ~Children() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

 private:
  pid_t child_;
};

class ChannelTest : public testing::Test {
 protected:
  ChannelTest() {
    order.nodes = {"node-a", "node-c"};
    order.cases = {"A.x/rail0"};
    order.start.rig = "test-rig";
  }
  // Of a job of its own process; waits until it has ended.
  pid_t job(const Receiver& to, const std::function<void(Sender&)>& work) const {
    const pid_t pid = fork();
    if (pid == 0) {
      try {
        Sender sender(to.address(), to.key(), seconds(10));
        work(sender);
      } catch (const std::exception&) {
        _exit(1);
      }
      _exit(0);
    }
    return pid;
  }
  static std::uint16_t port_of(const Receiver& receiver) {
    const std::string address = receiver.address();
    return static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  }
  Peer connected() { return Peer(port_of(*hub.expect(order))); }
  void turns(int count) {
    for (int turn = 0; turn < count; ++turn) hub.wait(milliseconds(10));
  }
  // A rank that has the key and, from then on, says what it likes.
  Peer rank_of(const Receiver& receiver, const std::string& wish = "reports") {
    const std::string address = receiver.address();
    Greeting greeting{.launch = address.substr(address.find('/') + 1), .wish = wish, .nonce_of_rank = "n"};
    Peer peer = Peer(port_of(receiver));
    peer.say(fmt::format("rigproof/1 {} {} n\n", greeting.launch, wish));
    std::string challenge;
    for (int turn = 0; turn < 100 && challenge.empty(); ++turn)
      hub.wait(milliseconds(5)), challenge = peer.heard();
    greeting.nonce_of_hub = challenge.substr(0, challenge.find(' '));
    peer.say(greeting.proof(receiver.key(), "rank") + "\n");
    for (int turn = 0; turn < 2; ++turn) hub.wait(milliseconds(5));
    peer.seal = channel::Seal(greeting.proof(receiver.key(), "to the hub"));
    return peer;
  }
  std::deque<Message> all_of(Receiver& receiver, std::size_t count) {
    std::deque<Message> messages;
    for (int turn = 0; turn < 1000 && messages.size() < count; ++turn) {
      hub.wait(milliseconds(10));
      for (Message& message : receiver.take()) messages.push_back(std::move(message));
    }
    return messages;
  }
  static std::string name_of(const Message& message) {
    return std::get<record::CaseStarted>(std::get<record::EventBody>(message)).name;
  }

  channel::Order order;
  channel::Hub hub{{"127.0.0.1"}};
};

TEST_F(ChannelTest, TellsTheJobWhatToRun) {
  const auto receiver = hub.expect(order);
  auto sender = std::async(std::launch::async,
                           [&] { return Sender(receiver->address(), receiver->key(), seconds(10)); });
  while (sender.wait_for(seconds(0)) != std::future_status::ready) hub.wait(milliseconds(10));
  const Sender job = sender.get();
  EXPECT_EQ(job.order().nodes, order.nodes);
  EXPECT_EQ(job.order().cases, order.cases);
  EXPECT_EQ(job.order().start.rig, "test-rig");
  EXPECT_TRUE(receiver->open());
}

// Catches: events in a buffer of the job's own, or thrown away with it.
TEST_F(ChannelTest, WhatAKilledJobHasSentArrives) {
  const auto receiver = hub.expect(order);
  const pid_t pid = job(*receiver, [](Sender& sender) {
    for (int i = 0; i < 500; ++i) sender.send(record::CaseStarted{"s", std::to_string(i), 1});
    raise(SIGKILL);
  });
  const auto messages = all_of(*receiver, 500);
  ASSERT_EQ(messages.size(), 500U);
  for (std::size_t i = 0; i < 500; ++i) EXPECT_EQ(name_of(messages[i]), std::to_string(i));
  for (int turn = 0; turn < 500 && receiver->open(); ++turn) hub.wait(milliseconds(10));
  EXPECT_FALSE(receiver->open());
  waitpid(pid, nullptr, 0);
}

TEST_F(ChannelTest, JobsAtOnceGetTheirOwn) {
  std::vector<std::unique_ptr<Receiver>> receivers;
  std::vector<pid_t> jobs;
  for (int i = 0; i < 20; ++i) {
    receivers.push_back(hub.expect(order));
    jobs.push_back(job(*receivers.back(), [i](Sender& sender) {
      for (int k = 0; k < 50; ++k)
        sender.send(record::CaseStarted{"s", fmt::format("{}.{}{}", i, k, std::string(5000, 'x')), 1});
    }));
  }
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    const auto messages = all_of(*receivers[i], 50);
    ASSERT_EQ(messages.size(), 50U);
    for (std::size_t k = 0; k < 50; ++k)
      EXPECT_TRUE(name_of(messages[k]).starts_with(fmt::format("{}.{}x", i, k)));
  }
  for (const pid_t pid : jobs) waitpid(pid, nullptr, 0);
}

TEST_F(ChannelTest, CarriesFilesAndEventsInOrder) {
  const auto receiver = hub.expect(order);
  const pid_t pid = job(*receiver, [](Sender& sender) {
    sender.send(File{"facts/node-a.json", "{}\n"});
    sender.send(record::SuiteDone{"s"});
  });
  const auto messages = all_of(*receiver, 2);
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(std::get<File>(messages[0]).text, "{}\n");
  EXPECT_TRUE(std::holds_alternative<record::SuiteDone>(std::get<record::EventBody>(messages[1])));
  waitpid(pid, nullptr, 0);
}

TEST_F(ChannelTest, KeepsStrangersAndASecondRankOut) {
  const auto receiver = hub.expect(order), other = hub.expect(order);
  const auto connect = [&](const std::string& to, const Key& key) {
    auto sender = std::async(std::launch::async, [&] { return Sender(to, key, seconds(10)); });
    while (sender.wait_for(seconds(0)) != std::future_status::ready) hub.wait(milliseconds(10));
    return sender.get();
  };
  const std::string address = receiver->address(), none = address.substr(0, address.find('/')) + "/815";
  EXPECT_THAT([&] { (void)connect(none, receiver->key()); },
              ThrowsMessage<channel::ChannelError>(HasSubstr("it has no such job")));
  EXPECT_THAT([&] { (void)connect(address, other->key()); },
              ThrowsMessage<channel::ChannelError>(HasSubstr("did not prove that it is the supervisor")));
  const Sender first = connect(address, receiver->key());
  EXPECT_THAT([&] { (void)connect(address, receiver->key()); },
              ThrowsMessage<channel::ChannelError>(HasSubstr("any port")));
}

// Ranks of two jobs that meet, and one that is lost: nobody goes before the last of its own job has come.
TEST_F(ChannelTest, RanksMeetBeforeAnyOfThemGoesOn) {
  order.nodes = {"node-a", "node-b", "node-c"};
  const auto receiver = hub.expect(order);
  order.nodes = {"node-d"};
  const auto other = hub.expect(order);
  const auto arrival = [](const Receiver& job) {
    return std::async(std::launch::async, [&job] { channel::meet(job.address(), job.key(), seconds(10)); });
  };
  const auto has_gone = [](const std::future<void>& rank) {
    return rank.wait_for(seconds(0)) == std::future_status::ready;
  };
  EXPECT_THROW(channel::meet(receiver->address(), receiver->key(), milliseconds(1)),
               channel::ChannelError);  // it gives up
  std::vector<std::future<void>> ranks;
  ranks.push_back(arrival(*receiver));
  ranks.push_back(arrival(*receiver));
  std::future<void> alone = arrival(*other);
  turns(20);
  EXPECT_TRUE(has_gone(alone));
  for (const auto& rank : ranks) EXPECT_FALSE(has_gone(rank));
  ranks.push_back(arrival(*receiver));
  for (int turn = 0; turn < 500 && !std::ranges::all_of(ranks, has_gone); ++turn) turns(1);
  for (auto& rank : ranks) rank.get();
  alone.get();
  EXPECT_FALSE(receiver->open());  // no rank 0 has come to be told what to run
  const pid_t pid = job(*receiver, [](Sender& sender) { sender.send(record::SuiteDone{"s"}); });
  EXPECT_EQ(all_of(*receiver, 1).size(), 1U);
  waitpid(pid, nullptr, 0);
}

// All lines before it count, none behind it.
TEST_F(ChannelTest, ALineThatIsNoEventEndsTheLaunchsWords) {
  const auto receiver = hub.expect(order);
  Peer rank = rank_of(*receiver);
  const std::string done = channel::text_of(Message(record::SuiteDone{"s"}));
  std::string lines;
  for (const std::string& text : {done, std::string("{\"event\":\"nonsense\"}"), done})
    lines += rank.seal.close(text);
  rank.say(lines);
  EXPECT_EQ(all_of(*receiver, 1).size(), 1U);
  EXPECT_THAT([&] { (void)receiver->take(); },
              ThrowsMessage<channel::ChannelError>(HasSubstr("no key 'seq'")));
  EXPECT_FALSE(receiver->open());
  turns(3);
  EXPECT_THAT(receiver->take(), IsEmpty());
  EXPECT_TRUE(rank.is_closed());
}
TEST_F(ChannelTest, AJobThatFindsNobodySaysWhere) {
  std::string address;
  {
    channel::Hub gone({"127.0.0.1"});
    address = gone.expect(order)->address();
  }
  EXPECT_THAT([&] { Sender(address, Key::random(), seconds(2)); },
              ThrowsMessage<channel::ChannelError>(HasSubstr("Connection refused")));
  EXPECT_THAT([] { Sender("nowhere", Key::random(), seconds(2)); },
              ThrowsMessage<channel::ChannelError>(HasSubstr("HOST,HOST:PORT/LAUNCH")));
}

// --- the key ---

TEST(ChannelKey, IsRandomAndStandsInTheEnvironmentAlone) {
  const Key key = Key::random();
  EXPECT_THAT(key.digits(), MatchesRegex("[0-9a-f]{32}"));
  EXPECT_NE(key.digits(), Key::random().digits());
  setenv(Key::kVariable, key.digits().c_str(), 1);
  EXPECT_EQ(Key::take_from_environment().digits(), key.digits());
  EXPECT_EQ(getenv(Key::kVariable), nullptr);
  EXPECT_THAT([] { (void)Key::take_from_environment(); },
              ThrowsMessage<channel::ChannelError>(HasSubstr("mpirun -x RIGPROOF_CHANNEL_KEY")));
  setenv(Key::kVariable, "0815", 1);
  EXPECT_THROW((void)Key::take_from_environment(), channel::ChannelError);
}
TEST_F(ChannelTest, TheAddressDoesNotTellTheKey) {
  const auto receiver = hub.expect(order);
  EXPECT_THAT(receiver->address(), Not(HasSubstr(receiver->key().digits())));
}

// --- attacks: of a user who reads process lists, and of whoever sits between the ends ---

// All that a stranger can know: the address. He replays what another rank has said, or makes it up.
TEST_F(ChannelTest, WhoHasNotTheKeyIsNotBelievedWhateverHeSays) {
  const auto receiver = hub.expect(order);
  const std::string nonce = channel::random_digits();
  const std::string event = channel::text_of(Message(record::SuiteDone{"s"})) + "\n";
  const Greeting greeting{.launch = "1", .wish = "reports", .nonce_of_rank = nonce};
  for (const std::string& second : {event, greeting.proof(Key::random(), "rank") + "\n", std::string("\n"),
                                    std::string(64, '0') + "\n"}) {
    Peer stranger = connected();
    stranger.say(fmt::format("rigproof/1 1 reports {}\n", nonce));
    turns(2);
    const std::string challenge = stranger.heard();
    EXPECT_EQ(challenge.size(), 32U + 1 + 64 + 1);
    stranger.say(second);
    turns(2);
    EXPECT_TRUE(stranger.is_closed()) << second;
    // The hub's own proof is none of a rank.
    Peer mirror = connected();
    mirror.say(fmt::format("rigproof/1 1 reports {}\n", nonce));
    turns(2);
    mirror.say(mirror.heard().substr(33));
    turns(2);
    EXPECT_TRUE(mirror.is_closed());
  }
  for (const std::string& first : {event, "1\n" + event, "1 meets\n" + event, std::string(300, 'x')}) {
    Peer stranger = connected();
    stranger.say(first);
    turns(2);
    EXPECT_TRUE(stranger.is_closed()) << first;
  }
  EXPECT_THAT(receiver->take(), IsEmpty());
  EXPECT_EQ(hub.expected(), 1U);
  const pid_t pid = job(*receiver, [](Sender& sender) { sender.send(record::SuiteDone{"s"}); });
  EXPECT_EQ(all_of(*receiver, 1).size(), 1U);
  waitpid(pid, nullptr, 0);
}
// Somebody else's port, on a node where the first addresses do not answer.
TEST_F(ChannelTest, ARankBelievesNobodyWhoHasNotTheKey) {
  channel::Hub impostor({"127.0.0.1"});
  const auto theirs = impostor.expect(order);
  auto rank =
      std::async(std::launch::async, [&] { return Sender(theirs->address(), Key::random(), seconds(5)); });
  while (rank.wait_for(seconds(0)) != std::future_status::ready) impostor.wait(milliseconds(10));
  EXPECT_THROW(rank.get(), channel::ChannelError);
  EXPECT_FALSE(theirs->open());
}
TEST(ChannelSeal, OpensWhatWasClosedOnceAndInItsOrderOnly) {
  channel::Seal sender("k");
  const std::string one = sender.close("one"), two = sender.close("two");
  const auto line = [](const std::string& text) { return std::string_view(text).substr(0, text.size() - 1); };
  const auto opens = [&](std::vector<std::string> lines) {
    channel::Seal receiver("k");
    try {
      for (const std::string& each : lines) (void)receiver.open(line(each));
      return true;
    } catch (const channel::ChannelError&) {
      return false;
    }
  };
  EXPECT_TRUE(opens({one, two}));
  EXPECT_FALSE(opens({two}));       // left out
  EXPECT_FALSE(opens({one, one}));  // repeated
  EXPECT_FALSE(opens({two, one}));  // reordered
  std::string changed = one;
  changed[66] ^= 1;
  EXPECT_FALSE(opens({changed}));
  EXPECT_FALSE(opens({channel::Seal("another").close("one")}));
  EXPECT_FALSE(opens({"\n"}));
  EXPECT_FALSE(opens({one.substr(0, 64) + "\n"}));
}

// --- attacks: of whoever can connect ---

TEST_F(ChannelTest, WhoDoesNotProveHimselfInTimeIsShownOut) {
  channel::Hub quick({"127.0.0.1"}, {}, {.greeting = milliseconds(100)});
  const auto receiver = quick.expect(order);
  Peer silent(port_of(*receiver)), half(port_of(*receiver));
  half.say("rigproof/1 1 reports ");
  quick.wait(milliseconds(50));
  quick.wait(milliseconds(10));
  EXPECT_EQ(quick.unproven(), 2U);
  const auto begin = std::chrono::steady_clock::now();
  while (quick.unproven() > 0 && std::chrono::steady_clock::now() - begin < seconds(10))
    quick.wait(milliseconds(10));
  EXPECT_TRUE(silent.is_closed());
  EXPECT_TRUE(half.is_closed());
}
// 1,020 of them ended a run at `ulimit -n 1024`: no rank was let in, and no report could be written.
TEST_F(ChannelTest, SilentConnectionsLeaveRoomForRanksAndFiles) {
  const auto receiver = hub.expect(order);
  Children attackers(1020, port_of(*receiver));
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{1024, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  for (int turn = 0; turn < 20; ++turn) {
    hub.wait(milliseconds(10));
    EXPECT_LE(hub.unproven(), 32U);  // of one address
    EXPECT_TRUE(process::FileDescriptor(dup(0)));
  }
  const pid_t pid = job(*receiver, [](Sender& sender) { sender.send(record::SuiteDone{"s"}); });
  EXPECT_EQ(all_of(*receiver, 1).size(), 1U);
  waitpid(pid, nullptr, 0);
  setrlimit(RLIMIT_NOFILE, &before);
}
// Strangers have addresses that no file names. They take no room of those that are known.
TEST_F(ChannelTest, StrangersHaveLittleRoomOfTheirOwn) {
  channel::Hub narrow({"127.0.0.1"}, {"127.0.0.2"},
                      {.known = 2, .strangers = 3, .strangers_of_address = 2, .grace = milliseconds(0)});
  const auto receiver = narrow.expect(order);
  std::vector<Peer> strangers, known;
  for (const char* from : {"127.0.0.8", "127.0.0.8", "127.0.0.8", "127.0.0.9", "127.0.0.10"}) {
    strangers.emplace_back(port_of(*receiver), from);
    narrow.wait(milliseconds(100));
  }
  EXPECT_EQ(narrow.unproven(), 3U);
  for (const char* from : {"127.0.0.1", "127.0.0.2"}) {
    known.emplace_back(port_of(*receiver), from);
    narrow.wait(milliseconds(100));
  }
  EXPECT_EQ(narrow.unproven(), 5U);
  for (const std::size_t one : {0, 1}) EXPECT_TRUE(strangers[one].is_closed()) << one;  // the oldest
  for (const std::size_t one : {2, 3, 4}) EXPECT_FALSE(strangers[one].is_closed()) << one;
}
// A user of each node, or of all of them at once.
TEST_F(ChannelTest, KnownAddressesHaveRoomTogetherAndEachOne) {
  const std::vector<std::string> nodes{"127.0.0.2", "127.0.0.3", "127.0.0.4"};
  channel::Hub narrow({"127.0.0.1"}, nodes,
                      {.known = 4, .known_of_address = 3, .strangers = 2, .grace = milliseconds(0)});
  const auto receiver = narrow.expect(order);
  std::vector<Peer> silent;
  for (const std::string& node : nodes)
    for (int i = 0; i < 5; ++i) {
      silent.emplace_back(port_of(*receiver), node.c_str());
      narrow.wait(milliseconds(100));
      EXPECT_LE(narrow.unproven(), node == nodes.front() ? 3U : 4U);
    }
  EXPECT_EQ(narrow.unproven(), 4U);
  EXPECT_EQ(std::ranges::count_if(silent, &Peer::is_closed), 11);
  const pid_t pid = job(*receiver, [](Sender& sender) { sender.send(record::SuiteDone{"s"}); });
  const auto begin = std::chrono::steady_clock::now();
  while (narrow.expected() > 0 && std::chrono::steady_clock::now() - begin < seconds(30))
    narrow.wait(milliseconds(10));
  EXPECT_EQ(narrow.expected(), 0U);
  waitpid(pid, nullptr, 0);
}
// More ranks than there is room for, all in one moment: each comes in, none has to make room.
TEST_F(ChannelTest, RanksThatComeAllAtOnceAllComeIn) {
  channel::Hub narrow({"127.0.0.1"}, {}, {.known = 4, .known_of_address = 3});
  std::vector<std::unique_ptr<Receiver>> receivers;
  std::vector<pid_t> jobs;
  for (int i = 0; i < 24; ++i) {
    receivers.push_back(narrow.expect(order));
    jobs.push_back(job(*receivers.back(), [](Sender& sender) { sender.send(record::SuiteDone{"s"}); }));
  }
  const auto begin = std::chrono::steady_clock::now();
  while (narrow.expected() > 0 && std::chrono::steady_clock::now() - begin < seconds(30))
    narrow.wait(milliseconds(10));
  EXPECT_EQ(narrow.expected(), 0U);
  for (const pid_t pid : jobs) {
    int status = -1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
}
// 518 MiB were taken so.
TEST_F(ChannelTest, WhoMeetsSaysNothingMore) {
  const auto receiver = hub.expect(order);
  Peer rank = rank_of(*receiver, "meets");
  rank.say(std::string(1 << 20, 'x'));
  turns(3);
  EXPECT_TRUE(rank.is_closed());
  const pid_t pid = job(*receiver, [](Sender& sender) { sender.send(record::SuiteDone{"s"}); });
  EXPECT_EQ(all_of(*receiver, 1).size(), 1U);
  waitpid(pid, nullptr, 0);
}
TEST_F(ChannelTest, NoMoreRanksMeetThanThereAre) {
  const auto receiver = hub.expect(order);  // of two
  const Peer first = rank_of(*receiver, "meets"), second = rank_of(*receiver, "meets");
  Peer third = rank_of(*receiver, "meets");
  EXPECT_TRUE(third.is_closed());
}
TEST_F(ChannelTest, AMessageWithoutAnEndIsCut) {
  const auto receiver = hub.expect(order);
  Peer rank = rank_of(*receiver);
  const std::string block(4 << 20, 'x');
  std::string why;
  for (int blocks = 0; blocks < 40 && why.empty(); ++blocks) {
    auto said = std::async(std::launch::async, [&] { rank.say(block); });
    while (said.wait_for(seconds(0)) != std::future_status::ready && why.empty()) {
      hub.wait(milliseconds(10));
      try {
        EXPECT_THAT(receiver->take(), IsEmpty());
      } catch (const channel::ChannelError& error) {
        why = error.what();
      }
    }
  }
  EXPECT_THAT(why, HasSubstr("more than 64 MiB"));
  EXPECT_TRUE(rank.is_closed());
}

// Anything at all, from strangers, from half a greeting on, and from a rank whose node is not to be trusted. A rank of
// this run comes in all the same.
TEST_F(ChannelTest, JunkHarmsNobody) {
  const char* const count = std::getenv("RIGPROOF_JUNK");  // connections
  const int connections = count == nullptr ? 600 : std::atoi(count);
  std::mt19937 random(20261127);
  const auto any = [&](std::size_t most) {
    std::string text(random() % (most + 1), '\0');
    for (char& character : text)
      character = static_cast<char>(random() % 4 == 0 ? random() : 32 + random() % 96);
    return text;
  };
  const auto receiver = hub.expect(order);
  int faults = 0;
  for (int i = 0; i < connections; ++i) {
    const auto victim = hub.expect(order);
    const std::string launch = victim->address().substr(victim->address().find('/') + 1);
    Peer peer = i % 4 == 3 ? rank_of(*victim, i % 8 == 3 ? "reports" : "meets") : connected();
    if (i % 4 == 1) peer.say("rigproof/1 " + launch + any(40) + "\n"), hub.wait(milliseconds(0));
    if (i % 4 == 2)
      peer.say(fmt::format("rigproof/1 {} reports {}\n", launch, any(20))), hub.wait(milliseconds(0));
    std::string line = any(300);
    if (i % 8 == 3) std::ranges::replace(line, '\n', ' '), line = peer.seal.close(line);
    peer.say(line);
    hub.wait(milliseconds(0));
    try {
      for (int turn = 0; turn < 3; ++turn) hub.wait(milliseconds(i % 8 == 3 ? 1 : 0)), (void)victim->take();
    } catch (const channel::ChannelError&) {
      ++faults;
    }
  }
  EXPECT_EQ(faults, connections / 8);
  EXPECT_EQ(hub.expected(), 1U);
  const pid_t pid = job(*receiver, [](Sender& sender) { sender.send(record::SuiteDone{"s"}); });
  EXPECT_EQ(all_of(*receiver, 1).size(), 1U);
  waitpid(pid, nullptr, 0);
}

// A process without a free descriptor while it lives.
class NoDescriptorLeft {
 public:
  NoDescriptorLeft() {
    for (process::FileDescriptor one(dup(0)); one; one = process::FileDescriptor(dup(0)))
      taken_.push_back(std::move(one));
  }

 private:
  std::vector<process::FileDescriptor> taken_;
};

// The least that a wait takes shows that it waits: it would come back at once, again and again.
TEST_F(ChannelTest, WithoutADescriptorForWhoComesItWaits) {
  const auto receiver = hub.expect(order);
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{64, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const pid_t child = job(*receiver, [](Sender& sender) {
    sender.send(record::EventBody(record::CaseStarted{"tcp", "A.x", 1}));
  });
  {
    const NoDescriptorLeft held;
    hub.wait(seconds(10));  // until the job is there
    const auto begin = std::chrono::steady_clock::now();
    hub.wait(milliseconds(50));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(50));
    EXPECT_EQ(hub.expected(), 1U);
  }
  EXPECT_EQ(all_of(*receiver, 1).size(), 1U);
  EXPECT_EQ(hub.expected(), 0U);
  waitpid(child, nullptr, 0);
  setrlimit(RLIMIT_NOFILE, &before);
}

}  // namespace
}  // namespace rigproof
