#include "framework/supervisor/slurm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>

#include "framework/process/process.h"
#include "framework/supervisor/exit_code.h"

namespace rigproof::supervisor {
namespace {

constexpr std::chrono::seconds kPatience{30};  // for a busy controller

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The output of a Slurm command; nullopt if it fails.
std::optional<std::string> ask(const std::vector<std::string>& command) {
  try {
    process::Process child({.arguments = command});
    if (child.wait_for(kPatience) == 0) return child.output();
  } catch (const std::system_error&) {  // not installed
  }
  return {};
}

std::string without_domain(const std::string& name) {
  const bool address = !name.empty() && name.find_first_not_of("0123456789.") == name.npos;
  return address ? name : name.substr(0, name.find('.'));
}

}  // namespace

std::vector<SlurmNode> parse_slurm_nodes(std::string_view text) {
  std::vector<SlurmNode> nodes;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    SlurmNode node;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const auto equals = word.find('=');
      if (equals == word.npos) continue;
      const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
      // Only the first one counts: free text of users can follow ("Reason=cable of NodeName=x").
      for (const auto& [name, text] :
           {std::pair("NodeName", &node.name), std::pair("NodeHostName", &node.host),
            std::pair("NodeAddr", &node.address)})
        if (key == name && text->empty()) *text = value;
    }
    if (!node.name.empty()) nodes.push_back(std::move(node));
  }
  return nodes;
}

const SlurmNode* find_slurm_node(const std::vector<SlurmNode>& allocated,
                                 const std::vector<std::string>& called) {
  const auto find = [&](auto form) -> const SlurmNode* {
    std::set<std::string> names;
    for (const std::string& name : called) names.insert(form(name));
    for (const SlurmNode& one : allocated)
      for (const std::string& name : {one.name, one.host, one.address})
        if (!name.empty() && names.contains(form(name))) return &one;
    return nullptr;
  };
  // Full names first: node-1.rack-a is not node-1.rack-b.
  const SlurmNode* whole = find([](const std::string& name) { return name; });
  return whole != nullptr ? whole : find(without_domain);
}

std::vector<std::string> slurm_names(const Rig& rig, const std::vector<SlurmNode>& allocated) {
  std::vector<std::string> names, missing, known;
  for (const Node& node : rig.nodes) {
    const SlurmNode* found = find_slurm_node(allocated, {node.name, node.address});
    if (found == nullptr)
      missing.push_back(node.name == node.address ? node.name
                                                  : fmt::format("{} ({})", node.name, node.address));
    else
      names.push_back(found->name);
  }
  for (const SlurmNode& one : allocated) known.push_back(one.name);
  if (!missing.empty())
    throw Refused(
        fmt::format("this Slurm allocation has {}, but not {} of rig {}: allocate them, or give in the rig "
                    "file the name or address that Slurm uses",
                    fmt::join(known, ", "), fmt::join(missing, ", "), rig.name));
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size())
    throw Refused(
        fmt::format("two nodes of rig {} are one node of Slurm: {}", rig.name, fmt::join(names, ", ")));
  return names;
}

bool in_slurm_allocation() { return !variable("SLURM_JOB_ID").empty(); }

std::vector<SlurmNode> allocated_nodes() {
  std::string list = variable("SLURM_JOB_NODELIST");
  if (list.empty()) list = variable("SLURM_NODELIST");
  const auto refuse = [](const std::string& why) {
    throw Refused(fmt::format("SLURM_JOB_ID is set (job {}), but {}, or give --launcher mpirun",
                              variable("SLURM_JOB_ID"), why));
  };
  if (list.empty()) refuse("not SLURM_JOB_NODELIST: start inside the allocation (salloc, sbatch)");
  if (!process::find_program("scontrol")) refuse("there is no program 'scontrol': install Slurm's client");
  const auto text = ask({"scontrol", "--oneliner", "show", "node", list});
  std::vector<SlurmNode> nodes = parse_slurm_nodes(text.value_or(""));
  if (nodes.empty())
    refuse(fmt::format("`scontrol show node {}` lists no node: start in an allocation that runs", list));
  return nodes;
}

std::string end_of_allocation() {
  const std::string job = variable("SLURM_JOB_ID");
  const auto answer = ask({"squeue", "--noheader", "--jobs", job, "--format", "%T"});
  std::string state = answer.value_or("");
  state = state.substr(0, state.find('\n'));
  if (state == "RUNNING") return {};
  // squeue does not know a job that ended long ago. If the controller does not answer, nothing is known.
  if (!answer && !ask({"scontrol", "ping"})) return {};
  return fmt::format("Slurm job {} is {}", job, state.empty() ? "over" : state);
}

}  // namespace rigproof::supervisor
