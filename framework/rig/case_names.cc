#include "framework/rig/case_names.h"

#include "framework/rig/text_checks.h"

namespace rigproof {

std::string case_name(const Rig&) { return "all_nodes"; }

std::string case_name(const Rig& rig, std::size_t node) { return identifier(rig.node(node).name); }

std::string case_name(const Rig& rig, PortRef port) {
  return case_name(rig, port.node) + "_" + identifier(rig.port(port).name);
}

std::string case_name(const Rig& rig, HalfRef half) {
  return case_name(rig, half.node) + "_" + identifier(rig.half(half).netdev);
}

std::string case_name(const Rig& rig, std::string_view over, std::size_t from, std::size_t to, Ways ways) {
  const std::string prefix = over.empty() ? "" : identifier(over) + "_";
  const std::string_view middle = ways == Ways::kBoth ? "_" : "_to_";
  return prefix + case_name(rig, from) + std::string(middle) + case_name(rig, to);
}

std::string subject_name(const std::string& case_name) {
  const auto dot = case_name.find('.');
  const auto slash = case_name.rfind('/');
  if (slash == std::string::npos || slash < dot) return {};
  return case_name.substr(slash + 1);
}

}  // namespace rigproof
