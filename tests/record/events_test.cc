#include "framework/record/events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace rigproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

constexpr auto kTime = "2026-11-20T18:15:02.123Z";

record::Measured rate() {
  return {.id = "tcp.rate.half",
          .node = "node-a",
          .detail = "enp1s0f0np0 tx",
          .samples = {Dimension::kDataRate, {0.505e9, 0.51e9, 0.515e9}},
          .about = {{"netdev", "enp1s0f0np0"}}};
}

record::CaseEnded case_with(std::vector<record::Measured> measured) {
  return {.suite = "tcp",
          .name = "A.B",
          .iteration = 1,
          .seconds = 2.5,
          .measuring_s = 2,
          .measured = std::move(measured),
          .failures = {}};
}

record::RunStarted start() {
  return {.id = "id",
          .rig = "rig",
          .rig_kind = "model",
          .stand_in = "a fake",
          .asked = {.suites = {"tcp"}, .filter = "A.*", .repeat = 2, .profile = "smoke", .snapshot = "/s"},
          .rig_file = record::text_file("r.toml", "a\n\"b\""),
          .limits = {record::text_file("t.toml", "")},
          .user = "ann",
          .host = "head",
          .command_line = "rigproof run",
          .programs = {{"rigproof", "0.1.0", "4e5f", "6a7b"}},
          .declared = {{"tcp",
                        {{"tcp.rate.half", "bit/s", ""},
                         {"tcp.x.*", "any", "a second port", "", "", "", record::MetricGroup::kInventory}}}},
          .again = record::Rejudged{"first", "2026-11-21T00:00:00.000Z", "bob", "desk", "rigproof judge"}};
}

std::vector<record::EventBody> one_of_each() {
  record::Measured found = rate();
  found.role = record::Measured::Role::kFound;
  found.text = "RS";
  record::Measured unread = found;
  unread.unread = record::Measured::Unread::kNotReadable;
  record::Measured series = rate();
  series.role = record::Measured::Role::kBeside;
  series.axis = record::every(std::chrono::milliseconds(100));
  record::CaseEnded ended = case_with({rate(), found, unread, series});
  ended.failures = {{record::Failure::Kind::kError, "crash", "gone", "node-b", 1, "measure", "a.cc:4"}};
  ended.notes = {"node-b: 3 of 8 probes lost"};
  ended.disturbed = 0.25;
  return {start(),
          record::SuiteStarted{"tcp", 2, "mpirun"},
          record::SuitePlanned{
              "tcp",
              {{"A.B/c", "rail0", {SubjectPlace::Kind::kRail, "rail0", {"node-a", "node-b"}, true}, 0},
               {"A.C", ""}},
              {{"A.B", {"tcp.rate.half"}, {"tcp.x.*"}}},
              {"link.down_events"}},
          record::NodeSeen{"tcp", "node-a", 0, {{"", {{"kernel", "6.1.0"}}}, {"gpu0", {{"serial", "A 1"}}}}},
          record::Observed{"link.down_events", "node-a", "port0", 3},
          record::Observed{"switch.errors", "node-a", "switch", 0, "no answer", {{"port", "port0"}}},
          record::CaseStarted{"tcp", "A.B", 1},
          record::PhaseStarted{"tcp", "A.B", "measure", 30.5},
          record::CableMoved{"tcp",
                             "A.B",
                             "node-a:port0",
                             record::CableMoved::Step::kPlugged,
                             "the emulated rig",
                             0,
                             {{"node-a", "p0", 2}}},
          ended,
          record::SuiteDone{"tcp"},
          record::SuiteEnded{"tcp", 1, false, "signal 11"},
          record::Problem{"given-up", "suite tcp: given up"},
          record::Problem{"node-absent", "no answer from node-b", {"node-b"}},
          record::FilesHashed{{{"logs/tcp.1.log", "5f"}}},
          record::RunEnded{12.25}};
}

