#include "framework/supervisor/gate_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "framework/supervisor/exit_code.h"
#include "tests/supervisor/scratch.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class GateStoreTest : public testing::Test {
 protected:
  std::filesystem::path keep(const supervisor::GateStore& store) {
    const auto folder = store.begin();
    std::filesystem::create_directories(folder / "run-001");
    std::filesystem::create_directories(folder / "run-002");
    return store.keep(folder);
  }
  Scratch scratch;
  supervisor::GateKey key{"model-rig", "default", "smoke", ""};
};

std::string refused_store(auto body) {
  try {
    body();
  } catch (const supervisor::Refused& refused) {
    return refused.what();
  }
  return "accepted";
}

TEST_F(GateStoreTest, AKeyIsAFolder) {
  EXPECT_EQ(key.folder(), "model-rig/default-smoke");
  supervisor::RunOptions options;
  options.suites = {"tcp", "link", "tcp"};
  const supervisor::GateKey some = supervisor::GateKey::of("r", "fw-28.45", options);
  EXPECT_THAT(some.folder().string(), testing::StartsWith("r/fw-28.45-standard-"));
  options.suites = {"link", "tcp"};
  EXPECT_EQ(supervisor::GateKey::of("r", "fw-28.45", options).folder(), some.folder());
  options.gtest.filter = "A.*";
  EXPECT_NE(supervisor::GateKey::of("r", "fw-28.45", options).folder(), some.folder());
}
TEST_F(GateStoreTest, NamesThatLeaveTheStoreAreRefused) {
  for (const char* name : {"..", ".", "a/b", "/etc", "", "a b", "a\nb"}) {
    EXPECT_THROW((void)(supervisor::GateKey{"rig", name, "smoke", ""}).folder(), supervisor::Refused) << name;
    EXPECT_THROW((void)(supervisor::GateKey{name, "default", "smoke", ""}).folder(), supervisor::Refused)
        << name;
  }
}
TEST_F(GateStoreTest, ANameThatIsTooLongIsSaidToBeSo) {
  const supervisor::GateKey key{"rig", std::string(300, 'a'), "smoke", ""};
  EXPECT_THAT([&] { (void)key.folder(); }, ThrowsMessage<supervisor::Refused>(HasSubstr("1 to 100 letters")));
}
TEST_F(GateStoreTest, BeginsWithoutABaseline) {
  EXPECT_THAT(supervisor::GateStore(scratch.path("store"), key).baseline(), IsEmpty());
}
TEST_F(GateStoreTest, ABaselineIsTheRunsOfAKeptGate) {
  const supervisor::GateStore store(scratch.path("store"), key);
  const auto kept = keep(store);
  EXPECT_THAT(store.baseline(), IsEmpty());
  store.set_baseline(kept);
  EXPECT_THAT(store.baseline(),
              ElementsAre(AllOf(HasSubstr("/kept/"), EndsWith("run-001")), EndsWith("run-002")));
}
TEST_F(GateStoreTest, WhatWasKilledIsNoBaseline) {
  {
    const supervisor::GateStore store(scratch.path("store"), key);
    store.set_baseline(keep(store));
    std::filesystem::create_directories(store.begin() / "run-001");  // and no keep()
  }
  const supervisor::GateStore store(scratch.path("store"), key);
  EXPECT_THAT(store.baseline().size(), 2u);
}
TEST_F(GateStoreTest, GoesOnWithAGateOfTheSameOrderThatWasCutOff) {
  const supervisor::GateStore store(scratch.path("store"), key);
  const auto begun = store.begin("one order");
  EXPECT_NE(store.begin("one order"), begun) << "it has no run";
  std::filesystem::create_directories(begun / "run-001");
  write_text(begun / "run-001" / "journal.jsonl", "");
  EXPECT_NE(store.begin("another order"), begun);
  EXPECT_EQ(store.begin("one order"), begun);
  std::filesystem::last_write_time(begun / "run-001" / "journal.jsonl",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(25));
  EXPECT_NE(store.begin("one order"), begun) << "who knows what was done to the rig since";
}
TEST_F(GateStoreTest, TheFirstBaselineStaysTheAnchor) {
  const supervisor::GateStore store(scratch.path("store"), key);
  const auto first = keep(store), second = keep(store), third = keep(store);
  store.set_baseline(first);
  EXPECT_THAT(store.anchor(), IsEmpty()) << "it is the baseline";
  store.set_baseline(second);
  EXPECT_THAT(store.anchor(), ElementsAre((first / "run-001").string(), (first / "run-002").string()));
  store.set_baseline(third, true);
  EXPECT_THAT(store.anchor(), IsEmpty());
}
// Catches: a loss that went through before there were anchors, and is forgotten by the first promotion.
TEST_F(GateStoreTest, TheBaselineOfAnOlderStoreBecomesTheAnchor) {
  const supervisor::GateStore store(scratch.path("store"), key);
  const auto first = keep(store), second = keep(store);
  store.set_baseline(first);
  std::filesystem::remove(store.path() / "anchor");
  EXPECT_THAT(store.anchor(), IsEmpty());
  store.set_baseline(second);
  EXPECT_THAT(store.anchor(), ElementsAre((first / "run-001").string(), (first / "run-002").string()));
}
TEST_F(GateStoreTest, ADamagedAnchorIsNamed) {
  const supervisor::GateStore store(scratch.path("store"), key);
  store.set_baseline(keep(store));
  write_text(store.path() / "anchor", "nothing");
  EXPECT_THAT(refused_store([&] { (void)store.anchor(); }),
              AllOf(HasSubstr("damaged"), HasSubstr("gate --baseline --anchor")));
}
TEST_F(GateStoreTest, TwoAtOnceDoNotShareIt) {
  const supervisor::GateStore held(scratch.path("store"), key);
  EXPECT_THAT(refused_store([&] { supervisor::GateStore(scratch.path("store"), key); }),
              HasSubstr("process " + std::to_string(getpid())));
  supervisor::GateKey other = key;
  other.profile = "standard";
  EXPECT_NO_THROW(supervisor::GateStore(scratch.path("store"), other));
}
TEST_F(GateStoreTest, NamesAreNeverTakenTwice) {
  const supervisor::GateStore store(scratch.path("store"), key);
  EXPECT_NE(keep(store), keep(store));
}
TEST_F(GateStoreTest, ADamagedStoreIsNamed) {
  const supervisor::GateStore store(scratch.path("store"), key);
  for (const char* name : {"nothing", "../../etc", "", "a\nb"}) {
    write_text(store.path() / "baseline", name);
    EXPECT_THAT(refused_store([&] { (void)store.baseline(); }), HasSubstr("damaged")) << name;
  }
  std::filesystem::remove(store.path() / "baseline");
  ASSERT_EQ(mkfifo((store.path() / "baseline").c_str(), 0600), 0);  // whoever reads it waits
  EXPECT_THAT(refused_store([&] { (void)store.baseline(); }), HasSubstr("damaged"));
}
TEST_F(GateStoreTest, AStoreThatCannotBeWrittenIsNamed) {
  EXPECT_THAT(refused_store([&] { supervisor::GateStore("/proc/nowhere", key); }),
              HasSubstr("/proc/nowhere"));
}

}  // namespace
}  // namespace rigproof
