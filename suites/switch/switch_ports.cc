// Every port of the rig is set on its switch as the thresholds want and as its sister ports are, has its link, lets
// full-size frames pass, and sees the MACs of the port that the rig file has cabled there. Each limit
// "switch.setting.NAME" is one setting, by RouterOS' name. Catches: a port left at its defaults, an L2MTU that
// clamps the MTU, FEC that the card does not speak, a cable in another port, frames that are lost on the switch.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fixtures/facts/run_state.h"
#include "fixtures/net/wiring.h"
#include "fixtures/switch/managed_switch.h"
#include "framework/runner/context.h"
#include "framework/runner/rig_test.h"

namespace rigproof::switches {
namespace {

using namespace switches;

constexpr const char* kSetting = "switch.setting.";
constexpr double kLargestMtu = 1 << 20;  // B: more is no MTU
constexpr int kOfNoRank = -1;            // told by rank 0
constexpr int kLooks = 5;                // at a forwarding table, a second apart, until it has heard of all

struct Cabled {
  const Switch* through;
  std::string interface;
};

Cabled cabled_at(const Rig& rig, PortRef port) {
  for (const Switch& one : rig.switches)
    for (const Switch::Port& at : one.ports)
      if (at.at == port) return {&one, at.interface};
  throw std::logic_error("a port without a switch");
}

std::vector<PortSubject> every_switched_port(const Rig& rig) {
  std::vector<PortSubject> ports = every_port(rig);
  std::erase_if(ports, [&](const PortSubject& port) {
    return std::ranges::none_of(rig.switches, [&](const Switch& one) {
      return std::ranges::find(one.ports, port.port, &Switch::Port::at) != one.ports.end();
    });
  });
  return ports;
}

// What a port advertises, which differs by the kind of its cage, means nothing where its rate is set.
bool negotiates(const SwitchPortFacts& port) {
  const auto setting = port.settings.find("auto-negotiation");
  return setting == port.settings.end() || setting->second != "false";
}

// A switch forgets what was silent for some minutes (RouterOS: 5), as a sound half is that nobody uses.
void make_heard(const std::string& netdev) try {
  constexpr std::uint16_t kDiscard = 9;
  net::Announcer(netdev).announce({}, {kDiscard});
} catch (
    const net::NetError&) {  // not there, or down: then the switch hears nothing of it, which the case says
}

class SwitchPort : public RigTest<PortSubject> {
 protected:
  // Collective. look(switch) on rank 0, which need not be on this port's node: the switch has one management.
  template <class Look>
  void look(Look look_at) {
    measure("ask the switch", std::chrono::seconds(30), [&] {
      if (ranks().rank() == 0) ask(*cabled().through, look_at);
    });
  }
  [[nodiscard]] Cabled cabled() const { return cabled_at(rig(), subject().port); }
  [[nodiscard]] Finding finding(std::string detail = {}) const {
    const Cabled at = cabled();
    return {
        subject().port.node, std::move(detail), {{"interface", at.interface}, {"switch", at.through->name}}};
  }
  void judge(std::string_view id, const std::optional<std::string>& text) {
    text ? found(id, *text, finding()) : report_absent(id);
  }
  void judge(std::string_view id, const std::optional<DataRate>& rate) {
    rate ? found(id, to_quantity(*rate), finding()) : report_absent(id);
  }
  void report_absent(std::string_view id) {
    unread(id, fmt::format("{} does not report it for {}", cabled().through->name, cabled().interface),
           finding());
  }
  // An item of the report. The login may not be allowed to ask for it: that proves nothing against the rig.
  void record_identity(ManagedSwitch& through) try {
    SuiteContext& suite = suite_context();
    suite.write(record::NodeSeen{suite.suite, cabled().through->name, kOfNoRank, {{"", through.identity()}}});
  } catch (const SwitchError& error) {
    unread("switch.identity", error.what(), finding());
  }
  void judge(std::string_view id, const std::optional<double>& bytes) {
    const bool sane = bytes && *bytes >= 0 && *bytes <= kLargestMtu;
    if (!sane)
      not_proven(fmt::format("{}: {} shows no valid MTU{}", cabled().through->name, cabled().interface,
                             bytes ? fmt::format(" (got {})", *bytes) : ""));
    found(id, to_quantity(DataSize::bytes(static_cast<std::uint64_t>(*bytes))), finding());
  }

