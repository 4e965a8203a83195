// Messages are proven while a load runs, not its last ones alone. Catches: data that is wrong in mid-run and right at the
// end, in one byte of a message or in all; and takes nothing for wrong that nobody has written anew.
#include "fixtures/verbs/registered_buffer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>

namespace rigproof {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMessage = 4096, kPlaces = 16, kDepth = kPlaces;
constexpr std::uint64_t kSeed = 7;

// A device that writes message after message to place after place, as a peer sends them.
class Device {
 public:
  explicit Device(std::size_t places = kPlaces) : memory(kMessage * places), sent_(memory.size()) {
    verbs::fill_pattern(sent_, kSeed);
    memory = sent_;
  }
  void write(std::size_t place, bool corrupt = false) {
    std::uint8_t* to = memory.data() + place * kMessage;
    for (std::size_t i = 0; i < kMessage; ++i) {
      volatile std::uint8_t* byte = to + i;
      *byte = sent_[place * kMessage + i];
    }
    volatile std::uint8_t* byte = to + 1234;
    if (corrupt) *byte = *byte ^ 0x10;
  }
  void write_all(bool corrupt = false) {
    for (std::size_t place = 0; place < memory.size() / kMessage; ++place) write(place, corrupt);
  }
  std::vector<std::uint8_t> memory;

 private:
  std::vector<std::uint8_t> sent_;
};

TEST(ArrivalCheck, ComesByEveryPlace) {
  Device device;
  verbs::ArrivalCheck check(device.memory, kMessage, kDepth, kSeed);
  for (int round = 0; round < 64; ++round) {
    (void)check.step();
    device.write_all();
  }
  check.restore();
  EXPECT_GE(check.proven(), kPlaces);
  EXPECT_EQ(check.difference(), std::nullopt);
  EXPECT_EQ(verbs::first_difference(device.memory, kSeed), std::nullopt);
}

// The last messages are right: what is looked at when all is over shows nothing.
TEST(ArrivalCheck, AWrongByteInMidRunIsSeen) {
  Device device;
  verbs::ArrivalCheck check(device.memory, kMessage, kDepth, kSeed);
  for (int round = 0; round < 90; ++round) {
    (void)check.step();
    device.write_all(round >= 30 && round < 60);
  }
  check.restore();
  EXPECT_EQ(verbs::first_difference(device.memory, kSeed), std::nullopt);
  ASSERT_TRUE(check.difference());
  EXPECT_NE(check.difference()->find("byte 1234 of a message"), std::string::npos) << *check.difference();
  EXPECT_GT(check.proven(), 30u);
}

TEST(ArrivalCheck, WhatNobodyWroteAnewIsNeitherRightNorWrong) {
  Device device;
  verbs::ArrivalCheck check(device.memory, kMessage, kDepth, kSeed);
  device.write_all();
  for (int i = 0; i < 20; ++i) (void)check.step();
  EXPECT_NE(verbs::first_difference(device.memory, kSeed), std::nullopt);
  check.wind_up();
  check.restore();
  EXPECT_EQ(check.proven(), 0u);
  EXPECT_EQ(check.difference(), std::nullopt);
  EXPECT_EQ(verbs::first_difference(device.memory, kSeed), std::nullopt);
}

// The device acknowledges, and writes elsewhere: a byte of place 1, or all of it, from the beginning or once the load has
// run for a while. Catches: the check that puts back what it turned around, and so writes itself what never came.
TEST(ArrivalCheck, WhatIsNeverWrittenIsSeen) {
  for (const std::size_t places : {2u, 4u, 16u})
    for (const bool one_byte : {false, true})
      for (const bool from_the_beginning : {false, true}) {
        SCOPED_TRACE(fmt::format("{} places, {}, {}", places, one_byte ? "one byte" : "all bytes",
                                 from_the_beginning ? "from the beginning" : "in mid-load"));
        Device device(places);
        verbs::ArrivalCheck check(device.memory, kMessage, places, kSeed);
        for (int round = 0; round < 128; ++round) {
          const std::vector<std::uint8_t> before = device.memory;
          device.write_all();
          const std::size_t at = kMessage + (one_byte ? 1234 : 0), size = one_byte ? 1 : kMessage;
          if (from_the_beginning || round >= 64)
            std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(at), size,
                        device.memory.begin() + static_cast<std::ptrdiff_t>(at));
          (void)check.step();
        }
        check.wind_up();
        check.restore();
        const bool in_mid_load =
            check.difference().value_or("").find(fmt::format("byte {} of a message was never written",
                                                             one_byte ? 1234 : 0)) != std::string::npos;
        EXPECT_EQ(in_mid_load, !from_the_beginning) << check.difference().value_or("");
        if (from_the_beginning) {
          EXPECT_NE(verbs::first_difference(device.memory, kSeed), std::nullopt);
        }
        EXPECT_GT(check.proven(), places);
      }
}

