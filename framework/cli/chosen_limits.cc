#include "framework/cli/chosen_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/cli/run_arguments.h"
#include "framework/supervisor/run_inputs.h"

namespace rigproof::cli {
namespace {

bool is_spark(const facts::DiscoveredNode& node) { return node.facts.has_gb10(); }
bool has_gpu(const facts::DiscoveredNode& node) { return node.facts.has_gpu(); }

ChosenLimits relative_limits(const std::vector<facts::DiscoveredNode>& nodes, const std::string& why) {
  if (std::ranges::none_of(nodes, has_gpu)) return {{"roce-hosts"}, why};
  return {{"roce-hosts", "roce-hosts-gpu"}, why + "; there are GPUs"};
}

bool has_ports_of(const Rig& rig, DataRate rate) {
  return std::ranges::all_of(rig.nodes, [&](const Node& node) {
    return std::ranges::all_of(node.ports, [&](const Port& port) { return port.rate == rate; });
  });
}

// False if the file's absolute rates are for rigs of other rates.
bool fits(const std::string& name, const Rig& rig) {
  try {
    (void)supervisor::refuse_rates_of_other_rigs(
        supervisor::load_thresholds({shipped_thresholds(name + ".toml")}), Profile::kStandard, rig);
    return true;
  } catch (const toml::InputError&) {
    return false;
  }
}

bool is_ring(const Rig& rig) {
  return rig.links.size() == rig.nodes.size() && std::ranges::all_of(rig.links, [](const Link& link) {
           return link.ports.size() == 2 && !link.through;
         });
}

}  // namespace

ChosenLimits limits_for(const Rig& rig, const std::vector<facts::DiscoveredNode>& nodes) {
  if (rig.kind == "model" && fits("model-rig", rig)) return {{"model-rig"}, "no half is a hardware netdev"};
  if (rig.kind == "roce-vm" && fits("roce-vm-rig", rig))
    return {{"roce-vm-rig"}, "virtual machines with RDMA devices of software"};
  if (!std::ranges::all_of(nodes, is_spark))
    return relative_limits(nodes, "the bounds are relative to the rates and MTUs of the rig file");
  if (nodes.size() > 2)
    return relative_limits(nodes, fmt::format("{} DGX Sparks{}: the figures of dgx-spark-pair are for two",
                                              nodes.size(), is_ring(rig) ? " in a ring" : ""));
  if (has_ports_of(rig, DataRate::gigabits_per_second(100)))
    return {{"dgx-spark-pair", "dgx-spark-100g"},
            "two DGX Sparks, whose rig file states ports of 100 Gbit/s"};
  if (fits("dgx-spark-pair", rig)) return {{"dgx-spark-pair"}, "two DGX Sparks"};
  return relative_limits(nodes, "two DGX Sparks with ports of other rates than 100 or 200 Gbit/s");
}

}  // namespace rigproof::cli
