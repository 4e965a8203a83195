#pragma once

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>

namespace rigproof {

// For tests that need netdevs of their own.

inline constexpr int kNotPermitted = 77, kNoSuchNetdev = 76;

// User, network and mount namespaces, in which the process is root and /run is empty (for `ip netns`).
inline bool enter_private_network() {
  const std::string uid = std::to_string(::getuid()), gid = std::to_string(::getgid());
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS) < 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << "0 " + uid + " 1";
  std::ofstream("/proc/self/gid_map") << "0 " + gid + " 1";
  return ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("none", "/run", "tmpfs", 0, nullptr) == 0;
}

// `tc` and `ethtool` are where an ordinary user's PATH often does not go.
inline void widen_path() {
  const char* path = std::getenv("PATH");
  ::setenv("PATH", ((path == nullptr ? "/usr/bin:/bin" : path) + std::string(":/usr/sbin:/sbin")).c_str(), 1);
}

// The child's part: never returns.
[[noreturn]] inline void live_in_private_network(const std::string& setup,
                                                 const std::function<void()>& body) {
  if (!enter_private_network()) ::_exit(kNotPermitted);
  widen_path();
  const int status = std::system(("set -e; " + setup).c_str());
  if (WIFEXITED(status) && (WEXITSTATUS(status) == kNotPermitted || WEXITSTATUS(status) == kNoSuchNetdev))
    ::_exit(WEXITSTATUS(status));
  if (status == 0) {
    body();
  } else {
    ADD_FAILURE() << "the network could not be set up: " << setup;
  }
  std::fflush(nullptr);
  ::_exit(testing::Test::HasFailure() ? 1 : 0);
}

// Runs body in a child process with a network of its own, made by the shell commands of `setup`. Its failures
// fail the running test; where such namespaces are not permitted (`setup`'s exit code 77 says so, too), or `setup` exits with
// 76 because the kernel has no VLANs or bonds, the test is skipped.
inline void in_private_network(const std::string& setup, const std::function<void()>& body) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) live_in_private_network(setup, body);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "the child died by signal " << WTERMSIG(status);
  if (WEXITSTATUS(status) == kNotPermitted)
    GTEST_SKIP() << "this kernel permits no private network namespaces, or not what the test sets up";
  if (WEXITSTATUS(status) == kNoSuchNetdev) GTEST_SKIP() << "this kernel has no VLANs or no bonds";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace rigproof
