// Limits against what the installed suites may report, before a run touches anything.
#include "framework/supervisor/run_inputs.h"

#include <gmock/gmock.h>

#include "framework/judge/run_checks.h"
#include "framework/supervisor/exit_code.h"
#include "tests/judge/judging.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Of a build without the suite rdma, with these files of limits and of faults.
record::RunStarted start(const std::string& limits = {}, const std::string& faults = {}) {
  record::RunStarted start{};
  start.limits = {record::text_file("t.toml", limits)};
  start.faults = {record::text_file("f.toml", faults)};
  start.declared = {
      {"tcp", {{"tcp.rate.half", "bit/s", ""}, {"tcp.retransmits", "count", "a switch"}}},
      {"preflight", {{"preflight.sysctl.*", "any", ""}, {"preflight.fec", "text", ""}}},
      {judge::kRunSuite, {{judge::kStateLimit, "count", ""}}},
  };
  start.not_built = {"rdma"};
  return start;
}

std::string refused_limits(const std::string& limits) try {
  supervisor::check_declared(*limits_of(limits), start(limits));
  return "accepted";
} catch (const toml::InputError& refused) {
  return refused.what();
}

std::string on_text(const std::string& id) {
  return "[[limit]]\nid = \"" + id +
         "\"\none_of = [\"RS\"]\nbasis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check "
         "= "
         "\"r\"\n";
}

// A run of an hour that ends as not proven, because the build has no NCCL, says so before its first minute.
TEST(NoticeOf, NamesTheRequiredLimitsThatABuildCantProve) {
  const record::Lacking lacking{"collective.nccl.*", "no NCCL: NCCL_HOME=FOLDER ci/build"};
  EXPECT_EQ(supervisor::notice_of(lacking, *limits_of(at_most("collective.nccl.cpu", "10 %") +
                                                      at_most("tcp.retransmits", "1 count") +
                                                      at_most("collective.nccl.wrong", "0 count"))),
            "this run will not prove 2 required limits (collective.nccl.cpu, ...): no NCCL: NCCL_HOME=FOLDER "
            "ci/build");
}
TEST(NoticeOf, SaysNothingWhereNoRequiredLimitIsConcerned) {
  const record::Lacking lacking{"collective.nccl.*", "no NCCL"};
  const std::string informative =
      "[[limit]]\nid = \"collective.nccl.latency\"\nenforce = \"informative\"\nunit = \"us\"\nbasis = { kind "
      "= \"policy\", "
      "source = \"s\", reasoning = \"r\" }\nremedy.check = \"r\"\n";
  EXPECT_EQ(supervisor::notice_of(lacking, *limits_of(at_most("tcp.retransmits", "1 count") + informative)),
            "");
}

TEST(CheckDeclared, TakesWhatSomeSuiteMayReport) {
  EXPECT_EQ(refused_limits(at_most("tcp.retransmits", "1 count") + at_most("tcp.rate.half", "1 Gbit/s") +
                           at_most("preflight.sysctl.net.core.rmem_max", "1 B") +
                           on_text("preflight.sysctl.net.x") + on_text("preflight.fec") +
                           at_most(judge::kStateLimit, "0 count")),
            "accepted");
}
TEST(CheckDeclared, RefusesAnUnknownIdWithItsLineAndTheNearest) {
  EXPECT_THAT(refused_limits(at_most("tcp.retransmits", "1 count") + at_most("tcp.rate.halv", "1 Gbit/s")),
              AllOf(HasSubstr("t.toml:8:6: no suite reports 'tcp.rate.halv'"), HasSubstr("'tcp.rate.half'"),
                    HasSubstr("\n  8 | id = \"tcp.rate.halv\"\n")));
}
TEST(CheckDeclared, RefusesASuiteThatNobodyKnows) {
  EXPECT_THAT(refused_limits(at_most("tpc.rate", "1 Gbit/s")),
              AllOf(HasSubstr("t.toml:2"), HasSubstr("'tpc.rate'")));
}
TEST(CheckDeclared, RefusesAnotherDimension) {
  EXPECT_THAT(refused_limits(at_most("tcp.rate.half", "1 count")),
              AllOf(HasSubstr("t.toml:2"), HasSubstr("'tcp.rate.half' is in count"), HasSubstr("suite tcp"),
                    HasSubstr("bit/s")));
  EXPECT_THAT(refused_limits(at_most("preflight.fec", "1 count")), HasSubstr("text"));
  EXPECT_THAT(refused_limits(on_text("tcp.retransmits")), HasSubstr("is in text"));
}
TEST(CheckDeclared, LetsASuiteThatIsNotBuiltThrough) {
  EXPECT_EQ(refused_limits(at_most("rdma.retries", "1 count")), "accepted");
}
TEST(CheckDeclared, ReadsTheLimitsOfOtherProfilesToo) {
  EXPECT_THAT(refused_limits(at_most("tcp.rate.half", "1 Gbit/s") +
                             at_most("tcp.typo", "1 count", "profiles = [\"acceptance\"]")),
              AllOf(HasSubstr("t.toml:8"), HasSubstr("'tcp.typo'")));
}
TEST(CheckDeclared, InformativeLimitsMayHaveNoTypingErrorEither) {
  EXPECT_THAT(refused_limits(at_most("tcp.typo", "1 count", "enforce = \"informative\"")),
              HasSubstr("'tcp.typo'"));
}

