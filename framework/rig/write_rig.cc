#include "framework/rig/write_rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "framework/toml/encode.h"

namespace rigproof::inline rig {

void RigRemarks::beside(const At& at, const std::string& key, std::string text) {
  beside_[{at, key}] = std::move(text);
}
void RigRemarks::above(const At& at, const std::string& key, std::string text) {
  above_[{at, key}].push_back(std::move(text));
}
std::string RigRemarks::beside(const At& at, const std::string& key) const {
  const auto found = beside_.find({at, key});
  return found == beside_.end() ? "" : found->second;
}
std::vector<std::string> RigRemarks::above(const At& at, const std::string& key) const {
  const auto found = above_.find({at, key});
  return found == above_.end() ? std::vector<std::string>{} : found->second;
}

namespace {

using toml::encoded;

// A text that reads back as exactly this rate.
std::string rate_text(DataRate rate) {
  const std::string text = to_text(to_quantity(rate));
  return parse_quantity(text) == to_quantity(rate) ? text : fmt::format("{} bit/s", rate.bits_per_second());
}

// Writes the tables of a rig file, one after the other.
class RigWriter {
 public:
  RigWriter(const Rig& rig, const RigRemarks& remarks, Indent indent)
      : rig_(rig), remarks_(remarks), indent_(indent) {}

  [[nodiscard]] std::string text() && {
    for (const std::string& line : remarks_.head) text_ += toml::comment(line) + "\n";
    text_ += fmt::format("format = 1\nname = {}\nkind = {}\n", encoded(rig_.name), encoded(rig_.kind));
    if (rig_.stand_in) text_ += fmt::format("stand_in = {}\n", encoded(*rig_.stand_in));
    if (rig_.forwarding) text_ += "forwarding = true\n";
    text_ += '\n';
    for (std::size_t node = 0; node < rig_.nodes.size(); ++node) add_node(node);
    for (std::size_t link = 0; link < rig_.links.size(); ++link) add_link(link);
    for (std::size_t rail = 0; rail < rig_.rails.size(); ++rail) add_rail(rail);
    for (const Switch& one : rig_.switches) add_switch(one);
    return std::move(text_);
  }

 private:
  void begin(const RigRemarks::At& at, const char* table) {
    at_ = at;
    if (indent_ == Indent::kNested)
      margin_.assign(2 * static_cast<std::size_t>(std::ranges::count(std::string_view(table), '.')), ' ');
    add_line("", fmt::format("[[{}]]", table));
  }
  void end() {
    add_above("end");
    text_ += '\n';
  }
  void add(const char* key, const std::string& value) { add_line(key, fmt::format("{} = {}", key, value)); }
  void add(const char* key, const std::optional<std::string>& text) {
    text ? add(key, encoded(*text)) : add_above(key);
  }
  void add_line(const char* key, const std::string& line) {
    add_above(key);
    const std::string beside = remarks_.beside(at_, key);
    text_ += margin_ + line + (beside.empty() ? "" : "  " + toml::comment(beside)) + "\n";
  }
  void add_above(const char* key) {
    for (const std::string& line : remarks_.above(at_, key)) text_ += margin_ + toml::comment(line) + "\n";
  }

  void add_node(std::size_t index) {
    const Node& node = rig_.node(index);
    begin(RigRemarks::NodeAt{index}, "node");
    add("name", encoded(node.name));
    add("address", encoded(node.address));
    add("management", node.management);
    if (node.gpus) add("gpus", std::to_string(*node.gpus));
    end();
    for (std::size_t port = 0; port < node.ports.size(); ++port) add_port({index, port});
  }

  void add_port(PortRef ref) {
    const Port& port = rig_.port(ref);
    begin(ref, "node.port");
    add("name", encoded(port.name));
    add("rate", encoded(rate_text(port.rate)));
    if (port.use == PortUse::kStorage) add("use", encoded("storage"));
    port.counters ? add("counters", counters_text(*port.counters)) : add_above("counters");
    end();
    for (std::size_t half = 0; half < port.halves.size(); ++half) add_half({ref.node, ref.port, half});
  }

  static std::string counters_text(const CounterSource& counters) {
    const bool ethtool = counters.kind == CounterSource::Kind::kEthtool;
    std::string text = fmt::format("{{ source = {}, device = {}", encoded(ethtool ? "ethtool" : "netlink"),
                                   encoded(counters.device));
    if (counters.name_space) text += ", namespace = " + encoded(*counters.name_space);
    const CounterSource usual{.kind = counters.kind, .device = counters.device, .name_space = {}};
    for (const auto& [key, name] : {std::pair("tx_bytes", &CounterSource::tx_bytes),
                                    {"rx_bytes", &CounterSource::rx_bytes},
                                    {"tx_packets", &CounterSource::tx_packets},
                                    {"rx_packets", &CounterSource::rx_packets}})
      if (ethtool && counters.*name != usual.*name)
        text += fmt::format(", {} = {}", key, encoded(counters.*name));
    return text + " }";
  }

  void add_half(HalfRef ref) {
    const Half& half = rig_.half(ref);
    begin(ref, "node.port.half");
    add("netdev", encoded(half.netdev));
    add("rdma", half.rdma);
    add("address", encoded(fmt::format("{}/{}", half.address, half.prefix_length)));
    add("mac", half.mac);
    add("rate", encoded(rate_text(half.rate)));
    add("mtu", encoded(fmt::format("{} B", half.mtu.bytes())));
    end();
  }

  template <class Ends>
  [[nodiscard]] std::string labels(const Ends& ends) const {
    std::vector<std::string> labels;
    for (const auto& at : ends) labels.push_back(rig_.label(at));
    return encoded(labels);
  }

  void add_link(std::size_t index) {
    const Link& link = rig_.links[index];
    begin(RigRemarks::LinkAt{index}, "link");
    add("name", encoded(link.name));
    add("ports", labels(link.ports));
    add("through", link.through);
    end();
  }

  void add_rail(std::size_t index) {
    const Rail& rail = rig_.rails[index];
    begin(RigRemarks::RailAt{index}, "rail");
    add("name", encoded(rail.name));
    add("halves", labels(rail.halves));
    if (rail.routed) add_line("routed", "routed = true");
    if (rail.service) add_service(*rail.service);
    end();
  }

  void add_service(const ServiceClass& service) {
    add("traffic_class", std::to_string(service.traffic_class));
    if (service.service_level != 0) add("service_level", std::to_string(service.service_level));
  }

  void add_switch(const Switch& one) {
    text_ += fmt::format("[[switch]]\nname = {}\nkind = {}\naddress = {}\n", encoded(one.name),
                         encoded(one.kind), encoded(one.address));
    if (one.ca) text_ += fmt::format("ca = {}\n", encoded(*one.ca));
    if (one.credentials) text_ += fmt::format("credentials = {}\n", encoded(*one.credentials));
    text_ += "[switch.ports]\n";
    for (const Switch::Port& port : one.ports)
      text_ += fmt::format("{} = {}\n", encoded(rig_.label(port.at)), encoded(port.interface));
    text_ += '\n';
  }

  const Rig& rig_;
  const RigRemarks& remarks_;
  Indent indent_;
  RigRemarks::At at_;
  std::string margin_, text_;
};

}  // namespace

std::string rig_file_text(const Rig& rig, const RigRemarks& remarks, Indent indent) {
  return RigWriter(rig, remarks, indent).text();
}

}  // namespace rigproof::inline rig
