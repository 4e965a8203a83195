#include "suites/preflight/facts_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "fixtures/facts/file_tree.h"
#include "fixtures/facts/read_facts.h"
#include "framework/process/ownership.h"
#include "framework/process/process.h"
#include "framework/runner/context.h"
#include "framework/units/shell_words.h"

namespace rigproof::preflight {
namespace {

[[maybe_unused]] const bool kSuite = declare_suite({.title = "Facts of every node, before any load",
                                                    .order = 1,
                                                    .one_job = true,
                                                    .judges_facts = true,
                                                    .first_look = "*",
                                                    .case_seconds = {0.004, 0.005, 0.006}});

// The phase allows 30 s. A busy emulated node needs seconds to load libibverbs.
constexpr std::chrono::seconds kFact{8}, kAllFacts{20}, kLogin{5};
constexpr int kOfNoRank = -1;  // rank 0 reports for all nodes

// The remote shell that a launcher uses from this node. mpirun passes its own settings on to every rank.
std::vector<std::string> launch_agent() {
  for (const char* name : {"OMPI_MCA_plm_rsh_agent", "OMPI_MCA_orte_rsh_agent"})
    if (const char* words = std::getenv(name); words != nullptr && *words != 0)
      return facts::split_words(words);
  return {"ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=4"};
}

class Inventory {
 public:
  explicit Inventory(const facts::NodeFacts& facts) : facts_(facts) {}

  void add_node() {
    const facts::System system = facts_.system();
    add("", "product", system.product);
    add("", "serial", system.product_serial);
    add("", "board", system.board);
    add("", "board_serial", system.board_serial);
    add("", "bios", system.bios);
    add("", "os", system.os);
    add("", "kernel_command_line", system.kernel_command_line);
    add("", "container", system.container);
    add("", "cpu", system.cpu_model);
    add("", "gpu_driver", system.gpu_driver);
    if (system.cpus.value) list_[""]["cpus"] = fmt::format("{:g}", *system.cpus.value);
    if (system.memory.value)
      list_[""]["memory"] = fmt::format(
          "{:.1f} GiB", static_cast<double>(system.memory.value->bytes()) / static_cast<double>(1 << 30));
    for (const char* version : {"cuda", "nccl", "mpi", "mlx5_core"})
      add("", version, facts_.version(version));
    if (facts::TextByName staged = facts_.staged(); !staged.empty()) list_["staged"] = std::move(staged);
  }

  void add_half(const Half& half) {
    const facts::Netdev netdev = facts_.netdev(half.netdev);
    const std::string& part = half.netdev;
    add(part, "driver", netdev.driver);
    add(part, "firmware", netdev.firmware);
    add(part, "permanent_mac", netdev.permanent_mac);
    if (netdev.fec.value && !netdev.fec.value->empty())
      list_[part]["fec"] = fmt::format("{}", fmt::join(*netdev.fec.value, ", "));
    add(part, "autoneg", netdev.autoneg);
    add(part, "pause", netdev.pause);
    add(part, "pfc", netdev.pfc);
    add(part, "ecn", netdev.ecn);
    if (netdev.pci.value) add_card(half.netdev + "-card", facts_.pci_function(*netdev.pci.value));
    add_module(half.netdev + "-module", netdev.module);
    if (half.rdma) add_rdma_device(*half.rdma, facts_.rdma_device(*half.rdma));
  }

  void add_gpu(const std::string& index) {
    const facts::Gpu gpu = facts_.gpu(index);
    const std::string part = "gpu" + index;
    add(part, "name", gpu.name);
    add(part, "uuid", gpu.uuid);
    add(part, "serial", gpu.serial);
    add(part, "vbios", gpu.vbios);
    add(part, "compute_capability", gpu.compute_capability);
  }

  [[nodiscard]] record::NodeFacts take() && { return std::move(list_); }

