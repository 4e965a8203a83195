// What a job sends reaches the supervisor whole, whatever becomes of the job; strangers are kept out.
#include "framework/channel/channel.h"

#include <gmock/gmock.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <future>

namespace rigproof {
namespace {

using channel::File;
using channel::Message;
using channel::Receiver;
using channel::Sender;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::ThrowsMessage;

class ChannelTest : public testing::Test {
 protected:
  ChannelTest() {
    order.nodes = {"node-a", "node-c"};
    order.cases = {"A.x/rail0"};
    order.start.rig = "test-rig";
  }
  // Of a job of its own process; waits until it has ended.
  pid_t job(const Receiver& to, const std::function<void(Sender&)>& work) const {
    const std::string address = to.address();
    const pid_t pid = fork();
    if (pid == 0) {
      try {
        Sender sender(address, seconds(10));
        work(sender);
      } catch (const std::exception&) {
        _exit(1);
      }
      _exit(0);
    }
    return pid;
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
  auto sender = std::async(std::launch::async, [&] { return Sender(receiver->address(), seconds(10)); });
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
  const auto receiver = hub.expect(order);
  const std::string address = receiver->address(), stranger = address.substr(0, address.find('/')) + "/0815";
  const auto connect = [&](const std::string& to) {
    auto sender = std::async(std::launch::async, [&] { return Sender(to, seconds(10)); });
    while (sender.wait_for(seconds(0)) != std::future_status::ready) hub.wait(milliseconds(10));
    return sender.get();
  };
  EXPECT_THAT([&] { (void)connect(stranger); },
              ThrowsMessage<channel::ChannelError>(HasSubstr("it has no such job")));
  const Sender first = connect(address);
  EXPECT_THAT([&] { (void)connect(address); }, ThrowsMessage<channel::ChannelError>(HasSubstr("any port")));
}

// Ranks of two jobs that meet, and one that is lost: nobody goes before the last of its own job has come.
TEST_F(ChannelTest, RanksMeetBeforeAnyOfThemGoesOn) {
  order.nodes = {"node-a", "node-b", "node-c"};
  const auto receiver = hub.expect(order);
  order.nodes = {"node-d"};
  const auto other = hub.expect(order);
  const auto rank_of = [](const Receiver& job) {
    return std::async(std::launch::async, [address = job.address()] { channel::meet(address, seconds(10)); });
  };
  const auto turns = [&](int count) {
    for (int turn = 0; turn < count; ++turn) hub.wait(milliseconds(10));
  };
  const auto has_gone = [](const std::future<void>& rank) {
    return rank.wait_for(seconds(0)) == std::future_status::ready;
  };
  EXPECT_THROW(channel::meet(receiver->address(), milliseconds(1)), channel::ChannelError);  // it gives up
  std::vector<std::future<void>> ranks;
  ranks.push_back(rank_of(*receiver));
  ranks.push_back(rank_of(*receiver));
  std::future<void> alone = rank_of(*other);
  turns(20);
  EXPECT_TRUE(has_gone(alone));
  for (const auto& rank : ranks) EXPECT_FALSE(has_gone(rank));
  ranks.push_back(rank_of(*receiver));
  for (int turn = 0; turn < 500 && !std::ranges::all_of(ranks, has_gone); ++turn) turns(1);
  for (auto& rank : ranks) rank.get();
  alone.get();
  EXPECT_FALSE(receiver->open());  // no rank 0 has come to be told what to run
  const pid_t pid = job(*receiver, [](Sender& sender) { sender.send(record::SuiteDone{"s"}); });
  EXPECT_EQ(all_of(*receiver, 1).size(), 1U);
  waitpid(pid, nullptr, 0);
}

TEST_F(ChannelTest, SaysWhatIsNoEvent) {
  const auto receiver = hub.expect(order);
  const pid_t pid = job(*receiver, [](Sender&) {
    const std::string_view text = "{\"event\":\"nonsense\"}\n";
    for (int fd = 3; fd < 32; ++fd) send(fd, text.data(), text.size(), MSG_NOSIGNAL);
  });
  waitpid(pid, nullptr, WNOHANG);
  const auto take_all = [&] {
    for (int turn = 0; turn < 500; ++turn) hub.wait(milliseconds(10)), (void)receiver->take();
  };
  EXPECT_THAT(take_all, ThrowsMessage<channel::ChannelError>(HasSubstr("no key 'seq'")));
  waitpid(pid, nullptr, 0);
}

TEST_F(ChannelTest, AJobThatFindsNobodySaysWhere) {
  std::string address;
  {
    channel::Hub gone({"127.0.0.1"});
    address = gone.expect(order)->address();
  }
  EXPECT_THAT([&] { Sender(address, seconds(2)); },
              ThrowsMessage<channel::ChannelError>(HasSubstr("Connection refused")));
  EXPECT_THAT([] { Sender("nowhere", seconds(2)); },
              ThrowsMessage<channel::ChannelError>(HasSubstr("HOST,HOST:PORT/KEY")));
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
