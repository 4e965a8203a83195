#include "suites/preflight/inventory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rigproof {
namespace {

class Inventory {
 public:
  explicit Inventory(const NodeFacts& facts) : facts_(facts) {}

  void add(const std::string& name, NodeFacts::Path path) {
    if (const auto text = facts_.text(path); text && !text->empty()) list_[name] = *text;
    if (const auto texts = facts_.texts(path); !texts.empty())
      list_[name] = fmt::format("{}", fmt::join(texts, ", "));
  }
  void add_number(const std::string& name, NodeFacts::Path path, const char* unit = "") {
    if (const auto number = facts_.number(path)) list_[name] = fmt::format("{:g}{}", *number, unit);
  }
  void add_size(const std::string& name, NodeFacts::Path path) {
    if (const auto bytes = facts_.number(path))
      list_[name] = fmt::format("{:.1f} GiB", *bytes / static_cast<double>(1 << 30));
  }

  void add_node() {
    add("product", {"dmi", "product_name"});
    add("serial", {"dmi", "product_serial"});
    add("board", {"dmi", "board_name"});
    add("board_serial", {"dmi", "board_serial"});
    add("bios", {"dmi", "bios_version"});
    add("os", {"os", "name"});
    add("kernel_command_line", {"kernel", "command_line"});
    add("container", {"container"});
    add("cpu", {"cpu", "model"});
    add_number("cpus", {"cpu", "count"});
    add_size("memory", {"memory", "total_bytes"});
    for (const char* version : {"cuda", "nccl", "mpi"}) add(version, {"versions", version});
    add("gpu_driver", {"nvidia", "driver"});
  }

  void add_half(const Half& half) {
    const std::string &netdev = half.netdev, part = netdev + " ", module = netdev + "-module ";
    for (const char* fact : {"driver", "firmware", "permanent_mac", "fec", "autoneg", "pause", "pfc", "ecn"})
      add(part + fact, {"netdevs", netdev, fact});
    add(module + "part", {"netdevs", netdev, "module", "part_number"});
    for (const char* fact : {"kind", "vendor", "serial", "revision"})
      add(module + fact, {"netdevs", netdev, "module", fact});
    add_number(module + "temperature", {"netdevs", netdev, "module", "temperature_c"}, " C");
    if (half.rdma)
      for (const char* fact : {"firmware", "node_guid", "board_id", "part"})
        add(*half.rdma + " " + fact, {"rdma", *half.rdma, fact});
  }

  void add_gpu(const std::string& gpu) {
    const std::string part = "gpu" + gpu + " ";
    for (const char* fact : {"name", "uuid", "serial", "vbios", "compute_capability"})
      add(part + fact, {"gpus", gpu, fact});
  }

  [[nodiscard]] std::map<std::string, std::string> take() && { return std::move(list_); }

 private:
  const NodeFacts& facts_;
  std::map<std::string, std::string> list_;
};

}  // namespace

std::map<std::string, std::string> inventory_of(const NodeFacts& facts, const Rig& rig, std::size_t node) {
  Inventory inventory(facts);
  inventory.add_node();
  for (const HalfRef half : rig.halves_of(node)) inventory.add_half(rig.half(half));
  for (const std::string& gpu : facts.keys({"gpus"})) inventory.add_gpu(gpu);
  return std::move(inventory).take();
}

}  // namespace rigproof
