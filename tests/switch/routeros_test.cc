// RouterOS against a stand-in on loopback (tests/stand_ins/routeros.py).
#include "fixtures/switch/routeros.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "tests/support/temp_folder.h"

namespace rigproof::switches {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;
using testing::Pair;

// The stand-in as a child process; it ends when its standard input does.
class StandIn {
 public:
  explicit StandIn(const std::string& fault = "") {
    std::array<int, 2> input, output;
    if (::pipe(input.data()) != 0 || ::pipe(output.data()) != 0) std::abort();
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(input[0], 0);
      ::dup2(output[1], 1);
      ::close(input[1]);
      ::execlp("python3", "python3", RIGPROOF_SOURCE_DIR "/tests/stand_ins/routeros.py",
               folder.path().c_str(), "--fault", fault.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(input[0]);
    ::close(output[1]);
    input_ = input[1];
    std::array<char, 16> text{};
    if (::read(output[0], text.data(), text.size() - 1) <= 0) ADD_FAILURE() << "the stand-in does not start";
    port_ = std::atoi(text.data());
    ::close(output[0]);
  }
  ~StandIn() {
    ::close(input_);
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  [[nodiscard]] HttpsSpec spec() const {
    return {.base = "https://127.0.0.1:" + std::to_string(port_),
            .ca = (folder.path() / "ca.pem").string(),
            .user = "rigproof",
            .password = "secret-of-the-stand-in"};
  }

  TempFolder folder;

 private:
  pid_t child_;
  int input_, port_;
};

template <class Ask>
std::string refusal(Ask ask) {
  try {
    ask();
  } catch (const SwitchError& error) {
    return error.what();
  }
  return "answered";
}

TEST(RouterOsStandIn, TellsAPort) {
  const StandIn stand_in;
  const SwitchPortFacts port = RouterOs(stand_in.spec()).port("qsfp56-dd-1-1");
  EXPECT_EQ(port.settings.at("fec-mode"), "fec91");
  EXPECT_EQ(port.settings.contains("mac-address"), false);
  EXPECT_THAT(port.l2mtu, Optional(9216));
  EXPECT_THAT(port.status, Optional(std::string("link-ok")));
  EXPECT_EQ(port.counters.at("rx-pause"), 12);
}
TEST(RouterOsStandIn, CountsCodewordsAndSetsNone) {
  const StandIn stand_in;
  const SwitchPortFacts port = RouterOs(stand_in.spec()).port("qsfp56-dd-1-1");
  EXPECT_EQ(port.counters.at("rs-fec-codewords"), 107777257915634);
  EXPECT_EQ(port.counters.at("rs-fec-uncorrected"), 0);
  EXPECT_FALSE(port.settings.contains("rs-fec-corrected"));
  EXPECT_FALSE(port.settings.contains("driver-rx-byte"));
  EXPECT_THAT(port.fec, Optional(std::string("fec91")));
  EXPECT_EQ(port.rate, DataRate::gigabits_per_second(200));
}
TEST(RouterOsStandIn, TellsNoRateThatIsNone) {
  const StandIn odd("odd-rate");
  EXPECT_EQ(RouterOs(odd.spec()).port("qsfp56-dd-1-1").rate, std::nullopt);
}
// A port as a switch in use tells it: it negotiates, so it has no speed; FEC's counters stand beside its settings.
TEST(RouterOsPort, OfASwitchInUseHasSettingsAndCounters) {
  const SwitchPortFacts port = port_facts({{".id", "*4"},
                                           {"advertise", "200G-baseCR4"},
                                           {"auto-negotiation", "true"},
                                           {"bandwidth", "unlimited/unlimited"},
                                           {"driver-tx-packet", "1788654"},
                                           {"fec-mode", "auto"},
                                           {"l2mtu", "1584"},
                                           {"loop-protect-send-interval", "5s"},
                                           {"loop-protect-status", "off"},
                                           {"mtu", "1500"},
                                           {"name", "qsfp56-dd-1-1"},
                                           {"rs-fec-codewords", "4719664023907"},
                                           {"rs-fec-corrected", "33"},
                                           {"rs-fec-uncorrected", "12"},
                                           {"running", "true"},
                                           {"rx-flow-control", "off"},
                                           {"sfp-shutdown-temperature", "80"},
                                           {"tx-drop", "56169832"},
                                           {"tx-queue0-packet", "184312456165"},
                                           {"tx-rx-1024-max", "302764105535"}});
  EXPECT_THAT(port.settings, ElementsAre(Pair("advertise", "200G-baseCR4"), Pair("auto-negotiation", "true"),
                                         Pair("bandwidth", "unlimited/unlimited"), Pair("fec-mode", "auto"),
                                         Pair("l2mtu", "1584"), Pair("loop-protect-send-interval", "5s"),
                                         Pair("mtu", "1500"), Pair("rx-flow-control", "off"),
                                         Pair("sfp-shutdown-temperature", "80")));
  EXPECT_EQ(port.counters.at("rs-fec-uncorrected"), 12);
  EXPECT_EQ(port.counters.at("tx-drop"), 56169832);
  EXPECT_THAT(port.l2mtu, Optional(1584));
  EXPECT_TRUE(is_error_counter("rs-fec-uncorrected"));
  EXPECT_TRUE(is_error_counter("tx-underrun")) << "a frame that broke off";
  EXPECT_TRUE(is_error_counter("tx-late-collision")) << "an end that is set to half duplex";
  EXPECT_FALSE(is_error_counter("rs-fec-corrected")) << "what FEC is there for";
  EXPECT_FALSE(is_error_counter("tx-drop")) << "a full queue breaks no frame";
  EXPECT_TRUE(is_drop_counter("tx-drop"));
}
// A counter that is no number is no setting in which two ports differ, and no 0; what is not told has no value.
TEST(RouterOsPort, OfWhichACounterIsNoNumber) {
  const SwitchPortFacts port = port_facts({{"mtu", ""},
                                           {"rs-fec-corrected", "1 234 567"},
                                           {"rs-fec-uncorrected", "unknown"},
                                           {"rx-fcs-error", ""},
                                           {"tx-bytes", "1.2GiB"},
                                           {"tx-flow-control", "off"}});
  EXPECT_THAT(port.settings, ElementsAre(Pair("mtu", ""), Pair("tx-flow-control", "off")));
  EXPECT_THAT(port.counters, ElementsAre(Pair("rs-fec-corrected", 1'234'567)));
  EXPECT_THAT(port.unreadable_counters, ElementsAre(Pair("rs-fec-uncorrected", "unknown"),
                                                    Pair("rx-fcs-error", ""), Pair("tx-bytes", "1.2GiB")));
  EXPECT_EQ(port.mtu, std::nullopt);
}
TEST(RouterOsStandIn, TellsWhatItIs) {
  const StandIn stand_in;
  EXPECT_THAT(RouterOs(stand_in.spec()).identity(),
              ElementsAre(Pair("firmware", "7.22"), Pair("model", "CRS804-4DDQ"),
                          Pair("os", "RouterOS 7.22 (stable)"), Pair("serial", "STAND-IN-1"),
                          Pair("vendor", "MikroTik")));
}
TEST(RouterOsStandIn, TellsWhereMacsAre) {
  const StandIn stand_in;
  const auto table = RouterOs(stand_in.spec()).forwarding_table();
  EXPECT_EQ(table.at("4c:bb:47:83:75:fd"), "qsfp56-dd-1-1");
  EXPECT_EQ(table.at("4c:bb:47:83:75:01"), "qsfp56-dd-1-1");
}
TEST(RouterOsStandIn, IsNotTrustedWithoutItsAuthority) {
  const StandIn stand_in;
  HttpsSpec spec = stand_in.spec();
  spec.ca.reset();
  EXPECT_THAT(refusal([&] { (void)RouterOs(spec).forwarding_table(); }), HasSubstr("certificate"));
}
TEST(RouterOsStandIn, IsNotTrustedUnderAnotherName) {
  const StandIn stand_in;
  HttpsSpec spec = stand_in.spec();
  spec.base.replace(spec.base.find("127.0.0.1"), 9, "localhost");
  EXPECT_THAT(refusal([&] { (void)RouterOs(spec).forwarding_table(); }),
              AllOf(HasSubstr("certificate"), HasSubstr("localhost")));
}
TEST(RouterOsStandIn, RefusesOthersAndTheirSecretStaysSecret) {
  const StandIn stand_in;
  HttpsSpec spec = stand_in.spec();
  spec.password = "hush-hush";
  EXPECT_THAT(refusal([&] { (void)RouterOs(spec).forwarding_table(); }),
              AllOf(HasSubstr("does not accept the credentials"), Not(HasSubstr("hush"))));
}
TEST(RouterOsStandIn, HasNoOtherPorts) {
  const StandIn stand_in;
  EXPECT_THAT(refusal([&] { (void)RouterOs(stand_in.spec()).port("ether9"); }), HasSubstr("'ether9'"));
}
TEST(RouterOsStandIn, ThatTalksNonsenseIsAnErrorNotACrash) {
  for (const char* fault : {"nonsense", "empty", "not-json-text", "nested"}) {
    const StandIn stand_in(fault);
    EXPECT_THAT(refusal([&] { (void)RouterOs(stand_in.spec()).forwarding_table(); }),
                HasSubstr("not an answer of RouterOS"))
        << fault;
  }
  const StandIn stand_in("wrong-type");
  EXPECT_EQ(RouterOs(stand_in.spec()).port("qsfp56-dd-1-1").mtu, std::nullopt);
}
TEST(RouterOsStandIn, ThatHangsCostsItsDeadlineOnly) {
  const StandIn stand_in("hang");
  HttpsSpec spec = stand_in.spec();
  spec.deadline = std::chrono::milliseconds(200);
  EXPECT_THAT(refusal([&] { (void)RouterOs(spec).forwarding_table(); }), HasSubstr("imed out"));
}

TEST(SwitchLogin, ComesFromAFileThatNobodyElseReads) {
  const TempFolder folder;
  Switch to{.name = "sw",
            .kind = "routeros",
            .address = "https://127.0.0.1:1",
            .ca = {},
            .credentials = {},
            .ports = {}};
  ::unsetenv("RIGPROOF_SWITCH_LOGIN");
  EXPECT_THAT(refusal([&] { (void)connect_switch(to); }), HasSubstr("RIGPROOF_SWITCH_LOGIN"));
  to.credentials = (folder.path() / "login").string();
  EXPECT_THAT(refusal([&] { (void)connect_switch(to); }), HasSubstr("No such file"));
  write_text(*to.credentials, "user:hush\n");
  std::filesystem::permissions(*to.credentials, std::filesystem::perms(0644));
  EXPECT_THAT(refusal([&] { (void)connect_switch(to); }),
              AllOf(HasSubstr("chmod 600"), Not(HasSubstr("hush"))));
  std::filesystem::permissions(*to.credentials, std::filesystem::perms(0600));
  EXPECT_EQ(refusal([&] { (void)connect_switch(to); }), "answered");
  write_text(*to.credentials, "no colon\n");
  EXPECT_THAT(refusal([&] { (void)connect_switch(to); }), HasSubstr("must have the form USER:PASSWORD"));
}

}  // namespace
}  // namespace rigproof::switches