TEST(Events, EveryKindComesBackAsItWasWritten) {
  for (const record::EventBody& body : one_of_each()) {
    const std::string line = record::encode({7, kTime, body});
    EXPECT_EQ(encode(record::decode(line)), line);
    EXPECT_EQ(record::decode(line).body.index(), body.index());
  }
}

TEST(Events, WhatACaseIsAboutComesBackOfEveryKind) {
  using Kind = SubjectPlace::Kind;
  const std::vector<SubjectPlace> places{{},
                                         {Kind::kNode, "", {"node-a"}},
                                         {Kind::kPort, "port0", {"node-a"}},
                                         {Kind::kHalf, "enp1s0f0np0", {"node-a"}},
                                         {Kind::kRail, "rail0", {"node-a", "node-b"}},
                                         {Kind::kLink, "link0", {"node-b", "node-a"}},
                                         {Kind::kNodes, "", {"node-a", "node-b"}, true},
                                         {Kind::kForwarded, "", {"node-a", "node-c"}},
                                         {Kind::kAllNodes, "", {"node-a", "node-b", "node-c"}}};
  record::SuitePlanned plan{"tcp", {}};
  for (const SubjectPlace& place : places) plan.cases.push_back({"A.B", "", place});
  const record::Event event = record::decode(record::encode({7, kTime, plan}));
  const auto& cases = std::get<record::SuitePlanned>(event.body).cases;
  ASSERT_EQ(cases.size(), places.size());
  for (std::size_t i = 0; i < places.size(); ++i) EXPECT_EQ(cases[i].place, places[i]) << i;
}

// As it was written before: nobody guesses it from the case's name.
TEST(Events, ACaseThatDoesNotSayWhatItIsAboutIsRefused) {
  std::string line = record::encode(
      {7, kTime, record::SuitePlanned{"tcp", {{"A.B/node_a", "", {SubjectPlace::Kind::kNode}}}}});
  const std::string about = R"("about":"node")";
  const auto at = line.find(about);
  ASSERT_NE(at, line.npos);
  EXPECT_THAT([&] { (void)record::decode(std::string(line).replace(at, about.size(), R"("about":"nose")")); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("key 'about': unknown value 'nose'")));
  EXPECT_THAT([&] { (void)record::decode(std::string(line).replace(at, about.size(), R"("nodes":[])")); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("no key 'about'")));
}

TEST(Events, ALineBeginsWithItsNumberTimeAndKind) {
  EXPECT_EQ(record::encode({7, kTime, record::SuiteDone{"tcp"}}),
            R"({"seq":7,"time":"2026-11-20T18:15:02.123Z","event":"suite_done","suite":"tcp"})");
}

TEST(Events, ALineNeverHoldsANewline) {
  EXPECT_EQ(record::encode({0, kTime, record::Problem{"a\nb", "c\r\nd"}}).find_first_of("\r\n"),
            std::string::npos);
}

record::CaseEnded through_the_journal(const record::CaseEnded& ended) {
  return std::get<record::CaseEnded>(record::decode(record::encode({0, kTime, ended})).body);
}

double through_the_journal(double sample) {
  record::Measured measured = rate();
  measured.samples.values = {sample};
  return through_the_journal(case_with({measured})).measured.at(0).samples.values.at(0);
}

TEST(Events, DoublesSurviveExactly) {
  for (const double value : {0.1, 1.0 / 3, 1e22, 5e-324, std::numeric_limits<double>::max(), 95e7, -0.0})
    EXPECT_EQ(through_the_journal(value), value);
  EXPECT_TRUE(std::signbit(through_the_journal(-0.0)));
}

TEST(Events, NumbersThatAreNotFiniteSurvive) {
  EXPECT_TRUE(std::isnan(through_the_journal(NAN)));
  EXPECT_EQ(through_the_journal(INFINITY), INFINITY);
  EXPECT_EQ(through_the_journal(-INFINITY), -INFINITY);
}

