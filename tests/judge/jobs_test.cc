// Cases of jobs that ran at once, and what a case alone says of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/judge/run_judge.h"
#include "tests/judge/judging.h"
#include "tests/support/story.h"

namespace rigproof {
namespace {

using judge::Status;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Jobs of a suite at once: each has its own launch, running case and end.
class JobsAtOnce : public testing::Test {
 protected:
  void launch(int job, const char* nodes, int number = 1) {
    story.add(record::SuiteStarted{"tcp", number, "mpirun", job, 3, {"node-a", nodes}});
  }
  void plan(int job, const char* name) {
    story.add(record::SuitePlanned{"tcp", {{name, "", {}}}, {}, {}, job});
  }
  void begin(int job, const char* name) { story.add(record::CaseStarted{"tcp", name, 1, job}); }
  void end(int job, Ending ended) {
    ended.job = job;
    story.add(ended);
  }
  void over(int job, bool complete = true, int number = 1) {
    if (complete) story.add(record::SuiteDone{"tcp", job});
    story.add(record::SuiteEnded{"tcp", number, complete, complete ? "" : "rank 1 died", job});
  }
  void two_jobs_at_once() {
    launch(1, "node-b"), launch(2, "node-c");
    plan(2, "A.ac"), plan(1, "A.ab");
    begin(1, "A.ab"), begin(2, "A.ac");
  }
  void third_job() {
    launch(3, "node-d"), plan(3, "A.ad"), begin(3, "A.ad"), end(3, ending("A.ad", {good()})), over(3);
  }
  // The first once more, with nothing beside it.
  void alone(const Ending& ended) {
    launch(1, "node-b", 2), plan(1, "A.ab"), begin(1, "A.ab"), end(1, ended), over(1, true, 2);
  }
  Story story;
};

TEST_F(JobsAtOnce, KeepTheirCasesApart) {
  two_jobs_at_once();
  end(2, ending("A.ac", {good()})), end(1, ending("A.ab", {good()}));
  over(1), over(2);
  third_job();
  const judge::JudgedRun run = story.end().record();
  EXPECT_THAT(problems_of(run), IsEmpty());
  EXPECT_EQ(run.exit_code(), 0);
  EXPECT_TRUE(run.suites.at(0).complete());
  EXPECT_EQ(run.suites.at(0).cases.size(), 3U);
}
TEST_F(JobsAtOnce, OneThatBreaksOffCostsItsOwnCase) {
  two_jobs_at_once();
  over(1, false);
  end(2, ending("A.ac", {good()})), over(2);
  third_job();
  const judge::JudgedRun run = story.end().record();
  EXPECT_EQ(run.suites.at(0).cases.at(0).plan.name, "A.ac");
  EXPECT_EQ(run.suites.at(0).cases.at(0).status(), Status::kPassed);
  EXPECT_EQ(run.suites.at(0).cases.at(1).status(), Status::kError);
  EXPECT_FALSE(run.suites.at(0).complete());
}
// A supervisor that forgot one would otherwise qualify a rig with fewer pairs than it has.
TEST_F(JobsAtOnce, OneThatBrokeWasNotLostWithANodeOfAnother) {
  two_jobs_at_once();
  end(1, ending("A.ab", {}, {failure(kError, "crash", "signal 11")}));
  end(2, ending("A.ac", {}, {failure(kError, "exited", "code 9")}));
  over(1, false), over(2, false);
  story.add(record::Problem{"node-absent", "no answer from node-c", {"node-c"}});
  const judge::JudgedSuite suite = story.record().suites.at(0);
  for (const judge::JudgedCase& test : suite.cases)
    EXPECT_EQ(test.attempts.at(0).lost, test.plan.name == "A.ac") << test.plan.name;
}
TEST_F(JobsAtOnce, OneThatNeverRanLeavesTheSuiteIncomplete) {
  two_jobs_at_once();
  end(2, ending("A.ac", {good()})), end(1, ending("A.ab", {good()}));
  over(1), over(2);
  const judge::JudgedRun run = story.end().record();
  EXPECT_FALSE(run.suites.at(0).complete());
  EXPECT_EQ(run.exit_code(), 2);
}
TEST_F(JobsAtOnce, MayNotHaveTheSameCase) {
  launch(1, "node-b"), launch(2, "node-c");
  plan(1, "A.ab"), plan(2, "A.ab");
  EXPECT_THAT(problems_of(story.record()), ElementsAre(HasSubstr("case A.ab planned twice")));
}
// Two pairs at once miss what a pair alone has: the pair is sound, what they share is not.
TEST_F(JobsAtOnce, AMissIsReplacedByASoundAttemptAlone) {
  two_jobs_at_once();
  end(1, ending("A.ab", {missed()})), end(2, ending("A.ac", {good()}));
  over(1), over(2);
  alone(ending("A.ab", {good()}));
  const judge::JudgedRun run = story.record();
  const judge::JudgedCase test = run.suites.at(0).cases.at(1);
  EXPECT_EQ(test.status(), Status::kPassed);
  ASSERT_EQ(test.attempts.size(), 2U);
  EXPECT_EQ(test.attempts[0].status, Status::kFailed);
  EXPECT_EQ(test.attempts[0].beside, "(node-a, node-c)");
  const judge::JudgedMeasurement& finding = test.attempts[1].measurements.back();
  EXPECT_EQ(finding.judgement.verdict, judge::Verdict::kAdvice);
  EXPECT_EQ(finding.judgement.reason,
            "tcp.rate.half was 0.51 Gbit/s beside (node-a, node-c) and is 0.978 Gbit/s alone");
  EXPECT_NEAR(finding.samples.values.at(0), 0.5215, 1e-4);
  EXPECT_THAT(problems_of(run), IsEmpty());
}

constexpr const char* kBesideLimit =
    "[[limit]]\nid = \"pairs.beside\"\nat_least = \"90 %\"\nremedy.check = \"look\"\nbasis = { kind = "
    "\"policy\", "
    "source = \"t\", quote = \"q\" }\n";

// Two pairs at once, of which the first misses its rate, and then has it alone.
class PairsAtOnce : public JobsAtOnce {
 protected:
  judge::JudgedRun run_of(const Ending& beside, const std::string& rig_kind = "hardware") {
    story = Story(kBesideLimit);
    story.begun().rig_kind = rig_kind;
    two_jobs_at_once();
    end(1, beside), end(2, ending("A.ac", {good()})), over(1), over(2);
    third_job();
    alone(ending("A.ab", {good()}));
    return story.end().record();
  }
  static judge::JudgedCase slow_case(const judge::JudgedRun& run) { return run.suites.at(0).cases.at(1); }
  static judge::JudgedMeasurement cpu_busy(double share) {
    judge::JudgedMeasurement busy = recorded("tcp.cpu_busy");
    busy.samples = {Dimension::kRatio, {share}};
    return busy;
  }
};
// Catches: a trunk that carries one pair and not two, which every pair passes alone.
TEST_F(PairsAtOnce, MayNotBeSlowerThanAlone) {
  const judge::JudgedRun run = run_of(ending("A.ab", {missed()}));
  EXPECT_EQ(slow_case(run).status(), Status::kFailed);
  EXPECT_EQ(run.exit_code(), 1);
  const judge::JudgedMeasurement finding = slow_case(run).attempts.at(1).measurements.back();
  EXPECT_EQ(finding.id, "pairs.beside");
  EXPECT_EQ(finding.detail, "tcp.rate.half");
  EXPECT_EQ(
      finding.judgement.reason,
      "median 52.15 % misses >= 90 % by 42.1 %; tcp.rate.half was 0.51 Gbit/s beside (node-a, node-c) and is "
      "0.978 Gbit/s alone");
}
TEST_F(PairsAtOnce, OfWhichOneCarriesNothingAreAFinding) {
  const judge::JudgedRun run =
      run_of(ending("A.ab", {judged("tcp.rate.half", judge::Verdict::kFail, 0, -1)}));
  EXPECT_EQ(slow_case(run).status(), Status::kFailed);
  EXPECT_EQ(slow_case(run).attempts.at(1).measurements.back().id, "pairs.beside");
}
TEST_F(PairsAtOnce, MayDifferByChance) {
  const judge::JudgedRun run =
      run_of(ending("A.ab", {judged("tcp.rate.half", judge::Verdict::kFail, 0.94e9, -0.01)}));
  EXPECT_EQ(slow_case(run).status(), Status::kPassed);
  EXPECT_EQ(run.exit_code(), 0);
}
// All nodes of an emulated rig share the CPUs of one machine.
TEST_F(PairsAtOnce, AreExcusedByTheCpusOfAnEmulatedRigAlone) {
  const Ending busy = ending("A.ab", {missed(), cpu_busy(0.97)}),
               idle = ending("A.ab", {missed(), cpu_busy(0.6)});
  EXPECT_EQ(run_of(busy, "model").exit_code(), 0);
  EXPECT_EQ(slow_case(run_of(busy, "model")).attempts.at(1).measurements.back().judgement.verdict,
            judge::Verdict::kAdvice);
  EXPECT_EQ(run_of(idle, "model").exit_code(), 1);
  EXPECT_EQ(run_of(busy, "hardware").exit_code(), 1);
}
TEST_F(JobsAtOnce, AMissThatStaysAloneIsRed) {
  two_jobs_at_once();
  end(1, ending("A.ab", {missed()})), over(1), end(2, ending("A.ac", {good()})), over(2);
  alone(ending("A.ab", {missed()}));
  const judge::JudgedCase test = story.record().suites.at(0).cases.at(1);
  EXPECT_EQ(test.status(), Status::kFailed);
  EXPECT_EQ(test.deciding(), &test.attempts[1]);
}
TEST_F(JobsAtOnce, AMissThatWasNotMeasuredAloneIsRed) {
  two_jobs_at_once();
  end(1, ending("A.ab", {missed()})), over(1), end(2, ending("A.ac", {good()})), over(2);
  EXPECT_EQ(story.record().suites.at(0).cases.at(1).status(), Status::kFailed);
}
// Wrong data, damage, a path that cuts packets off: a second try that is sound is no proof that the first was not broken.
TEST_F(JobsAtOnce, AMissThatIsNoSlownessDecidesAtOnce) {
  judge::JudgedMeasurement differs = missed("rdma.data_differs");
  differs.samples = {Dimension::kCount, {1}};
  two_jobs_at_once();
  end(1, ending("A.ab", {missed(), differs})), over(1), end(2, ending("A.ac", {good()})), over(2);
  alone(ending("A.ab", {good()}));
  const judge::JudgedCase test = story.record().suites.at(0).cases.at(1);
  EXPECT_EQ(test.status(), Status::kFailed);
  EXPECT_EQ(test.deciding(), &test.attempts[0]);
  EXPECT_EQ(test.attempts[0].beside, "");
}
TEST_F(JobsAtOnce, AFailureBesideOthersDecidesAtOnce) {
  two_jobs_at_once();
  end(1, ending("A.ab", {missed()}, {failure(kFail, "assertion", "x")})), over(1);
  end(2, ending("A.ac", {good()})), over(2);
  alone(ending("A.ab", {good()}));
  EXPECT_EQ(story.record().suites.at(0).cases.at(1).status(), Status::kFailed);
}
// A run that was stopped may measure a case beside others once more: that is no measurement alone.
TEST_F(JobsAtOnce, ASoundAttemptBesideOthersReplacesNoMiss) {
  two_jobs_at_once();
  end(1, ending("A.ab", {missed()})), begin(1, "A.ab"), end(1, ending("A.ab", {good()}));
  end(2, ending("A.ac", {good()})), over(1), over(2);
  EXPECT_EQ(story.record().suites.at(0).cases.at(1).status(), Status::kFailed);
}
// A job that ran alone is not excused by a second try: nothing but limits and another pair replace a miss.
TEST_F(JobsAtOnce, AMissAloneIsNotReplaced) {
  launch(1, "node-b"), plan(1, "A.ab"), begin(1, "A.ab"), end(1, ending("A.ab", {missed()})), over(1);
  alone(ending("A.ab", {good()}));
  EXPECT_EQ(story.record().suites.at(0).cases.at(0).status(), Status::kFailed);
}
TEST_F(JobsAtOnce, CountTheTimeOnce) {
  two_jobs_at_once();  // begins with event 1
  end(2, ending("A.ac", {good()})), end(1, ending("A.ab", {good()}));
  over(1), over(2);  // ends with event 12
  EXPECT_EQ(story.record().suites.at(0).seconds, 11);
}

}  // namespace
}  // namespace rigproof