 private:
  void add(const std::string& part, const std::string& property, const facts::Text& fact) {
    if (fact.value && !fact.value->empty()) list_[part][property] = *fact.value;
  }
  void add_card(const std::string& part, const facts::PciFunction& function) {
    add(part, "part", function.part_number);
    add(part, "serial", function.serial);
  }
  void add_module(const std::string& part, const facts::Module& module) {
    add(part, "part", module.part_number);
    add(part, "kind", module.kind);
    add(part, "vendor", module.vendor);
    add(part, "serial", module.serial);
    add(part, "revision", module.revision);
    if (module.temperature_c.value)
      list_[part]["temperature"] = fmt::format("{:g} C", *module.temperature_c.value);
  }
  void add_rdma_device(const std::string& part, const facts::RdmaDevice& device) {
    add(part, "firmware", device.firmware);
    add(part, "node_guid", device.node_guid);
    add(part, "board_id", device.board_id);
    add(part, "part", device.part);
  }

  const facts::NodeFacts& facts_;
  record::NodeFacts list_;
};

}  // namespace

RigFacts read_rig_facts(const Rig& rig, RankGroup& ranks) {
  const auto node = static_cast<std::size_t>(ranks.rank());
  facts::Document mine =
      facts::read_facts({.node = rig.node(node).name, .fact_timeout = kFact, .timeout = kAllFacts});
  facts::add_root_facts(mine);
  facts::add_routes(mine, facts::routes_of(rig, node));
  facts::add_counters(mine, facts::counters_of(rig, node));
  facts::add_logins(mine, facts::logins_of(rig, node), launch_agent(), kLogin);
  const auto documents = ranks.share(mine.dump());
  RigFacts all;
  if (node != 0) return all;
  for (std::size_t i = 0; i < documents.size(); ++i)
    all.emplace_back(facts::Document::answer_of(rig.node(i).name, documents[i]));
  return all;
}

RigFacts load_rig_facts(const Rig& rig, const std::filesystem::path& folder) {
  RigFacts all;
  for (const Node& node : rig.nodes) all.emplace_back(facts::read_facts_file(folder, node.name));
  return all;
}

void keep_rig_facts(const RigFacts& all, const Rig& rig) {
  SuiteContext& suite = suite_context();
  for (std::size_t node = 0; node < all.size(); ++node) {
    const std::string& name = rig.node(node).name;
    suite.journal.keep(std::filesystem::path("facts") / (name + ".json"), all[node].document().dump());
    suite.write(record::NodeSeen{suite.suite, name, kOfNoRank, inventory_of(all[node], rig, node)});
  }
}

void note_about_node(const std::string& node, std::string text) {
  const std::string begin = node + ": ";
  suite_context().now.report.notes.push_back(text.starts_with(begin) ? std::move(text) : begin + text);
}

std::string root_facts_command() {
  namespace fs = std::filesystem;  // the same path on every node
  constexpr const char* kUsual = "/opt/rigproof/bin/rigproof";
  const fs::path suites = process::own_program().parent_path();
  const fs::path beside = suites / "rigproof", installed = (suites / "../../bin/rigproof").lexically_normal();
  // Root must not start a program that another user can change.
  const auto is_for_root = [](const fs::path& program) {
    return fs::exists(program) && process::who_else_changes(program, process::Changers::kRoot).empty();
  };
  for (const fs::path& program : {beside, installed, fs::path(kUsual), fs::path("/usr/bin/rigproof")})
    if (is_for_root(program)) return fmt::format("sudo {} facts --for-users", shell_quoted(program.string()));
  return fmt::format(
      "sudo {} facts --for-users # first install it there as root: {} is not safe for root to run: {}",
      kUsual, shell_quoted((fs::exists(beside) ? beside : installed).string()),
      process::who_else_changes(fs::exists(beside) ? beside : installed, process::Changers::kRoot));
}

std::optional<RigFacts>& rig_facts_of_this_process() {
  static std::optional<RigFacts> all;
  return all;
}

record::NodeFacts inventory_of(const facts::NodeFacts& facts, const Rig& rig, std::size_t node) {
  Inventory inventory(facts);
  inventory.add_node();
  for (const HalfRef half : rig.halves_of(node)) inventory.add_half(rig.half(half));
  for (const std::string& gpu : facts.gpus()) inventory.add_gpu(gpu);
  return std::move(inventory).take();
}

}  // namespace rigproof::preflight
