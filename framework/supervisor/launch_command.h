#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "framework/rig/rig.h"

namespace rigproof::supervisor {

// Which networks a suite's MPI uses. The ranks' own talk is small and always goes by the management network;
// of a suite that measures MPI itself, large messages go by the rails, all of them.
enum class MpiTraffic { kManagement, kRails };

// What mpirun_additions() needs to know besides the rig.
struct MpirunSetting {
  bool root = false;
  std::set<std::string> set_elsewhere = {};  // the MCA parameters that the environment sets
  // Of the nodes' addresses, where they name no management netdev in common or this host is none of them.
  std::string networks = {};
  // Ranks on other nodes need it to find libraries in folders of this user; empty: none.
  std::string ld_library_path = {};
  std::string slurm_export = {};  // SLURM_EXPORT_ENV: which variables srun hands on; empty: all
};

// How a suite is started on nodes of the rig.
//
// Open MPI's mpirun (mpiexec, orterun) that names neither hosts nor a number of ranks gets both from the rig:
// one rank a node, rank N on the job's node N, bound to no core (a generator has a thread a stream). MPI goes by
// TCP, whatever else Open MPI finds, and its own traffic by the management network: the netdev that all nodes
// name, else (and from a host that is none of them) the networks of the nodes' addresses. Any other launcher is a complete prefix: "srun -N 2 -n 2".
//
// No launcher at all: in a Slurm allocation a suite is a step of it, on the nodes that Slurm calls as the rig does;
// else mpirun.
//
// The launch's key is a variable of the launcher's environment (channel::Key), which mpirun hands on by -x NAME and srun by
// itself: its value stands in no command line. Any other launcher must hand on all of its environment.
//
// Launchers that are not told which rank goes where have an order of their own: the suite gets --hosts, by which its
// ranks find their nodes. Ranks of a step meet at the supervisor before MPI's first message (--meet): Slurm's PMIx
// takes the first nodes of the allocation for those of the step, so that the barrier of MPI_Init holds nobody back and
// a rank that is sent to while it is in there may wait for ever (seen with Slurm 22.05: one step of ten on busy nodes).
class LaunchCommand {
 public:
  // Throws Refused: open quotes, a program that is not there, nodes that the allocation lacks. The rig outlives it.
  LaunchCommand(const Rig& rig, std::string_view launcher);

  // Starts the program on these nodes, in their order as ranks. A complete prefix starts it where it does.
  [[nodiscard]] std::vector<std::string> with(const std::vector<std::string>& program, MpiTraffic traffic,
                                              const std::vector<std::size_t>& nodes) const;
  // Whether it starts a program on the nodes that are asked for, or always on the same.
  [[nodiscard]] bool chooses_nodes() const { return is_ordered_ || is_slurm_step(); }
  [[nodiscard]] std::string name() const;
  // With how many words of the user's what with() returns begins.
  [[nodiscard]] std::size_t own_words() const { return prefix_.size(); }
  [[nodiscard]] bool is_mpirun() const { return is_mpirun_; }
  [[nodiscard]] bool is_slurm_step() const { return !slurm_names_.empty(); }
  // Open MPI 4's launcher keeps its files in a folder of the user that the last of them removes, even while another is
  // about to start there, which then fails (its issue 8510): jobs that run at once get a TMPDIR each. Not in an
  // allocation of a resource manager, by whose programs mpirun would hand it on to nodes that lack it.
  [[nodiscard]] bool wants_own_temporary_folder() const;
  // The rig's node that the launcher calls so, by its index; nothing when it is none.
  [[nodiscard]] std::optional<std::size_t> node_called(std::string_view host) const;

 private:
  void take_slurm();
  [[nodiscard]] std::vector<std::string> added(MpiTraffic traffic,
                                               const std::vector<std::size_t>& nodes) const;

  const Rig& rig_;
  std::vector<std::string> prefix_;
  MpirunSetting setting_;
  std::vector<std::vector<std::string>> hosts_;  // by node: names and addresses
  std::vector<std::string> slurm_names_;         // by node; empty: no steps of an allocation
  bool is_mpirun_ = false;
  bool is_ordered_ = false;  // it is told which rank goes where
};

// The arguments that `mpirun` lacks, the same on every rig: a pure function. What its words name already is left
// alone; the environment, made for other jobs, is overruled. But an exclude there forbids an include here.
[[nodiscard]] std::vector<std::string> mpirun_additions(const Rig& rig, const std::vector<std::string>& words,
                                                        const MpirunSetting& setting = {},
                                                        MpiTraffic traffic = MpiTraffic::kManagement);

// What starts one rank on each of these nodes of a Slurm allocation, beside the steps that run there already: pure. Open
// MPI's parameters, which srun does not know, are set by `env` behind it.
[[nodiscard]] std::vector<std::string> slurm_step(const Rig& rig, const std::vector<std::string>& slurm_names,
                                                  const MpirunSetting& setting = {},
                                                  MpiTraffic traffic = MpiTraffic::kManagement);

}  // namespace rigproof::supervisor
