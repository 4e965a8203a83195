#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rigproof::cli {

// The findings of `rigproof host-check` on a host, for `doctor`: build, programs, space and time. Facts have the rest.
struct HostCheck {
  std::string version, commit;
  std::string build;                            // hash of all programs of Rigproof
  std::map<std::string, std::string> programs;  // mpirun, orted, prted: their paths, in this login's PATH
  std::string mpi;                              // "mpirun (Open MPI) 4.1.6"; empty: unknown
  std::vector<std::string> missing_libraries;   // "rigproof-suite-tcp: libmpi_cxx.so.40"
  std::map<std::string, double> free_bytes;     // by folder
  std::vector<std::string> rdma_users;          // "python3 (pid 4711)", with queue pairs of their own
  std::string firewall;                         // ufw, firewalld, nftables or empty: none is active
  double time = 0;                              // seconds since 1970
  std::uint16_t port = 0;                       // listens here for a while
};

// The check of this host. `folders`: whose free space to read. `port` is not set.
[[nodiscard]] HostCheck check_this_host(const std::vector<std::string>& folders);

[[nodiscard]] std::string to_line(const HostCheck& check);
// Finds the line in the output of a login; nullopt: there is none (yet).
[[nodiscard]] std::optional<HostCheck> host_check_in(const std::string& output);

}  // namespace rigproof::cli
