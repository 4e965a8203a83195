#include "tests/stand_ins/faults.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <map>
#include <mutex>

namespace stand_in {
namespace {

// Leaves the proof that the fault was in place.
void tell_fired() {
  if (const char* path = std::getenv("STAND_IN_FIRED"))
    close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
}

}  // namespace

bool fault(std::string_view kind) {
  const char* variable = std::getenv("STAND_IN_FAULT");
  if (variable == nullptr) return false;
  const std::string_view told(variable);
  const auto at = told.find('@');
  if (told.substr(0, at) != kind) return false;
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const bool ours = at == std::string_view::npos || told.substr(at + 1) == host.data();
  if (ours) tell_fired();
  return ours;
}

int gpus() {
  if (fault("no_gpu")) return 0;
  const char* const stated = std::getenv("STAND_IN_GPUS");
  return (stated == nullptr ? 1 : std::atoi(stated)) - (fault("fewer") ? 1 : 0);
}

std::string variable(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, std::string> read;
  const std::lock_guard lock(mutex);
  const char* now = std::getenv(name.c_str());
  return read.try_emplace(name, now == nullptr ? "" : now).first->second;
}

std::string address_of(const std::string& netdev) {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return {};
  std::string address;
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    if (netdev != one->ifa_name || one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    std::array<char, INET_ADDRSTRLEN> text{};
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr, text.data(),
              text.size());
    address = text.data();
  }
  freeifaddrs(all);
  return address;
}

}  // namespace stand_in