std::string refused_faults(const std::string& sign, const std::string& explains) try {
  const std::string text =
      "[[fault]]\nname = \"f\"\ncertainty = \"likely\"\nwhen = [" + sign + "]\nexplains = [\"" + explains +
      "\"]\nbasis = { kind = \"policy\", source = \"s\", quote = \"q\" }\nremedy.check = \"r\"\n";
  supervisor::check_declared(read_faults({toml::Document::parse(text, "f.toml")}, rig_fact_dimensions()),
                             start({}, text));
  return "accepted";
} catch (const toml::InputError& refused) {
  return refused.what();
}

TEST(CheckDeclared, TakesSignsThatSomeSuiteMayReport) {
  EXPECT_EQ(refused_faults("{ id = \"tcp.rate.half\", at_most = \"1 Gbit/s\" }", "tcp.*"), "accepted");
  EXPECT_EQ(refused_faults("{ id = \"rdma.retries\", at_most = \"1 count\" }", "preflight.sysctl.a"),
            "accepted");
}
TEST(CheckDeclared, RefusesSignsAndExplanationsThatNobodyReports) {
  EXPECT_THAT(
      refused_faults("{ id = \"tcp.rate.halv\", at_most = \"1 Gbit/s\" }", "tcp.*"),
      AllOf(HasSubstr("f.toml:4:16: no suite reports 'tcp.rate.halv'"), HasSubstr("'tcp.rate.half'")));
  EXPECT_THAT(refused_faults("{ id = \"tcp.rate.half\", at_most = \"1 B\" }", "tcp.*"), HasSubstr("is in B"));
  EXPECT_THAT(refused_faults("{ id = \"tcp.rate.half\", at_most = \"1 Gbit/s\" }", "tpc.*"),
              HasSubstr("f.toml:5:13: no suite reports 'tpc.*'"));
}

std::string refusal_of_waiver(const std::string& expires) try {
  supervisor::refuse_long_waivers(
      *limits_of(at_most("tcp.retransmits", "1 count",
                         "[[waiver]]\nlimit = \"tcp.retransmits\"\nreason = \"r\"\nowner = \"o\"\n"
                         "expires = \"" +
                             expires + "\"\n")),
      "2026-11-20");
  return "accepted";
} catch (const supervisor::Refused& refused) {
  return refused.what();
}

TEST(Waivers, EndWithinHalfAYearOfTheRun) {
  EXPECT_EQ(refusal_of_waiver("2027-05-19"), "accepted");
  EXPECT_EQ(refusal_of_waiver("2026-01-01"), "accepted");  // expired: it waives nothing
  EXPECT_THAT(refusal_of_waiver("2027-05-20"), AllOf(HasSubstr("t.toml:6"), HasSubstr("180 days")));
}

}  // namespace
}  // namespace rigproof
