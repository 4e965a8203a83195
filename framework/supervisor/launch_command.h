#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "framework/rig/rig.h"

namespace rigproof::supervisor {

// The networks that a suite's MPI uses. Small messages between ranks always use the management network. Large
// messages use all rails if the suite measures MPI itself.
enum class MpiTraffic { kManagement, kRails };

// Inputs of mpirun_additions() besides the rig.
struct MpirunSetting {
  bool root = false;
  std::set<std::string> set_elsewhere = {};  // MCA parameters that the environment sets
  // Networks of the nodes' addresses; set if nodes share no management netdev, or this host is no node.
  std::string networks = {};
  // Lets ranks on other nodes find libraries in folders of this user; empty: not needed.
  std::string ld_library_path = {};
  std::string slurm_export = {};  // SLURM_EXPORT_ENV: variables that srun passes on; empty: all
};

// Starts a suite on nodes of the rig.
//
// Open MPI's mpirun (mpiexec, orterun) without hosts and rank count gets both from the rig: one rank per
// node, rank N on the job's node N, bound to no core. MPI uses TCP, and for its own traffic the management
// network: the netdev that all nodes name, else (and from a host outside the rig) the networks of the nodes'
// addresses. Any other launcher is a complete prefix: "srun -N 2 -n 2".
//
// Without a launcher, a suite is a step of the current Slurm allocation, on the nodes that Slurm names as the
// rig does. Outside of an allocation it is mpirun.
//
// The launch's key is an environment variable of the launcher (channel::Key): no command line shows its
// value. mpirun passes it on by -x NAME, srun by itself. Other launchers must pass on all of it.
//
// If the launcher chooses the order of ranks, the suite gets --hosts, by which its ranks find their nodes.
// Ranks of a Slurm step meet at the supervisor before MPI's first message (--meet): Slurm's PMIx confuses the
// first nodes of the allocation with those of the step. MPI_Init's barrier then waits for nobody, and a rank
// that receives a message inside it may hang (Slurm 22.05: one step in ten on busy nodes).
class LaunchCommand {
 public:
  // Throws Refused: open quotes, a missing program or node. The rig must outlive the object.
  LaunchCommand(const Rig& rig, std::string_view launcher);

  // The command that starts the program on these nodes, in rank order. A complete prefix ignores `nodes`.
  [[nodiscard]] std::vector<std::string> with(const std::vector<std::string>& program, MpiTraffic traffic,
                                              const std::vector<std::size_t>& nodes) const;
  // True if the program starts on the requested nodes; false if always on the same.
  [[nodiscard]] bool chooses_nodes() const { return is_ordered_ || is_slurm_step(); }
  [[nodiscard]] std::string name() const;
  // Number of words at the start of with()'s result that come from the user.
  [[nodiscard]] std::size_t own_words() const { return prefix_.size(); }
  [[nodiscard]] bool is_mpirun() const { return is_mpirun_; }
  [[nodiscard]] bool is_slurm_step() const { return !slurm_names_.empty(); }
  // True if launches that run at once need a TMPDIR each. Open MPI 4's launchers share a folder per user: the
  // last one removes it even while another starts there, which then fails (its issue 8510). False in an
  // allocation of a resource manager: mpirun would pass TMPDIR on to nodes that lack the folder.
  [[nodiscard]] bool wants_own_temporary_folder() const;
  // Index of the rig's node that the launcher calls `host`; nullopt if there is none.
  [[nodiscard]] std::optional<std::size_t> node_called(std::string_view host) const;

 private:
  void take_slurm();
  [[nodiscard]] std::vector<std::string> added(MpiTraffic traffic,
                                               const std::vector<std::size_t>& nodes) const;

  const Rig& rig_;
  std::vector<std::string> prefix_;
  MpirunSetting setting_;
  std::vector<std::vector<std::string>> hosts_;  // names and addresses, by node
  std::vector<std::string> slurm_names_;         // by node; empty: not a step of an allocation
  bool is_mpirun_ = false;
  bool is_ordered_ = false;  // the ranks' nodes are given
};

// The arguments that `mpirun` lacks, the same on every rig. Pure. Parameters in its words stay; parameters in
// the environment, made for other jobs, are overridden. An exclude in the environment forbids an include.
[[nodiscard]] std::vector<std::string> mpirun_additions(const Rig& rig, const std::vector<std::string>& words,
                                                        const MpirunSetting& setting = {},
                                                        MpiTraffic traffic = MpiTraffic::kManagement);

// The command that starts one rank on each of these nodes of a Slurm allocation, beside steps that already
// run. Pure. `env` sets Open MPI's parameters, which srun does not know.
[[nodiscard]] std::vector<std::string> slurm_step(const Rig& rig, const std::vector<std::string>& slurm_names,
                                                  const MpirunSetting& setting = {},
                                                  MpiTraffic traffic = MpiTraffic::kManagement);

}  // namespace rigproof::supervisor
