#pragma once

#include <string>
#include <vector>

#include "framework/rig/rig.h"

namespace rigproof::cli {

// One line of `doctor`: a check that went well, or a problem of a host with what to type.
struct Diagnosis {
  enum class Kind { kOk, kWarning, kProblem };
  Kind kind;
  std::string check;   // "login"
  std::string text;    // "spark-b: Permission denied (publickey)"
  std::string remedy;  // a command line; empty for kOk
};

struct DoctorRequest {
  struct Host {
    std::string name, address;  // for messages; for the launcher
  };
  // A way over a rail that must be open.
  struct RailWay {
    std::size_t from, to;  // hosts
    std::string from_address, to_address;
  };
  std::vector<Host> hosts;
  std::vector<RailWay> rails;
  std::string out = "out";  // folder for a run's record, on this host
};

// Requests for hosts without a rig file, and for a rig with its rails. `out`: empty: the usual folder.
[[nodiscard]] DoctorRequest request_for(const std::vector<std::string>& hosts, const std::string& out);
[[nodiscard]] DoctorRequest request_for(const Rig& rig, const std::string& out);

// Checks in seconds whether a run can begin. Starts programs on each host, loads nothing and changes nothing. Hosts that do
// not answer get one problem, and the other checks leave them out.
[[nodiscard]] std::vector<Diagnosis> examine(const DoctorRequest& request);

// Prints the lines. Returns the number of problems; warnings do not count.
int show_diagnoses(const std::vector<Diagnosis>& diagnoses);

}  // namespace rigproof::cli
