#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "framework/rig/rig.h"

namespace rigproof::supervisor {

// Which networks a suite's MPI uses. The ranks' own talk is small and always goes by the management network;
// of a suite that measures MPI itself, large messages go by the rails, all of them.
enum class MpiTraffic { kManagement, kRails };

// How a suite is started on the rig's nodes.
//
// Open MPI's mpirun (mpiexec, orterun) that names neither hosts nor a number of ranks gets both from the rig:
// one rank a node, rank N on the rig's node N, bound to no core (a generator has a thread a stream). MPI goes by
// TCP, whatever else Open MPI finds, and its own traffic by the management network: the netdev that all nodes
// name, else the networks of the nodes' addresses. Any other launcher is a complete prefix: "srun -N 2 -n 2".
class LaunchCommand {
 public:
  // Throws Refused: empty, open quotes, a program that is not there.
  LaunchCommand(const Rig& rig, std::string_view launcher);

  [[nodiscard]] std::vector<std::string> with(const std::vector<std::string>& program,
                                              MpiTraffic traffic = MpiTraffic::kManagement) const;
  [[nodiscard]] std::string name() const { return prefix_.front(); }
  [[nodiscard]] bool is_mpirun() const { return is_mpirun_; }

 private:
  std::vector<std::string> prefix_;
  std::vector<std::string> by_management_, by_rails_;  // what follows the prefix
  bool is_mpirun_;
};

// What mpirun_additions() needs to know besides the rig.
struct MpirunSetting {
  bool root = false;
  std::set<std::string> set_elsewhere = {};  // the MCA parameters that the environment sets
  std::string networks = {};  // of the nodes' addresses, where they name no management netdev in common
};

// The arguments that `mpirun` lacks, the same on every rig: a pure function. What its words name already is left
// alone; the environment, made for other jobs, is overruled. But an exclude there forbids an include here.
[[nodiscard]] std::vector<std::string> mpirun_additions(const Rig& rig, const std::vector<std::string>& words,
                                                        const MpirunSetting& setting = {},
                                                        MpiTraffic traffic = MpiTraffic::kManagement);

}  // namespace rigproof::supervisor