TEST(Events, WhatWasMeasuredSurvives) {
  record::Measured before = rate();
  before.axis = record::at(to_quantity(DataSize::kibibytes(64)));
  before.role = record::Measured::Role::kFound;
  before.text = "why";
  before.unread = record::Measured::Unread::kNothingThere;
  const record::Measured after = through_the_journal(case_with({before})).measured.at(0);
  EXPECT_EQ(after.id, before.id);
  EXPECT_EQ(after.node, before.node);
  EXPECT_EQ(after.detail, before.detail);
  EXPECT_EQ(after.axis, before.axis);
  EXPECT_EQ(after.samples, before.samples);
  EXPECT_EQ(after.role, before.role);
  EXPECT_EQ(after.text, before.text);
  EXPECT_EQ(after.unread, before.unread);
  EXPECT_EQ(after.about, before.about);
}

TEST(Events, NotesAndTheDisturbedShareSurvive) {
  record::CaseEnded before = case_with({rate()});
  before.notes = {"a note", ""};
  before.disturbed = 0.125;
  const record::CaseEnded after = through_the_journal(before);
  EXPECT_EQ(after.notes, before.notes);
  EXPECT_EQ(after.disturbed, before.disturbed);
}

TEST(Events, TheHeadOfARunSurvives) {
  const record::RunStarted before = start();
  const record::RunStarted after =
      std::get<record::RunStarted>(record::decode(record::encode({0, kTime, before})).body);
  EXPECT_EQ(after.asked.suites, before.asked.suites);
  EXPECT_EQ(after.asked.repeat, 2);
  EXPECT_EQ(after.rig_file.text, before.rig_file.text);
  EXPECT_EQ(after.rig_file.sha256, before.rig_file.sha256);
  EXPECT_EQ(after.limits.at(0).file, "t.toml");
  EXPECT_EQ(after.declared.at("tcp").at(1).needs, "a second port");
  EXPECT_EQ(after.declared.at("tcp").at(1).group, record::MetricGroup::kInventory);
  EXPECT_EQ(after.again.value().user, "bob");
  EXPECT_EQ(after.version(), "0.1.0");
  EXPECT_EQ(after.limits_files(), "t.toml");
}

TEST(Events, BytesThatAreNoUtf8AreReplaced) {
  const record::Event event =
      record::decode(record::encode({0, kTime, record::Problem{"t", "caf\xE9 \xF0\x9F"}}));
  EXPECT_EQ(std::get<record::Problem>(event.body).message, "caf\uFFFD \uFFFD");
}

std::string refusal(const std::string& line) try {
  (void)record::decode(line);
  return "accepted";
} catch (const std::invalid_argument& error) {
  return error.what();
}

std::string problem_line(const std::string& rest) {
  return R"({"seq":0,"time":"2026-11-20T18:15:02.123Z","event":)" + rest + "}";
}

