#include "framework/runner/declare.h"

#include <algorithm>
#include <utility>

namespace rigproof::inline runner {
namespace {

std::vector<DeclaredTest>& registry() {
  static std::vector<DeclaredTest> tests;
  return tests;
}

std::vector<record::Lacking>& lacking_registry() {
  static std::vector<record::Lacking> lacking;
  return lacking;
}

}  // namespace

Reports::Reports(std::string id, std::string kind) : declared_{std::move(id), std::move(kind), {}} {}
Reports::Reports(std::string id, Dimension dimension)
    : Reports(std::move(id), std::string(base_unit(dimension))) {}
Reports Reports::text(std::string id) { return {std::move(id), std::string("text")}; }
Reports Reports::any(std::string id) { return {std::move(id), std::string("any")}; }

Reports Reports::where_there() const {
  Reports copy = *this;
  copy.owed_ = false;
  return copy;
}

Reports Reports::on_rigs_with(std::string what, bool (*has)(const Rig&)) const {
  Reports copy = *this;
  copy.declared_.needs = std::move(what);
  copy.has_ = has;
  return copy;
}

bool declare(std::string test, std::vector<Reports> reports) {
  registry().push_back({std::move(test), std::move(reports)});
  return true;
}

const std::vector<DeclaredTest>& declared_tests() { return registry(); }

bool declare_lacking(std::string id, std::string why) {
  if (!why.empty()) lacking_registry().push_back({std::move(id), std::move(why)});
  return true;
}

const std::vector<record::Lacking>& declared_lacking() { return lacking_registry(); }

bool has_second_port(const Rig& rig) {
  return std::ranges::any_of(rig.nodes, [](const Node& node) { return node.ports.size() > 1; });
}
bool has_management(const Rig& rig) {
  return std::ranges::any_of(rig.nodes, [](const Node& node) { return node.management.has_value(); });
}
bool has_switch(const Rig& rig) {
  return std::ranges::any_of(rig.links, [](const Link& link) { return link.through.has_value(); });
}
bool has_described_switch(const Rig& rig) { return !rig.switches.empty(); }
bool has_several_rails(const Rig& rig) { return rig.rails.size() > 1; }

}  // namespace rigproof::inline runner
