#include "framework/supervisor/launch_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "framework/process/process.h"
#include "framework/rig/text_checks.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/reachability.h"
#include "framework/supervisor/shell_words.h"

namespace rigproof::supervisor {
namespace {

using Words = std::vector<std::string>;

// Open MPI takes every long option with one dash or two.
bool names_any(const Words& words, std::initializer_list<std::string_view> options) {
  return std::any_of(words.begin() + 1, words.end(), [&](std::string_view word) {
    if (!word.starts_with('-')) return false;
    word.remove_prefix(word.starts_with("--") ? 2 : 1);
    word = word.substr(0, word.find('='));
    return std::find(options.begin(), options.end(), word) != options.end();
  });
}

bool mentions(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string hosts_of(const Rig& rig) {
  Words hosts;
  for (const Node& node : rig.nodes) hosts.push_back(node.address + ":1");
  return fmt::format("{}", fmt::join(hosts, ","));
}

bool has_repeated_host(const Rig& rig) {
  std::set<std::string> hosts;
  for (const Node& node : rig.nodes) hosts.insert(node.address);
  return hosts.size() < rig.nodes.size();
}

// The management netdev that every node names, or "".
std::string common_management(const Rig& rig) {
  const auto& first = rig.nodes.at(0).management;
  const bool same = std::all_of(rig.nodes.begin(), rig.nodes.end(),
                                [&](const Node& node) { return node.management == first; });
  return same ? first.value_or("") : "";
}

std::set<std::string> management_netdevs(const Rig& rig) {
  std::set<std::string> names;
  for (const Node& node : rig.nodes)
    if (node.management) names.insert(*node.management);
  return names;
}

// "198.18.1.0/24,198.18.2.0/24": the nodes of a rail have one subnet, but may name their netdevs differently.
std::string rail_networks(const Rig& rig) {
  Words networks;
  for (const Rail& rail : rig.rails) {
    const Half& half = rig.half(rail.halves.at(0));
    networks.push_back(
        parse_ipv4_interface(fmt::format("{}/{}", half.address, half.prefix_length)).network_text());
  }
  return fmt::format("{}", fmt::join(networks, ","));
}

// What mpirun lacks of Open MPI's parameters. What the launcher itself names is left to it.
class McaParameters {
 public:
  McaParameters(const Rig& rig, const Words& words, const MpirunSetting& setting)
      : rig_(rig), words_(words), setting_(setting), management_(common_management(rig)) {
    // A name must be a netdev of every node, else Open MPI refuses it; a network need not be.
    talk_ = management_.empty() ? setting.networks : management_;
  }

  // TCP by the networks named here, whatever else Open MPI was built with: UCX and openib take an mlx5 device
  // as soon as they see one, libfabric's and UCX's parts would move long messages, and hcoll and UCC whole
  // collectives. Ranks that wait leave the CPU to what carries the packets.
  void add_transport() {
    add("pml", "ob1");
    add("btl", "^openib,ofi,uct,usnic");
    add("coll", "^hcoll,ucc");
    add("mpi_yield_when_idle", "1");
  }

  void add_talk() {
    // The launcher of Open MPI 5 takes no loopback interface: it ends with code 213.
    if (talk_ != "lo") add_networks("oob_tcp", talk_);
  }
  void add_load_by_talk() { add_networks("btl_tcp", talk_); }

  // Open MPI sends short messages and the first word of long ones by the interface of least latency, and
  // shares the rest out by bandwidth: with the management network first in the one and last in the other, the
  // ranks' own talk stays alive when a rail is dead or full. Its `put` would ignore the shares, and a reduction
  // in pieces (its own choice for few ranks) would be short messages all.
  void add_load_by_rails() {
    const std::set<std::string> netdevs = management_netdevs(rig_);
    const std::string first = netdevs.empty() ? "" : talk_;
    if (!add_networks("btl_tcp", (first.empty() ? "" : first + ",") + rail_networks(rig_))) return;
    if (first.empty()) return;
    add("btl_tcp_flags", "send,inplace,need-ack,need-csum");
    add("btl_tcp_eager_limit", "32768");
    add("btl_tcp_rndv_eager_limit", "256");
    add("btl_tcp_bandwidth", "10000");
    add("btl_tcp_latency", "100");
    for (const std::string& netdev : netdevs) {
      add("btl_tcp_bandwidth_" + netdev, "1");
      add("btl_tcp_latency_" + netdev, "1");
    }
    add("coll_libnbc_ireduce_algorithm", "2");  // binomial: whole messages
  }

  [[nodiscard]] Words take() && { return std::move(added_); }

 private:
  void add(const std::string& parameter, const std::string& value) {
    if (!mentions(words_, parameter)) added_.insert(added_.end(), {"--mca", parameter, value});
  }

  // Whether it is as said here: Open MPI takes either an include or an exclude.
  bool add_networks(const std::string& kind, const std::string& networks) {
    const std::string including = kind + "_if_include", excluding = kind + "_if_exclude";
    if (networks.empty() || mentions(words_, including) || mentions(words_, excluding) ||
        setting_.set_elsewhere.contains(excluding))
      return false;
    add(including, networks);
    return true;
  }

  const Rig& rig_;
  const Words& words_;
  const MpirunSetting& setting_;
  std::string management_, talk_;
  Words added_;
};

// PRTE_MCA_ is for what only starts processes, since Open MPI 5.
std::set<std::string> mca_parameters_of_environment() {
  std::set<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    for (const std::string_view prefix : {"OMPI_MCA_", "PRTE_MCA_"})
      if (text.starts_with(prefix)) names.emplace(text.substr(prefix.size(), text.find('=') - prefix.size()));
  }
  return names;
}

Words parse_launcher(std::string_view launcher) {
  try {
    Words words = split_words(launcher);
    if (words.empty()) throw Refused("--launcher: empty; give e.g. \"mpirun\" or \"srun -N 2 -n 2\"");
    return words;
  } catch (const std::invalid_argument& error) {
    throw Refused(fmt::format("--launcher: {} in: {}", error.what(), launcher));
  }
}

}  // namespace

Words mpirun_additions(const Rig& rig, const Words& words, const MpirunSetting& setting, MpiTraffic traffic) {
  if (names_any(words, {"H", "host", "hostfile", "machinefile", "default-hostfile", "n", "np", "c", "N",
                        "npernode"})) {
    return {};
  }
  Words added{"-np", std::to_string(rig.nodes.size()), "--host", hosts_of(rig)};
  // Without seq, a rig that is run from its second node has its ranks in another order than its nodes.
  if (!names_any(words, {"map-by", "rankfile", "rf"})) added.insert(added.end(), {"--map-by", "seq"});
  if (!names_any(words, {"bind-to"})) added.insert(added.end(), {"--bind-to", "none"});
  if (has_repeated_host(rig)) added.push_back("--oversubscribe");
  if (setting.root && !names_any(words, {"allow-run-as-root"})) added.push_back("--allow-run-as-root");
  McaParameters parameters(rig, words, setting);
  parameters.add_transport();
  parameters.add_talk();
  traffic == MpiTraffic::kRails ? parameters.add_load_by_rails() : parameters.add_load_by_talk();
  const Words mca = std::move(parameters).take();
  added.insert(added.end(), mca.begin(), mca.end());
  return added;
}

LaunchCommand::LaunchCommand(const Rig& rig, std::string_view launcher) : prefix_(parse_launcher(launcher)) {
  const std::string program = std::filesystem::path(prefix_.front()).filename();
  is_mpirun_ = program == "mpirun" || program == "mpiexec" || program == "orterun";
  if (!process::find_program(prefix_.front())) {
    throw Refused(fmt::format("cannot start the suites: there is no program '{}'{}", prefix_.front(),
                              is_mpirun_ ? " (install Open MPI: apt-get install openmpi-bin)" : ""));
  }
  if (!is_mpirun_) return;
  const MpirunSetting setting{.root = geteuid() == 0,
                              .set_elsewhere = mca_parameters_of_environment(),
                              .networks = common_management(rig).empty() ? networks_of_nodes(rig) : ""};
  by_management_ = mpirun_additions(rig, prefix_, setting, MpiTraffic::kManagement);
  by_rails_ = mpirun_additions(rig, prefix_, setting, MpiTraffic::kRails);
}

Words LaunchCommand::with(const Words& program, MpiTraffic traffic) const {
  Words command = prefix_;
  const Words& added = traffic == MpiTraffic::kRails ? by_rails_ : by_management_;
  command.insert(command.end(), added.begin(), added.end());
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

}  // namespace rigproof::supervisor