TEST(Events, AFaultyLineIsRefusedByName) {
  EXPECT_THAT(refusal(""), StartsWith("not JSON"));
  EXPECT_THAT(refusal("{\"seq\":0"), StartsWith("not JSON"));
  EXPECT_THAT(refusal(std::string("\0\0", 2)), StartsWith("not JSON"));
  EXPECT_THAT(refusal("1e999"), StartsWith("not JSON: number overflow"));
  EXPECT_THAT(refusal("[NaN]"), StartsWith("not JSON: parse error at line 1"));
  EXPECT_EQ(refusal("[1]"), "not an object");
  EXPECT_EQ(refusal(std::string(1'000'000, '[')), "nested more than 64 deep");
  EXPECT_EQ(refusal(problem_line(R"("problem","type":"t","message":"m","type":"u")")),
            "key 'type' twice in one object");
  EXPECT_EQ(refusal(problem_line(R"("problem","type":"t","message":"m","typ\u0065":"t")")),
            "key 'type' twice in one object");
  EXPECT_EQ(refusal(problem_line(R"("x","a":{"b":{"c":1},"c":[{"c":1},{"c":2}],"b":1})")),
            "key 'b' twice in one object");
  EXPECT_THAT(refusal("{}\r"), StartsWith("bytes around the object"));
  EXPECT_THAT(refusal("\xEF\xBB\xBF{}"), StartsWith("bytes around the object"));
  EXPECT_EQ(refusal("{}"), "no key 'seq'");
  EXPECT_EQ(refusal(R"({"seq":-1})"), "key 'seq': not a whole number of 0 or more");
  EXPECT_EQ(refusal(problem_line(R"("x")")), "unknown event 'x'");
  EXPECT_EQ(refusal(problem_line(R"("problem","type":"t")")), "no key 'message'");
  EXPECT_EQ(refusal(problem_line(R"("problem","type":1,"message":"m")")), "key 'type': not a string");
  EXPECT_EQ(refusal(problem_line(R"("problem","type":"t","message":"m","more":1)")), "unknown key 'more'");
  EXPECT_EQ(
      refusal(problem_line(R"("suite_ended","suite":"s","launch":4294967296,"complete":true,"reason":"")")),
      "key 'launch': a whole number out of range");
  EXPECT_EQ(refusal(problem_line(R"("run_ended","seconds":null)")), "key 'seconds': not a number");
}

// A line with the last `from` in it replaced.
std::string changed(const record::EventBody& body, const std::string& from, const std::string& to) {
  std::string line = record::encode({0, kTime, body});
  const std::size_t place = line.rfind(from);
  return place == line.npos ? "no " + from : line.replace(place, from.size(), to);
}

TEST(Events, AFaultDeepInALineIsNamedByItsPath) {
  EXPECT_EQ(refusal(changed(case_with({rate(), rate()}), R"("role":"measured")", R"("role":"judged")")),
            "key 'measured': element 1: key 'role': unknown value 'judged'");
}

TEST(Events, TimesAndIterationsThatAreNotPossibleAreRefused) {
  const record::CaseEnded ended = case_with({rate()});
  for (const char* seconds : {"-5", "-0.001", "\"nan\"", "\"inf\"", "\"-inf\""}) {
    const auto to = [&](const std::string& key) { return "\"" + key + "\":" + seconds; };
    EXPECT_THAT(refusal(problem_line("\"run_ended\"," + to("seconds"))),
                AllOf(StartsWith("key 'seconds': "), HasSubstr("is not possible")));
    EXPECT_THAT(refusal(changed(ended, R"("seconds":2.5)", to("seconds"))), StartsWith("key 'seconds': "));
    EXPECT_THAT(refusal(changed(ended, R"("measuring_s":2.0)", to("measuring_s"))),
                StartsWith("key 'measuring_s': "));
    EXPECT_THAT(
        refusal(changed(record::PhaseStarted{"tcp", "A.b", "p", 1}, R"("deadline_s":1.0)", to("deadline_s"))),
        StartsWith("key 'deadline_s': "));
  }
  EXPECT_EQ(refusal(changed(record::Observed{"link.down_events", "node-a", "x", 7}, R"("value":7.0)",
                            R"("value":"nan")")),
            "key 'value': nan is not possible");
  EXPECT_EQ(refusal(changed(ended, R"("iteration":1)", R"("iteration":0)")),
            "key 'iteration': 0 is not possible");
  EXPECT_EQ(refusal(problem_line(R"("run_ended","seconds":0)")), "accepted");
}

TEST(Events, AnotherFormatIsRefusedByName) {
  EXPECT_EQ(refusal(changed(start(), R"("format":4)", R"("format":5,"new":1)")),
            "format 5, but this program reads format 4: use the rigproof that wrote it");
}

// As a release before the raw journal wrote it.
TEST(Events, AJournalWithVerdictsIsRefusedByItsFormat) {
  EXPECT_EQ(refusal(problem_line(R"("run_started","format":1,"version":"0.1.0","id":"x","rig":"r")")),
            "format 1, but this program reads format 4: use the rigproof that wrote it");
}

