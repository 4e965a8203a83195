#include "framework/supervisor/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

namespace rigproof {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr milliseconds kKilledWithin{5000};

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

class Fd {
 public:
  explicit Fd(int fd) : fd_(fd) {}
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }
  [[nodiscard]] int get() const { return fd_; }
  void reset() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

// In the child: only async-signal-safe calls until exec. Reports a failure through `report`.
[[noreturn]] void become(char* const* arguments, int null, int log, int report, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);
  dup2(null, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execvp(arguments[0], arguments);
  const int error = errno;
  [[maybe_unused]] const auto written = write(report, &error, sizeof error);
  _exit(127);
}

// A child that has ended keeps its pid until it is reaped: signals to it can't hit a stranger.
void signal_group(pid_t pid, int signal) {
  kill(-pid, signal);
  kill(pid, signal);
}

std::optional<pid_t> parent_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  if (!std::getline(file, line)) return {};
  const auto after_name = line.rfind(')');
  if (after_name == std::string::npos) return {};
  char state = 0;
  pid_t parent = 0;
  if (std::sscanf(line.c_str() + after_name + 1, " %c %d", &state, &parent) != 2) return {};
  return parent;
}

}  // namespace

ChildProcess::ChildProcess(pid_t pid, int pidfd, std::set<pid_t> bystanders)
    : pid_(pid), pidfd_(pidfd), bystanders_(std::move(bystanders)) {}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::exchange(other.pidfd_, -1)),
      bystanders_(std::move(other.bystanders_)),
      status_(other.status_) {}

ChildProcess::~ChildProcess() {
  if (pid_ < 0) return;
  if (!status_) stop(milliseconds(0));
  kill_rest();
  if (pidfd_ >= 0) close(pidfd_);
}

ChildProcess ChildProcess::start(const std::vector<std::string>& arguments,
                                 const std::filesystem::path& log) {
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) fail("prctl(PR_SET_CHILD_SUBREAPER)");
  Fd null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  Fd output(open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644));
  if (output.get() < 0) fail(log.string());
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
  Fd reading(ends[0]), writing(ends[1]);

  std::vector<std::string> words = arguments;
  const auto argv = pointers(words);
  std::set<pid_t> bystanders = descendants_of(getpid());
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0) fail("fork");
  if (pid == 0) become(argv.data(), null.get(), output.get(), writing.get(), parent);
  setpgid(pid, pid);
  writing.reset();
  int error = 0;
  if (read(reading.get(), &error, sizeof error) == static_cast<ssize_t>(sizeof error)) {
    waitpid(pid, nullptr, 0);
    throw std::system_error(error, std::generic_category(), arguments.at(0));
  }
  const int pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  return {pid, pidfd, std::move(bystanders)};
}

std::optional<int> ChildProcess::wait_for(milliseconds patience) {
  if (status_) return status_;
  pollfd ended{.fd = pidfd_, .events = POLLIN, .revents = 0};
  poll(&ended, pidfd_ < 0 ? 0 : 1, static_cast<int>(patience.count()));
  int status = 0;
  const pid_t reaped = waitpid(pid_, &status, WNOHANG);
  if (reaped == pid_)
    status_ = status;
  else if (reaped < 0 && errno == ECHILD)
    status_ = SIGKILL;  // reaped as another child's leftover
  return status_;
}

std::optional<int> ChildProcess::stop(milliseconds grace) {
  const auto wait_until = [this](SteadyClock::time_point deadline) {
    while (!wait_for(milliseconds(10)) && SteadyClock::now() < deadline) continue;
  };
  if (!status_ && grace.count() > 0) {
    signal_group(pid_, SIGTERM);
    signal_group(pid_, SIGCONT);  // a stopped launcher can't clean up
    wait_until(SteadyClock::now() + grace);
  }
  if (!status_) {
    signal_group(pid_, SIGKILL);
    wait_until(SteadyClock::now() + kKilledWithin);
  }
  kill_rest();
  return status_;
}

void ChildProcess::kill_rest() {
  const auto deadline = SteadyClock::now() + kKilledWithin;
  while (SteadyClock::now() < deadline) {
    bool any = false;
    for (const pid_t pid : descendants_of(getpid())) {
      if (bystanders_.contains(pid) || pid == pid_) continue;
      any = true;
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, WNOHANG);  // ours once its own parent is gone
    }
    if (!any) return;
    poll(nullptr, 0, 5);
  }
}

std::string describe_status(int wait_status) {
  if (WIFEXITED(wait_status)) return fmt::format("exited with code {}", WEXITSTATUS(wait_status));
  const int signal = WTERMSIG(wait_status);
  return fmt::format("was killed by signal {} ({})", signal, strsignal(signal));
}

std::optional<std::filesystem::path> find_program(const std::string& program) {
  const auto runnable = [](const std::filesystem::path& path) {
    return access(path.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(path);
  };
  if (program.find('/') != std::string::npos) {
    return runnable(program) ? std::optional(std::filesystem::path(program)) : std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  while (true) {
    const auto colon = rest.find(':');
    const std::filesystem::path folder = rest.substr(0, colon);
    if (runnable(folder / program)) return folder / program;
    if (colon == std::string_view::npos) return {};
    rest.remove_prefix(colon + 1);
  }
}

std::set<pid_t> descendants_of(pid_t ancestor) {
  std::multimap<pid_t, pid_t> children;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const pid_t pid = std::stoi(name);
    if (const auto parent = parent_of(pid)) children.emplace(*parent, pid);
  }
  std::set<pid_t> found;
  std::vector<pid_t> open{ancestor};
  while (!open.empty()) {
    const auto [first, last] = children.equal_range(open.back());
    open.pop_back();
    for (auto child = first; child != last; ++child) {
      if (found.insert(child->second).second) open.push_back(child->second);
    }
  }
  return found;
}

}  // namespace rigproof
