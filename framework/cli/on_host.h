#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/process/process.h"
#include "framework/supervisor/reachability.h"

namespace rigproof::cli {

// This program with other arguments on a host. It ends with the object, at the latest.
class OnHost {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  OnHost(const std::string& name, const std::string& address, const std::vector<std::string>& arguments,
         const supervisor::NodeCommands& nodes);

  // Waits until `is_enough` likes the output, the program ends, or the deadline. Returns all output.
  std::string output_by(Deadline deadline, const std::function<bool(const std::string&)>& is_enough = {});

  [[nodiscard]] std::optional<int> status() const { return status_; }  // wait status; nullopt: not ended
  [[nodiscard]] const std::string& error() const { return error_; }    // why it could not be started

 private:
  std::unique_ptr<process::Process> child_;
  std::optional<int> status_;
  std::string error_;
};

// The rest of the output's lines that begin with this mark.
[[nodiscard]] std::vector<std::string> marked_lines(const std::string& output, const std::string& mark);

}  // namespace rigproof::cli
