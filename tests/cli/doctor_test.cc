// `rigproof doctor` and `rigproof qualify` with hosts that answer as told.
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <utility>

#include "tests/cli/program.h"

namespace rigproof {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class DoctorTest : public testing::Test {
 protected:
  DoctorTest() { answers_as(""); }
  // The answer of spark-b to host-check, and its facts, with edits by sed. spark-a is sound.
  void answers_as(const std::string& check, const std::string& facts = "") {
    const std::string sound = RIGPROOF_PROGRAM
        " host-check /tmp --seconds 0 | sed -n -e 's/\"rdma_users\":[^]]*]/\"rdma_users\":[]/' "
        "-e 's/\"free_bytes\":{[^}]*}/\"free_bytes\":{}/' ";
    const auto facts_of = [](const std::string& letter, const std::string& edits) {
      return R"(node=$(echo "$2" | sed 's/.*--node \([^ ]*\).*/\1/'); )"
             R"(sed -e "s/\"node\": \"node-[ab]\"/\"node\": \"$node\"/" -e 's/"memlock_soft_bytes": [-0-9]*/"memlock_soft_bytes": -1/' )" +
             edits + " " RIGPROOF_SOURCE_DIR "/tests/preflight/sparks/node-" + letter + ".json";
    };
    scratch.script("agent",
                   "case \"$1 $2\" in\n"
                   "*host-reach*) for way in $2; do case \"$way\" in *,*,*) "
                   "echo \"rigproof-host-reach $(cat " +
                       scratch.path("reach").string() +
                       " 2>/dev/null || echo ok)\";; esac; done;;\n"
                       "spark-a*host-check*) " +
                       sound +
                       " -e p;;\n"
                       "spark-b*host-check*) " +
                       sound + check +
                       " -e p;;\n"
                       "spark-a*) " +
                       facts_of("a", "") +
                       ";;\n"
                       "spark-b*) " +
                       facts_of("b", facts) +
                       ";;\n"
                       "*) echo \"ssh: connect to host $1 port 22: No route to host\"; exit 255;;\nesac");
  }
  [[nodiscard]] Answer rigproof(Words words) const {
    Words command{"env", "OMPI_MCA_plm_rsh_agent=" + scratch.path("agent").string(), RIGPROOF_PROGRAM};
    command.insert(command.end(), words.begin(), words.end());
    return answer_of(command);
  }
  [[nodiscard]] Answer doctor() const { return rigproof({"doctor", "spark-a", "spark-b"}); }

  Scratch scratch;
};

