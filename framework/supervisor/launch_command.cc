#include "framework/supervisor/launch_command.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "framework/channel/secret.h"
#include "framework/process/library_folders.h"
#include "framework/process/process.h"
#include "framework/rig/routed_rails.h"
#include "framework/supervisor/exit_code.h"
#include "framework/supervisor/reachability.h"
#include "framework/supervisor/slurm.h"
#include "framework/units/shell_words.h"

namespace rigproof::supervisor {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kLibraryPath = "LD_LIBRARY_PATH";

// Open MPI accepts every long option with one dash or two.
bool names_any(const Words& words, std::initializer_list<std::string_view> options) {
  return std::any_of(words.begin() + 1, words.end(), [&](std::string_view word) {
    if (!word.starts_with('-')) return false;
    word.remove_prefix(word.starts_with("--") ? 2 : 1);
    word = word.substr(0, word.find('='));
    return std::find(options.begin(), options.end(), word) != options.end();
  });
}

// True if the words name hosts or a number of ranks.
bool names_ranks(const Words& words) {
  return names_any(
      words, {"H", "host", "hostfile", "machinefile", "default-hostfile", "n", "np", "c", "N", "npernode"});
}

bool starts_mpirun(const std::string& word) {
  const std::string program = std::filesystem::path(word).filename();
  return program == "mpirun" || program == "mpiexec" || program == "orterun";
}

bool mentions(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// True for a name with a domain: "spark-1a2b.local".
bool has_domain(const Node& node) {
  in_addr none{};
  return node.address.find('.') != std::string::npos && inet_pton(AF_INET, node.address.c_str(), &none) != 1;
}

// mpirun knows its own host only by the kernel's host name, whatever its domain.
std::string host_of(const Node& node) {
  char own[HOST_NAME_MAX + 1] = "";
  const bool here = has_domain(node) && gethostname(own, sizeof own - 1) == 0 && is_this_host(node.address);
  return here ? own : node.address;
}

std::string hosts_of(const Rig& rig) {
  Words hosts;
  for (const Node& node : rig.nodes) hosts.push_back(host_of(node) + ":1");
  return fmt::format("{}", fmt::join(hosts, ","));
}

bool has_repeated_host(const Rig& rig) {
  std::set<std::string> hosts;
  for (const Node& node : rig.nodes) hosts.insert(node.address);
  return hosts.size() < rig.nodes.size();
}

// The management netdev that all nodes name; else "".
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

// "198.18.1.0/24,198.18.2.0/24": a rail's subnets are known on all nodes, but netdev names may differ. Open MPI (4.1 and
// 5) reads subnets of IPv4 alone: rails of IPv6 go by all their netdevs, of which each rank keeps its node's
// (framework/ranks/netdev_order.h).
std::string rail_networks(const Rig& rig) {
  Words networks;
  for (const Rail& rail : rig.rails) {
    if (rail.halves.size() < 2) continue;  // restricted rig: the rail leads out of the job
    if (rig.is_for_storage(rail)) continue;
    std::set<std::string> of_rail;  // several of a routed rail, or of netdevs with several names
    for (const HalfRef ref : rail.halves) {
      const Half& half = rig.half(ref);
      const bool ipv4 = family_of(half.address) == IpFamily::kIpv4;
      of_rail.insert(ipv4 ? interface_of(half).network_text() : half.netdev);
    }
    networks.insert(networks.end(), of_rail.begin(), of_rail.end());
  }
  return fmt::format("{}", fmt::join(networks, ","));
}

// Adds the Open MPI parameters that mpirun needs, unless the launcher's words set them.
class McaParameters {
 public:
  McaParameters(const Rig& rig, const Words& words, const MpirunSetting& setting)
      : rig_(rig), words_(words), setting_(setting) {
    // Open MPI refuses a netdev name that a node lacks, but accepts such a network.
    talk_ = setting.networks.empty() ? common_management(rig) : setting.networks;
  }

  // TCP on the networks given here, whatever Open MPI was built with. UCX and openib take any mlx5 device;
  // libfabric and UCX would move long messages, hcoll and UCC whole collectives. Waiting ranks yield the CPU
  // to packet processing.
  void add_transport() {
    add("pml", "ob1");
    add("btl", "^openib,ofi,uct,usnic");
    add("coll", "^hcoll,ucc");
    add("mpi_yield_when_idle", "1");
  }

  // Open MPI 4 removes a host name's domain, and then looks for the full name among the shortened ones.
  void add_names() {
    if (std::ranges::any_of(rig_.nodes, has_domain)) add("orte_keep_fqdn_hostnames", "1");
  }

  void add_talk() {
    // Open MPI 5 reads oob_tcp_ as an older name of its own parameters: both would contradict each other.
    if (mentions(words_, "prte_if_include") || mentions(words_, "prte_if_exclude") ||
        setting_.set_elsewhere.contains("prte_if_exclude"))
      return;
    // Open MPI's launcher rejects the loopback interface: it ends with code 213.
    if (talk_ != "lo") add_networks("oob_tcp", talk_);
  }
  void add_load_by_talk() { add_networks("btl_tcp", talk_); }

  // Open MPI sends short messages and the start of long ones by the interface of lowest latency, the rest in
  // proportion to bandwidth. With the management network first in latency and last in bandwidth, the ranks
  // can communicate even if a rail is dead or full. Its `put` would ignore these shares, and a segmented
  // reduction (its choice for few ranks) would send short messages only.
  void add_load_by_rails() {
    const std::set<std::string> netdevs = management_netdevs(rig_);
    // Open MPI would use an unnamed management netdev as a rail.
    const bool all_named =
        std::ranges::all_of(rig_.nodes, [](const Node& node) { return node.management.has_value(); });
    const std::string first = all_named ? talk_ : "";
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

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> take() && { return std::move(added_); }

 private:
  void add(const std::string& parameter, const std::string& value) {
    if (!mentions(words_, parameter)) added_.emplace_back(parameter, value);
  }

  // Adds the include; false if words or environment decide. Open MPI takes an include or an exclude.
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
  std::string talk_;
  std::vector<std::pair<std::string, std::string>> added_;
};

// Since Open MPI 5, PRTE_MCA_ is for programs that only start processes.
std::set<std::string> mca_parameters_of_environment() {
  std::set<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    for (const std::string_view prefix : {"OMPI_MCA_", "PRTE_MCA_"})
      if (text.starts_with(prefix)) names.emplace(text.substr(prefix.size(), text.find('=') - prefix.size()));
  }
  return names;
}

// Names and addresses by which a rank recognizes the node's host.
Words names_of(const Node& node) {
  Words names{node.name};
  if (node.address != node.name) names.push_back(node.address);
  for (const Port& port : node.ports)
    for (const Half& half : port.halves) names.push_back(half.address);
  return names;
}

Words parse_launcher(std::string_view launcher) {
  try {
    Words words = split_words(launcher);
    if (words.empty()) throw Refused("--launcher: empty; give e.g. \"mpirun\" or \"srun -N 2 -n 2\"");
    return words;
  } catch (const std::invalid_argument& error) {
    throw Refused(fmt::format("--launcher: {}", error.what()));  // its words may be secret
  }
}

}  // namespace

Words mpirun_additions(const Rig& rig, const Words& words, const MpirunSetting& setting, MpiTraffic traffic) {
  Words added;
  if (!setting.ld_library_path.empty() && !mentions(words, kLibraryPath)) added = {"-x", kLibraryPath};
  if (names_ranks(words)) return added;
  added.insert(added.end(), {"-np", std::to_string(rig.nodes.size()), "--host", hosts_of(rig)});
  // Without seq, the ranks are in another order than the nodes if the rig is run from its second node.
  if (!names_any(words, {"map-by", "rankfile", "rf"})) added.insert(added.end(), {"--map-by", "seq"});
  if (!names_any(words, {"bind-to"})) added.insert(added.end(), {"--bind-to", "none"});
  if (has_repeated_host(rig)) added.push_back("--oversubscribe");
  if (setting.root && !names_any(words, {"allow-run-as-root"})) added.push_back("--allow-run-as-root");
  McaParameters parameters(rig, words, setting);
  parameters.add_transport();
  parameters.add_names();
  parameters.add_talk();
  traffic == MpiTraffic::kRails ? parameters.add_load_by_rails() : parameters.add_load_by_talk();
  for (const auto& [parameter, value] : std::move(parameters).take())
    added.insert(added.end(), {"--mca", parameter, value});
  return added;
}

Words slurm_step(const Rig& rig, const Words& slurm_names, const MpirunSetting& setting, MpiTraffic traffic) {
  const std::string count = std::to_string(slurm_names.size());
  // A load generator has one thread per stream: it needs all cores of the allocation, unbound.
  Words step{"srun",
             "--mpi=pmix",
             "--overlap",
             "--nodes=" + count,
             "--ntasks=" + count,
             "--ntasks-per-node=1",
             fmt::format("--nodelist={}", fmt::join(slurm_names, ",")),
             "--cpu-bind=none",
             "--kill-on-bad-exit=1",
             "--input=none",
             "--quiet"};
  if (const std::string& names = setting.slurm_export; !names.empty() && !names.starts_with("ALL"))
    step.push_back(fmt::format("--export={}{}", names == "NONE" || names == "NIL" ? "" : names + ",",
                               channel::Key::kVariable));
  step.push_back("env");
  const Words words{"srun"};
  McaParameters parameters(rig, words, setting);
  parameters.add_transport();
  traffic == MpiTraffic::kRails ? parameters.add_load_by_rails() : parameters.add_load_by_talk();
  for (const auto& [parameter, value] : std::move(parameters).take())
    step.push_back(fmt::format("OMPI_MCA_{}={}", parameter, value));
  return step;
}

LaunchCommand::LaunchCommand(const Rig& rig, std::string_view launcher) : rig_(rig) {
  for (const Node& node : rig.nodes) hosts_.push_back(names_of(node));
  const bool as_step = launcher.empty() && in_slurm_allocation();
  prefix_ = as_step ? Words{"srun"} : parse_launcher(launcher.empty() ? "mpirun" : launcher);
  is_mpirun_ = starts_mpirun(prefix_.front());
  if (!process::find_program(prefix_.front())) {
    throw Refused(fmt::format("cannot start the suites: there is no program '{}'{}",
                              join_masked({prefix_.front()}),
                              is_mpirun_ ? " (install Open MPI: apt-get install openmpi-bin)"
                              : as_step  ? " (SLURM_JOB_ID is set: put Slurm's programs into PATH, or give "
                                           "--launcher mpirun)"
                                         : ""));
  }
  if (!is_mpirun_ && !as_step) return;
  is_ordered_ = is_mpirun_ && !names_ranks(prefix_);
  // mpirun also talks to its daemons: on a host outside the rig the netdev may have another name.
  const bool is_node =
      std::ranges::any_of(rig.nodes, [](const Node& node) { return is_this_host(node.address); });
  const char* const exported = std::getenv("SLURM_EXPORT_ENV");
  setting_ = {.root = geteuid() == 0,
              .set_elsewhere = mca_parameters_of_environment(),
              .networks = is_node && !common_management(rig).empty() ? "" : networks_of_nodes(rig),
              .ld_library_path = process::own_library_path(),
              .slurm_export = exported == nullptr ? "" : exported};
  if (as_step) take_slurm();
}

void LaunchCommand::take_slurm() {
  slurm_names_ = slurm_names(rig_, allocated_nodes());
  prefix_.clear();
  for (std::size_t node = 0; node < hosts_.size(); ++node)
    if (std::ranges::find(hosts_[node], slurm_names_[node]) == hosts_[node].end())
      hosts_[node].push_back(slurm_names_[node]);
}

Words LaunchCommand::added(MpiTraffic traffic, const std::vector<std::size_t>& nodes) const {
  if (is_mpirun_) return mpirun_additions(restricted(rig_, nodes), prefix_, setting_, traffic);
  if (!is_slurm_step()) return {};
  Words names;
  for (const std::size_t node : nodes) names.push_back(slurm_names_.at(node));
  return slurm_step(restricted(rig_, nodes), names, setting_, traffic);
}

Words LaunchCommand::with(const Words& program, MpiTraffic traffic,
                          const std::vector<std::size_t>& nodes) const {
  Words command = prefix_;
  const Words added = this->added(traffic, nodes);
  command.insert(command.end(), added.begin(), added.end());
  // Also for "env A=B mpirun -np 2": ranks on other hosts get no other variable.
  if (std::ranges::any_of(prefix_, starts_mpirun))
    command.insert(command.end(), {"-x", channel::Key::kVariable});
  command.insert(command.end(), program.begin(), program.end());
  if (is_ordered_) return command;
  Words hosts;
  for (const std::size_t node : nodes) hosts.push_back(fmt::format("{}", fmt::join(hosts_.at(node), "/")));
  command.push_back(fmt::format("--hosts={}", fmt::join(hosts, ",")));
  if (is_slurm_step()) command.push_back("--meet");
  return command;
}

std::string LaunchCommand::name() const { return prefix_.empty() ? "srun" : prefix_.front(); }

bool LaunchCommand::wants_own_temporary_folder() const {
  // Job variables of Slurm, PBS, LSF and Grid Engine.
  constexpr std::array kAllocations{"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PE_HOSTFILE"};
  return is_mpirun_ && std::ranges::none_of(kAllocations, [](const char* name) { return std::getenv(name); });
}

std::optional<std::size_t> LaunchCommand::node_called(std::string_view host) const {
  for (std::size_t node = 0; node < hosts_.size(); ++node)
    if (std::ranges::find(hosts_[node], host) != hosts_[node].end()) return node;
  return {};
}

}  // namespace rigproof::supervisor
