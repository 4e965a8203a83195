#include "framework/judge/judged_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "tests/support/story.h"

namespace rigproof {
namespace {

judge::Attempt attempt(judge::Status status) {
  return {.launch = 2,
          .iteration = 3,
          .started = "2026-11-20T18:15:01.000Z",
          .seconds = 1.5,
          .measuring_s = 0.5,
          .measurements = {},
          .failures = {failure(record::Failure::Kind::kSkip, std::string(judge::kDisturbed), "busy")},
          .status = status,
          .only_slow = true,
          .beside = "node-c, node-d",
          .replaced = true,
          .lost = true,
          .alone = "node-c, node-d",
          .place = record::LinePlace{7, 8}};
}

judge::JudgedCase test_case(const std::string& name, std::vector<judge::Attempt> attempts) {
  return {
      .suite = "tcp",
      .plan = {name, "rail0: a to b", {SubjectPlace::Kind::kRail, "rail0", {"node-a", "node-b"}, true}, 7},
      .attempts = std::move(attempts),
      .running = true,
      .waiver = "waived by Ann"};
}

void expect_same(const judge::JudgedCase& test, const judge::JudgedCase& other) {
  EXPECT_EQ(test.full_name(), other.full_name());
  EXPECT_EQ(test.plan.subject, other.plan.subject);
  EXPECT_EQ(test.plan.place, other.plan.place);
  EXPECT_EQ(test.plan.test, other.plan.test);
  EXPECT_EQ(test.running, other.running);
  EXPECT_EQ(test.waiver, other.waiver);
  ASSERT_EQ(test.attempts.size(), other.attempts.size());
  for (std::size_t index = 0; index < test.attempts.size(); ++index) {
    const judge::Attempt &one = test.attempts[index], &two = other.attempts[index];
    EXPECT_EQ(one.launch, two.launch);
    EXPECT_EQ(one.iteration, two.iteration);
    EXPECT_EQ(one.started, two.started);
    EXPECT_EQ(one.seconds, two.seconds);
    EXPECT_EQ(one.measuring_s, two.measuring_s);
    EXPECT_EQ(one.status, two.status);
    EXPECT_EQ(one.only_slow, two.only_slow);
    EXPECT_EQ(one.beside, two.beside);
    EXPECT_EQ(one.replaced, two.replaced);
    EXPECT_EQ(one.lost, two.lost);
    EXPECT_EQ(one.alone, two.alone);
    EXPECT_EQ(one.measurements.size(), two.measurements.size());
    ASSERT_EQ(one.failures.size(), two.failures.size());
    EXPECT_EQ(one.failures[0].message, two.failures[0].message);
    EXPECT_EQ(one.failures[0].rank, two.failures[0].rank);
    EXPECT_EQ(one.place->offset, two.place->offset);
    EXPECT_EQ(one.place->size, two.place->size);
  }
}

TEST(CaseList, GivesBackWhatItWasGiven) {
  const judge::JudgedCase bare{.suite = "", .plan = {}, .attempts = {}, .waiver = {}};
  judge::JudgedCase measured = test_case("A.C", {attempt(judge::Status::kFailed)});
  measured.attempts[0].measurements = {good()};
  const std::vector<judge::JudgedCase> given{
      test_case("A.B", {attempt(judge::Status::kPassed), attempt(judge::Status::kError)}), bare, measured,
      test_case(std::string(1 << 20, 'x'), {})};
  judge::CaseList list;
  for (const judge::JudgedCase& test : given) list.push_back(test);
  ASSERT_EQ(list.size(), given.size());
  for (std::size_t index = 0; index < given.size(); ++index) {
    expect_same(list.at(index), given[index]);
    EXPECT_EQ(list.name_at(index), given[index].plan.name);
  }
  std::size_t index = 0;
  for (const judge::JudgedCase& test : list) expect_same(test, given[index++]);
  EXPECT_EQ(index, given.size());
}

TEST(CaseList, ACopyIsItsOwn) {
  judge::CaseList list{test_case("A.B", {})};
  const judge::CaseList copy = list;
  list.change(0, [](judge::JudgedCase& test) {
    test.running = false;
    test.attempts = {attempt(judge::Status::kFailed)};
    test.attempts[0].measurements = {missed()};
  });
  EXPECT_TRUE(copy.at(0).running);
  EXPECT_FALSE(list.at(0).running);
  EXPECT_EQ(std::ranges::count(list, judge::Status::kFailed,
                               [](const judge::JudgedCase& test) { return test.attempts[0].status; }),
            1);
}

TEST(CaseList, RefusesACaseThatIsNotThere) { EXPECT_THROW((void)judge::CaseList().at(0), std::out_of_range); }

TEST(CaseName, HasItsParts) {
  const judge::CaseName name = judge::case_name("EachRail/RailRate.FillsTheHalf/rail0_node_a_to_node_b");
  EXPECT_EQ(name.test_class, "EachRail/RailRate");
  EXPECT_EQ(name.test, "FillsTheHalf");
  EXPECT_EQ(name.parameter, "rail0_node_a_to_node_b");
}

TEST(CaseName, OfATestWithoutParameters) {
  const judge::CaseName name = judge::case_name("Run.IsWhole");
  EXPECT_EQ(name.test_class, "Run");
  EXPECT_EQ(name.test, "IsWhole");
  EXPECT_EQ(name.parameter, "");
}

}  // namespace
}  // namespace rigproof