TEST_F(DoctorTest, FindsSoundHostsSound) {
  const Answer answer = doctor();
  EXPECT_EQ(answer.code, 0) << answer.output;
  for (const char* check : {"login", "build", "packages", "space", "clock", "memlock", "idle", "ports"})
    EXPECT_THAT(answer.output, ContainsRegex(fmt::format("(^|\n)(OK|WARNING) +{} ", check)));
  EXPECT_THAT(answer.output, Not(HasSubstr("PROBLEM")));
}
TEST_F(DoctorTest, NamesAHostThatDoesNotAnswerAndWhatToType) {
  const Answer answer = rigproof({"doctor", "spark-a", "spark-z"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("PROBLEM  login    spark-z: ssh: connect to host spark-z port 22: No route"),
                    HasSubstr("type ssh -o BatchMode=yes spark-z hostname\n"),
                    HasSubstr("1 problem. Nothing was changed.\n")));
}
TEST_F(DoctorTest, FindsAnotherClock) {
  answers_as(R"(-e 's/"time":[0-9]*/"time":1000000000/')");
  const Answer answer = doctor();
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.output,
              AllOf(ContainsRegex("PROBLEM  clock    spark-b: its clock is [0-9]+ s behind this host's"),
                    HasSubstr("type on spark-b: sudo timedatectl set-ntp true")));
}
TEST_F(DoctorTest, FindsAnotherBuildAndAnotherMpi) {
  answers_as(
      R"x(-e 's/"build":"[0-9a-f]*"/"build":"0123456789abcdef"/' -e 's/"mpi":"[^"]*"/"mpi":"mpirun (Open MPI) 9.9"/')x");
  const Answer answer = doctor();
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.output,
              AllOf(ContainsRegex("PROBLEM  build    spark-b: .*hash 0123456789ab"),
                    HasSubstr("PROBLEM  packages spark-b: mpirun (Open MPI) 9.9, but this host has")));
}
TEST_F(DoctorTest, FindsAVersionThatDoesNotKnowTheQuestion) {
  answers_as("-e 's/.*/rigproof: unknown command/'");
  const Answer answer = doctor();
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.output, ContainsRegex("PROBLEM  build    spark-b: .* is another version of Rigproof: "));
}
TEST_F(DoctorTest, FindsMissingLibrariesAndPrograms) {
  answers_as(
      R"(-e 's/"missing_libraries":\[\]/"missing_libraries":["rigproof-suite-tcp: libfmt.so.9"]/' -e 's/"programs":{[^}]*}/"programs":{}/')");
  const Answer answer = doctor();
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(
      answer.output,
      AllOf(HasSubstr("PROBLEM  packages spark-b: libraries are missing: rigproof-suite-tcp: libfmt.so.9"),
            HasSubstr("PROBLEM  packages spark-b: mpirun finds neither orted nor prted there")));
}
TEST_F(DoctorTest, FindsLittleLockedMemoryWhereThereIsRdma) {
  answers_as("", R"(-e 's/"memlock_soft_bytes": -1/"memlock_soft_bytes": 8388608/')");
  const Answer answer = doctor();
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.output, HasSubstr("PROBLEM  memlock  spark-b: a login may lock 8 MiB of memory"));
}
TEST_F(DoctorTest, WarnsOfOtherUsers) {
  answers_as(
      R"x(-e 's/"rdma_users":\[\]/"rdma_users":["ib_write_bw (pid 4711)"]/')x",
      R"x(-e 's/"cpu_busy": [0-9.e-]*/"cpu_busy": 0.5/' -e 's/"name": "NVIDIA GB10"/&, "processes": ["python3 (process 4711)"]/')x");
  const Answer answer = doctor();
  EXPECT_EQ(answer.code, 0) << answer.output;
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("WARNING  idle     spark-b: RDMA devices are used by ib_write_bw (pid 4711)"),
                    HasSubstr("WARNING  idle     spark-b: GPU 0 is used by python3 (process 4711)"),
                    HasSubstr("WARNING  idle     spark-b: 50 % of its CPUs are busy")));
}
TEST_F(DoctorTest, TriesTheRailsOfARigFile) {
  scratch.write("reach", "no answer");
  const Answer answer = rigproof({"doctor", "--rig", RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(
      answer.output,
      AllOf(HasSubstr("PROBLEM  ports    no TCP connection from node-a to node-b at spark-b: no answer"),
            HasSubstr("PROBLEM  rails    no TCP connection from node-a (198.18.1.1) to node-b at 198.18.1.2: "
                      "no answer"),
            HasSubstr("type on node-b: sudo ")));
}
// ufw and firewalld refuse host names.
TEST_F(DoctorTest, NamesTheAddressThatAFirewallIsToLetIn) {
  answers_as(R"(-e 's/"firewall":"[^"]*"/"firewall":"ufw"/')");
  scratch.write("reach", "no answer\nrigproof-host-reach-from 192.0.2.7");
  EXPECT_THAT(doctor().output, HasSubstr("type on spark-b: sudo ufw allow from 192.0.2.7\n"));
  scratch.write("reach", "no answer");
  EXPECT_THAT(doctor().output, HasSubstr("sudo nft list ruleset   # let spark-a reach all TCP ports\n"));
}
TEST_F(DoctorTest, CallsAHostByTheAddressThatWasGiven) {
  EXPECT_THAT(rigproof({"doctor", "fd93::1", "fd93::2"}).output, HasSubstr("PROBLEM  login    fd93::1: "));
}
// The port that a host listens on for doctor, as another one tries it.
TEST_F(DoctorTest, AHostListensAndAnotherConnects) {
  process::Process listening(
      process::ProcessSpec{.arguments = {RIGPROOF_PROGRAM, "host-check", "--seconds", "60"}});
  std::string port;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (port.empty() && std::chrono::steady_clock::now() < deadline) {
    (void)listening.wait_for(std::chrono::milliseconds(20));
    const auto at = listening.output().find("\"port\":");
    if (at != std::string::npos && listening.output().ends_with('\n'))
      port = std::to_string(std::stoi(listening.output().substr(at + 7)));
  }
  const Answer answer =
      rigproof_does({"host-reach", ",127.0.0.1," + port, "127.0.0.1,127.0.0.1," + port, ",127.0.0.1,1",
                     "203.0.113.1,127.0.0.1," + port, ",no.such.host.invalid,1"});
  EXPECT_EQ(
      answer.output,
      "rigproof-host-reach ok\nrigproof-host-reach-from 127.0.0.1\n"
      "rigproof-host-reach ok\nrigproof-host-reach-from 127.0.0.1\n"
      "rigproof-host-reach Connection refused\nrigproof-host-reach-from 127.0.0.1\n"
      "rigproof-host-reach 203.0.113.1 is not an address of this host\nrigproof-host-reach-from \n"
      "rigproof-host-reach no.such.host.invalid does not resolve to an address\nrigproof-host-reach-from \n");
}
TEST_F(DoctorTest, RefusesHostsThatItCannotCheck) {
  const std::vector<std::pair<Words, std::string>> refused{
      {{"doctor", "spark-a"}, "doctor: name at least two hosts"},
      {{"doctor"}, "doctor: name at least two hosts, or the rig file of the hosts by --rig"},
      {{"doctor", "admin@spark-a", "spark-b"}, "'admin@spark-a' names a user: give the host alone"},
      {{"qualify", "spark-a:22", "spark-b"}, "'spark-a:22' has a colon, but is not an IPv6 address"},
      {{"doctor", "", "spark-b"}, "'' is empty"},
      {{"doctor", "localhost", "spark-b"}, "is a loopback address"},
      {{"doctor", "spark-a", "--rig", "rig.toml"}, "doctor: name hosts or --rig, not both"},
      {{"qualify", "--rig", scratch.path("none.toml")}, "qualify: name at least two hosts"}};
  for (const auto& [words, message] : refused) {
    const Answer answer = rigproof(words);
    EXPECT_EQ(answer.code, 2);
    EXPECT_THAT(answer.output, HasSubstr(message));
  }
}
// Catches: a load on a rig that lacks something, a rig file that is overwritten.
TEST_F(DoctorTest, QualifyStartsNothingWhereSomethingIsMissing) {
  answers_as(R"(-e 's/"time":[0-9]*/"time":1000000000/')");
  const Answer answer = rigproof(
      {"qualify", "spark-a", "spark-b", "--rig", scratch.path("rig.toml"), "--out", scratch.path("out")});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output, HasSubstr("qualify: no run was started: solve the 1 problem above first"));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("out")));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("rig.toml")));
}
TEST_F(DoctorTest, QualifyUsesOnlyTheRigFileOfTheseHosts) {
  const Answer answer =
      rigproof({"qualify", "spark-a", "spark-c", "--rig",
                RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml", "--out", scratch.path("out")});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.output,
              HasSubstr("exists and describes spark-a spark-b: name these hosts, or another file by --rig"));
}
// The limits are for what was found; the run itself fails here, because no mpirun reaches these hosts.
TEST_F(DoctorTest, QualifyChoosesLimitsThatFit) {
  const Answer answer =
      rigproof({"qualify", "--rig", RIGPROOF_SOURCE_DIR "/tests/rig/dgx_spark_pair.toml", "--out",
                scratch.path("out"), "--suite", "link", "--launcher", "false", "--profile", "smoke"});
  EXPECT_THAT(answer.output,
              AllOf(HasSubstr("Limits: dgx-spark-pair: two DGX Sparks (others: --thresholds FILE)"),
                    ContainsRegex("Run: [0-9]+ cases in profile smoke, about [0-9]+ s, record in ")));
}

}  // namespace
}  // namespace rigproof
