// Proves for every port of the rig on its switch: settings as in the thresholds and as at the first port, a link, full-size
// frames pass, and the switch sees the MACs of the port that the rig file cables there. Each limit "switch.setting.NAME" is
// one RouterOS setting. Catches: a port at its defaults, an L2MTU that reduces the MTU, FEC that the NIC does not support, a
// cable in another port, frames that the switch drops.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fixtures/facts/run_state.h"
#include "fixtures/net/wiring.h"
#include "fixtures/switch/managed_switch.h"
#include "framework/runner/context.h"
#include "framework/runner/rig_test.h"

namespace rigproof::switches {

RIGPROOF_METRICS({"switch.*", "Switch port", "The switch's port is set as a known-good one.",
                  "The port was set differently; see the switch's own command in the remedy."},
                 {"switch.fec", "FEC of the switch's port",
                  "The error correction in use at the switch's port.",
                  "The switch's port or the NIC is set to another FEC."},
                 {"switch.setting.*", "Setting of a switch's port",
                  "The switch's port has the setting that the thresholds require.",
                  "It was never set, or a reset of the switch lost it."},
                 {"switch.counters", "Counters of the switch's port",
                  "Errors, drops, pauses and FEC counters of the switch's port since the switch was started.",
                  "Faults before this run. switch.errors shows whether they continue."},
                 {"switch.identity", "The switch itself", "Model, serial number and version of the switch.",
                  "The login is not allowed to read it."});

namespace {

using namespace switches;

[[maybe_unused]] const bool kSuite = declare_suite({.title = "Settings and state of the switch's ports",
                                                    .order = 3,
                                                    .first_look = "*",
                                                    .case_seconds = {0.01, 0.01, 0.01}});

constexpr const char* kSetting = "switch.setting.";
constexpr double kLargestMtu = 1 << 20;  // B: more is not a valid MTU
constexpr int kOfNoRank = -1;            // reported by rank 0
constexpr int kLooks = 5;  // at most: reads of the forwarding table, one per second, until it has all MACs

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

// The advertised rates differ by the kind of cage, and have no effect if the rate is fixed.
bool negotiates(const SwitchPortFacts& port) {
  const auto setting = port.settings.find("auto-negotiation");
  return setting == port.settings.end() || setting->second != "false";
}

// Sends a frame, because a switch removes MACs after some silent minutes (RouterOS: 5), also those of a sound unused half.
void make_heard(const Half& half) try {
  constexpr std::uint16_t kDiscard = 9;
  net::Announcer(half.netdev, family_of(half.address)).announce({}, {kDiscard});
} catch (const net::NetError&) {  // no such netdev, or down: the case reports the missing MAC
}

class SwitchPort : public RigTest<PortSubject> {
 protected:
  // Collective. Calls look(switch) on rank 0, on whichever node: the switch has one management address.
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
  // Records an inventory item. A login without permission to read it proves nothing against the rig.
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
  // Only the first case that finds a switch silent gives the reason; later cases refer to that case.
  template <class Look>
  void ask(const Switch& to, Look look_at) {
    if (const auto told = silent_.find(to.name); told != silent_.end())
      throw SwitchSilent(fmt::format("switch {} cannot be read: see {}", to.name, told->second));
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

  static inline std::map<std::string, std::string> silent_;  // switch -> the case that gives the reason
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
      if (mac) make_heard(half);
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
        note(fmt::format("'{}' is not in the forwarding table", mac));
      } else if (at->second != cabled().interface) {
        note(fmt::format("{} is seen at {}, not at {}", mac, at->second, cabled().interface));
      } else {
        ++seen;
      }
    }
    found("switch.macs", count(seen), finding());
  });
}

// Errors, drops, pauses and FEC corrections since the switch started: recorded. Growth of errors during the run is judged at
// its end ("switch.errors"). The first port also records the switch's identity.
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
