#include "framework/record/program.h"

#include <pwd.h>
#include <unistd.h>

#include <array>

#include "framework/record/sha256.h"
#include "rigproof_commit.h"

namespace rigproof {

Program this_program(std::string name) {
  return {std::move(name), RIGPROOF_VERSION, RIGPROOF_COMMIT, sha256_of_file("/proc/self/exe")};
}

std::string user_name() {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> buffer{};
  if (getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
    return found->pw_name;
  return std::to_string(geteuid());
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace rigproof
