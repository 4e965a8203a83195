#include "framework/cli/on_host.h"

#include <filesystem>
#include <sstream>
#include <system_error>

namespace rigproof::cli {

OnHost::OnHost(const std::string& name, const std::string& address, const std::vector<std::string>& arguments,
               const supervisor::NodeCommands& nodes) {
  std::vector<std::string> program{process::own_program()};
  program.insert(program.end(), arguments.begin(), arguments.end());
  try {
    child_ = std::make_unique<process::Process>(
        process::ProcessSpec{.arguments = nodes.on(name, address, program), .owns_descendants = true});
  } catch (const std::system_error& error) {
    error_ = error.what();
  }
}

std::string OnHost::output_by(Deadline deadline, const std::function<bool(const std::string&)>& is_enough) {
  if (!child_) return {};
  while (!status_ && !(is_enough && is_enough(child_->output())) &&
         std::chrono::steady_clock::now() < deadline)
    status_ = child_->wait_for(std::chrono::milliseconds(20));
  return child_->output();
}

std::vector<std::string> marked_lines(const std::string& output, const std::string& mark) {
  std::vector<std::string> found;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();  // from ssh
    if (line.starts_with(mark)) found.push_back(line.substr(mark.size()));
  }
  return found;
}

}  // namespace rigproof::cli
