#include "framework/process/capture.h"

#include <system_error>

namespace rigproof::process {

std::string Captured::how_it_ended() const {
  return status ? describe_status(*status) : "did not end in time and was killed";
}

Captured capture(const ProcessSpec& command, std::chrono::milliseconds deadline) {
  try {
    Process process(command);
    const auto status = process.wait_until(std::chrono::steady_clock::now() + deadline);
    if (!status) process.stop(std::chrono::milliseconds(0));
    return {status, process.output()};
  } catch (const std::system_error& error) {
    return {127 << 8, error.what()};
  }
}

Captured capture(const std::vector<std::string>& command, std::chrono::milliseconds deadline) {
  return capture(ProcessSpec{.arguments = command, .owns_descendants = true}, deadline);
}

}  // namespace rigproof::process
