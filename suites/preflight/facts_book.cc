#include "suites/preflight/facts_book.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "fixtures/facts/file_tree.h"
#include "fixtures/facts/read_facts.h"
#include "framework/runner/context.h"
#include "suites/preflight/inventory.h"

namespace rigproof {
namespace {

constexpr std::chrono::seconds kLogin{5};
constexpr int kOfNoRank = -1;  // told by rank 0 of all nodes

// How a launcher gets from this node to the others: mpirun hands its own settings on to every rank.
std::vector<std::string> launch_agent() {
  for (const char* name : {"OMPI_MCA_plm_rsh_agent", "OMPI_MCA_orte_rsh_agent", "PRTE_MCA_plm_ssh_agent"})
    if (const char* words = std::getenv(name); words != nullptr && *words != 0) return words_of(words);
  return {"ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=4"};
}

std::string place(NodeFacts::Path path) { return fmt::format("{}", fmt::join(path, "/")); }

std::string why_not(const NodeFacts& facts, NodeFacts::Path path) {
  const auto reason = facts.why_unread(path);
  return fmt::format("{}: {}: {}", facts.node(), place(path), reason.value_or("there was nothing to read"));
}

}  // namespace

FactsBook read_book(const Rig& rig, RankGroup& ranks) {
  const auto node = static_cast<std::size_t>(ranks.rank());
  NodeFacts mine = read_facts({.node = rig.node(node).name});
  add_routes(mine, routes_of(rig, node));
  add_logins(mine, logins_of(rig, node), launch_agent(), kLogin);
  const auto all = ranks.share(mine.dump());
  FactsBook book;
  if (node != 0) return book;
  for (std::size_t i = 0; i < all.size(); ++i) book.push_back(NodeFacts::parse(all[i], rig.node(i).name));
  return book;
}

void keep_book(const FactsBook& book, const Rig& rig) {
  SuiteContext& suite = suite_context();
  for (std::size_t node = 0; node < book.size(); ++node) {
    const std::string& name = rig.node(node).name;
    suite.journal.keep(std::filesystem::path("facts") / (name + ".json"), book[node].dump());
    suite.write(NodeSeen{suite.suite, name, kOfNoRank, inventory_of(book[node], rig, node)});
  }
}

FactsBook load_book(const Rig& rig, const std::filesystem::path& folder) {
  FactsBook book;
  for (const Node& node : rig.nodes) book.push_back(load_facts(folder, node.name));
  return book;
}

std::optional<FactsBook>& book_of_this_process() {
  static std::optional<FactsBook> book;
  return book;
}

Found<std::string> find_text(const NodeFacts& facts, NodeFacts::Path path) {
  return {facts.text(path), why_not(facts, path)};
}

Found<std::string> find_texts(const NodeFacts& facts, NodeFacts::Path path) {
  if (!facts.has(path)) return {{}, why_not(facts, path)};
  const auto texts = facts.texts(path);
  return {texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", ")), {}};
}

Found<double> find_number(const NodeFacts& facts, NodeFacts::Path path) {
  return {facts.number(path), why_not(facts, path)};
}

Found<Quantity> as(Dimension dimension, const Found<double>& number) {
  if (!number.value) return {{}, number.why};
  return {Quantity{dimension, *number.value}, {}};
}

Found<Quantity> as_faults(std::size_t found, const std::string& unread) {
  if (found == 0 && !unread.empty()) return {{}, unread};
  return {count(static_cast<double>(found)), {}};
}

std::optional<bool> has_netdev(const NodeFacts& facts, const std::string& netdev) {
  if (facts.has({"netdevs", netdev, "mac"})) return true;
  if (facts.why_unread({"netdevs", netdev})) return std::nullopt;
  return false;
}

}  // namespace rigproof