// Builds before had part and property in one text: such a line is refused, not misread.
TEST(Events, FactsInOneTextAreRefused) {
  EXPECT_THAT(
      refusal(problem_line(
          R"("node_seen","suite":"tcp","launch":1,"rank":0,"node":"a","facts":{"eth0 driver":"mlx5"})")),
      testing::HasSubstr("key 'facts'"));
}

TEST(Events, NoVerdictGetsIntoALine) {
  const record::CaseEnded ended = case_with({rate()});
  EXPECT_EQ(
      refusal(changed(ended, R"("role":"measured")", R"("role":"measured","judgement":{"verdict":"pass"})")),
      "key 'measured': element 0: unknown key 'judgement'");
  EXPECT_EQ(refusal(changed(ended, R"("role":"measured")", R"("role":"measured","verdict":"pass")")),
            "key 'measured': element 0: unknown key 'verdict'");
  EXPECT_EQ(refusal(changed(ended, R"("failures":[])", R"("failures":[],"status":"passed")")),
            "unknown key 'status'");
  EXPECT_EQ(refusal(changed(record::RunEnded{1}, R"("seconds":1.0)", R"("seconds":1.0,"exit_code":0)")),
            "unknown key 'exit_code'");
}

TEST(Events, WhatIsEmptyIsLeftOut) {
  record::Measured plain = rate();
  plain.detail.clear();
  plain.about.clear();
  const std::string line = record::encode({0, kTime, case_with({plain})});
  for (const char* key : {"detail", "axis", "text", "unread", "about", "notes", "disturbed"})
    EXPECT_EQ(line.find(std::string("\"") + key + "\""), line.npos) << key;
}

TEST(Events, ATimeThatDoesNotExistIsRefused) {
  for (const char* time : {"", "2026-11-20", "2026-02-30T18:15:02.123Z", "2026-11-20T25:15:02.123Z",
                           "2026-11-20T18:15:02.123+01:00"})
    EXPECT_THAT(refusal(record::encode({0, time, record::SuiteDone{"tcp"}})),
                HasSubstr("not a valid UTC time"))
        << time;
}

TEST(Utc, NowIsATime) { EXPECT_TRUE(record::is_utc(record::utc_now())); }

TEST(Utc, SecondsAreCountedAcrossDays) {
  EXPECT_DOUBLE_EQ(record::seconds_between("2026-12-31T23:59:59.500Z", "2027-01-01T00:00:01.250Z"), 1.75);
  EXPECT_EQ(record::seconds_between("2027-01-01T00:00:01.250Z", "2026-12-31T23:59:59.500Z"), 0);
}

TEST(Description, OfASuiteComesBackAsItWasWritten) {
  const record::SuiteDescription before{.program = {"rigproof-suite-tcp", "0.1.0", "4e5f", "6a7b"},
                                        .declared = {{"tcp.rate.half", "bit/s", ""}},
                                        .traits = {"Rates", 6, true, true, true, "A.*", {0.5, 1, 2}},
                                        .plan = std::get<record::SuitePlanned>(one_of_each().at(2))};
  const std::string text = encode(before);
  EXPECT_EQ(encode(record::decode_description(text)), text);
  EXPECT_EQ(record::decode_description(text).traits.case_seconds, before.traits.case_seconds);
  EXPECT_EQ(record::decode_description(text).traits.first_look, "A.*");
  EXPECT_EQ(record::decode_description(text + "\n").plan.tests.at(0).owes, before.plan.tests.at(0).owes);
  EXPECT_THROW((void)record::decode_description("A.\n  b\n"), std::invalid_argument);
  EXPECT_THROW((void)record::decode_description(R"({"program":1})"), std::invalid_argument);
}

}  // namespace
}  // namespace rigproof