 private:
  // What keeps a switch silent is told by the first case that meets it; the others refer to that one.
  template <class Look>
  void ask(const Switch& to, Look look_at) {
    if (const auto told = silent_.find(to.name); told != silent_.end())
      throw SwitchSilent(fmt::format("switch {} can't be asked: see {}", to.name, told->second));
    try {
      look_at(*connect_switch(to));
    } catch (const SwitchSilent& error) {
      const auto* test = testing::UnitTest::GetInstance()->current_test_info();
      silent_[to.name] = fmt::format("{}.{}", test->test_suite_name(), test->name());
      throw SwitchSilent(describe(to, error));
    } catch (const SwitchError& error) {
      throw SwitchError(describe(to, error));
    }
  }

  static inline std::map<std::string, std::string> silent_;  // switch -> the case that says why
};

RIGPROOF_TEST(SwitchPort, HasItsLink, Reports::text("switch.status"), Reports::rate("switch.rate"),
              Reports::text("switch.fec")) {
  look([&](ManagedSwitch& through) {
    const SwitchPortFacts port = through.port(cabled().interface);
    judge("switch.status", port.status);
    judge("switch.rate", port.rate);
    judge("switch.fec", port.fec);
  });
}

RIGPROOF_TEST(SwitchPort, IsSetAsWanted, Reports::size("switch.mtu"), Reports::size("switch.l2mtu"),
              Reports::text("switch.setting.*")) {
  look([&](ManagedSwitch& through) {
    const SwitchPortFacts port = through.port(cabled().interface);
    for (const std::string& name : limits_under(kSetting)) {
      const auto setting = port.settings.find(name);
      judge(kSetting + name, setting == port.settings.end() ? std::nullopt : std::optional(setting->second));
    }
    judge("switch.mtu", port.mtu);
    judge("switch.l2mtu", port.l2mtu);
  });
}

RIGPROOF_TEST(SwitchPort, MatchesFirstPort, Reports::count("switch.differences")) {
  look([&](ManagedSwitch& through) {
    const Cabled mine = cabled();
    const SwitchPortFacts known = through.port(mine.through->ports.front().interface),
                          port = through.port(mine.interface);
    double differences = 0;
    for (const auto& [name, value] : known.settings) {
      const auto own = port.settings.find(name);
      if (own != port.settings.end() && own->second == value) continue;
      if (name == "advertise" && !negotiates(known) && !negotiates(port)) continue;
      ++differences;
      note(fmt::format("{} of {} is {}, that of {} is {}", name, mine.interface,
                       own == port.settings.end() ? "absent" : own->second,
                       mine.through->ports.front().interface, value));
    }
    found("switch.differences", count(differences), finding());
  });
}

RIGPROOF_TEST(SwitchPort, SeesBothMacs, Reports::count("switch.macs")) {
  std::vector<std::string> macs;
  measure("read the MACs", std::chrono::seconds(5), [&] {
    for (const Half& half : rig().port(subject().port).halves) {
      const bool mine = here(subject().port.node);
      const auto mac = mine ? facts::read_netdev_now(half.netdev).mac.value : std::nullopt;
      if (mac) make_heard(half.netdev);
      macs.push_back(ranks().share(mac.value_or("")).at(subject().port.node));
    }
  });
  look([&](ManagedSwitch& through) {
    auto table = through.forwarding_table();
    const auto has_heard = [&](const std::string& mac) { return table.contains(mac); };
    for (int look = 1; look < kLooks && !std::ranges::all_of(macs, has_heard); ++look) {
      wait(std::chrono::seconds(1));
      table = through.forwarding_table();
    }
    double seen = 0;
    for (const std::string& mac : macs) {
      const auto at = table.find(mac);
      if (at == table.end()) {
        note(fmt::format("'{}' is nowhere in the forwarding table", mac));
      } else if (at->second != cabled().interface) {
        note(fmt::format("{} is seen at {}, not at {}", mac, at->second, cabled().interface));
      } else {
        ++seen;
      }
    }
    found("switch.macs", count(seen), finding());
  });
}

// Errors, drops, pauses and what FEC corrected since the switch was started, on record; whether errors move during the run is
// judged at its end ("switch.errors"). And, with its first port, what the switch is.
RIGPROOF_TEST(SwitchPort, TellsItsCounters, Reports::any("switch.counters"),
              Reports::text("switch.identity").where_there()) {
  look([&](ManagedSwitch& through) {
    if (cabled().interface == cabled().through->ports.front().interface) record_identity(through);
    for (const auto& [name, value] : through.port(cabled().interface).counters)
      if (is_error_counter(name) || is_drop_counter(name) || is_pause_counter(name) ||
          name.find("fec") != std::string::npos)
        found("switch.counters", count(value), finding(name));
    found("switch.counters", "read", finding());
  });
}

RIGPROOF_CASES(EachPort, SwitchPort, every_switched_port);

}  // namespace
}  // namespace rigproof::switches