// Catches: data that is wrong from the first message on and right at the end.
TEST(ArrivalCheck, WrongBytesFromTheBeginningAreSeen) {
  Device device;
  verbs::ArrivalCheck check(device.memory, kMessage, kDepth, kSeed);
  for (int round = 0; round < 90; ++round) {
    device.write_all(round < 30);
    (void)check.step();
  }
  check.wind_up();
  check.restore();
  EXPECT_EQ(verbs::first_difference(device.memory, kSeed), std::nullopt);
  EXPECT_THAT(check.difference().value_or(""), testing::HasSubstr("byte 1234 of a message is"));
}

// Its places are no proof of loss: what a queue pair that stands still brings is judged as a rate.
TEST(ArrivalCheck, AQueuePairThatStandsStillHasLostNothing) {
  Device device;
  verbs::ArrivalCheck check(device.memory, kMessage, kPlaces / 2, kSeed);
  for (int round = 0; round < 200; ++round) {
    (void)check.step();
    for (std::size_t place = 0; place < kPlaces / 2; ++place) device.write(place);
  }
  check.wind_up();
  check.restore();
  EXPECT_EQ(check.difference(), std::nullopt);
  EXPECT_GT(check.proven(), 1u);
}

// Whichever place the device is about to write when it is looked at, and however little it writes between two looks.
TEST(ArrivalCheck, ASlowDeviceHasLostNothing) {
  for (const std::size_t per_step : {1u, 3u, 7u, 13u}) {
    Device device;
    verbs::ArrivalCheck check(device.memory, kMessage, kDepth, kSeed);
    std::size_t next = 0;
    for (int round = 0; round < 1000; ++round) {
      (void)check.step();
      for (std::size_t i = 0; i < per_step; ++i) device.write(next++ % kPlaces);
    }
    EXPECT_EQ(check.difference(), std::nullopt) << per_step;
    EXPECT_GT(check.proven(), 50u);
  }
}

TEST(ArrivalCheck, AMessageThatIsHalfThereIsNotProven) {
  Device device;
  verbs::ArrivalCheck check(device.memory, kMessage, kDepth, kSeed);
  device.write_all();
  ASSERT_TRUE(check.step());
  std::vector<std::uint8_t> sent(device.memory.size());
  verbs::fill_pattern(sent, kSeed);
  for (std::size_t place = 0; place < kPlaces;
       ++place)  // the last bytes of each, as relaxed ordering may bring them
    std::copy_n(sent.begin() + static_cast<std::ptrdiff_t>((place + 1) * kMessage - 64), 64,
                device.memory.begin() + static_cast<std::ptrdiff_t>((place + 1) * kMessage - 64));
  check.wind_up();
  (void)check.step();
  EXPECT_EQ(check.proven(), 0u);
  device.write_all();
  (void)check.step();
  EXPECT_EQ(check.proven(), 1u);
}

TEST(ArrivalChecker, WorksBesideALoadAndCoversItsTime) {
  Device device;
  verbs::ArrivalCheck check(device.memory, kMessage, kDepth, kSeed);
  std::atomic<bool> corrupt = false;
  std::jthread load([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      device.write_all(corrupt);
      std::this_thread::sleep_for(200us);
    }
  });
  verbs::ArrivalChecker checker({&check}, Clock::now() + 300ms);
  std::this_thread::sleep_for(100ms);
  corrupt = true;
  std::this_thread::sleep_for(100ms);
  corrupt = false;
  std::this_thread::sleep_for(150ms);
  load.request_stop();
  load.join();
  checker.stop();
  EXPECT_TRUE(check.difference());
  EXPECT_GT(check.proven(), 10u);
  EXPECT_EQ(verbs::first_difference(device.memory, kSeed), std::nullopt);
}

}  // namespace
}  // namespace rigproof
