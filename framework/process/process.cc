#include "framework/process/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>
#include <system_error>
#include <utility>

#include "framework/process/descriptor_limit.h"

namespace rigproof::process {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr milliseconds kKilledWithin{5000};
constexpr int kPipeSize = 1 << 20;  // large: the pipe is not read while we wait for another process

[[noreturn]] void fail(const std::string& what, int error = errno) {
  throw std::system_error(error, std::generic_category(), what);
}

// Everything that the child needs, prepared before vfork(): the child must not allocate or throw.
struct Start {
  std::string program;
  std::vector<char*> arguments, environment;
  const char* folder = nullptr;
  int input = -1, output = -1, descriptor = -1;  // -1: input and output are ours; no descriptor
  int signal_when_we_end = 0;
  bool is_subreaper = false;
  const rlimit* descriptors = nullptr;  // nullptr: ours
  pid_t parent = 0;
  volatile int error = 0;
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> all;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string text(*one);
    if (!variables.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : variables) all.push_back(name + "=" + value);
  return all;
}

std::optional<TemporaryFolder> make_temporary_folder() {
  try {
    return std::make_optional<TemporaryFolder>();
  } catch (const std::system_error&) {
    return {};
  }
}

// Our handlers must not run in the child, which shares our memory.
void reset_signals() {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0) continue;
    const bool kept = action.sa_handler == SIG_IGN && signal != SIGINT && signal != SIGTERM &&
                      signal != SIGHUP && signal != SIGPIPE && signal != SIGCHLD;
    action = {};
    action.sa_handler = SIG_DFL;
    if (!kept) sigaction(signal, &action, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// A negative descriptor leaves `number` unchanged.
bool place(int descriptor, int number) {
  if (descriptor < 0) return true;
  // dup2() of a descriptor to itself would not clear close-on-exec.
  return descriptor == number ? fcntl(number, F_SETFD, 0) == 0 : dup2(descriptor, number) == number;
}

void close_from(int first) {
  constexpr int kMost = 65536;  // for kernels without close_range(2)
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  for (int descriptor = first; descriptor < kMost; ++descriptor) close(descriptor);
}

// Runs in the child, which shares our memory: system calls only.
void become(Start& start) {
  constexpr int kPassed = 3;
  reset_signals();
  setsid();
  prctl(PR_SET_PDEATHSIG, start.signal_when_we_end);
  if (start.descriptors != nullptr) setrlimit(RLIMIT_NOFILE, start.descriptors);
  if (start.is_subreaper) prctl(PR_SET_CHILD_SUBREAPER, 1);
  bool ready = getppid() == start.parent;  // else this process has ended meanwhile
  ready = ready && place(start.input, STDIN_FILENO) && place(start.output, STDOUT_FILENO) &&
          place(start.output, STDERR_FILENO) && place(start.descriptor, kPassed);
  close_from(start.descriptor >= 0 ? kPassed + 1 : kPassed);
  if (start.folder != nullptr) ready = ready && chdir(start.folder) == 0;
  if (ready) execve(start.program.c_str(), start.arguments.data(), start.environment.data());
  start.error = errno;
}

// Uses vfork(): fork() copies page tables, which is slow in a process with much locked or registered memory.
pid_t spawn(Start& start) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = vfork();
  if (pid == 0) {
    become(start);
    _exit(127);
  }
  if (pid < 0) start.error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return pid;
}

// Programs of all objects. Locked while one starts and while the descendants of another are killed, so that none is
// taken for a descendant of the other.
struct Programs {
  std::mutex mutex;
  std::set<pid_t> pids;
};
Programs& programs() {
  static Programs all;
  return all;
}

FileDescriptor open_or_fail(const std::filesystem::path& path, int flags) {
  FileDescriptor fd(open(path.c_str(), flags | O_CLOEXEC, 0644));
  if (!fd) fail(path.string());
  return fd;
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

std::filesystem::path Process::temporary_folder() const {
  return temporary_ ? temporary_->path() : std::filesystem::temp_directory_path();
}

Process::Process(const ProcessSpec& spec) : most_output_(spec.most_output) {
  const auto program = find_program(spec.arguments.at(0));
  if (!program) fail(spec.arguments[0], ENOENT);
  if (spec.owns_descendants) {
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) fail("prctl(PR_SET_CHILD_SUBREAPER)");
    others_ = descendants_of(getpid());
  }

  std::map<std::string, std::string> variables = spec.variables;
  if (spec.has_own_temporary_folder && (temporary_ = make_temporary_folder()))
    variables["TMPDIR"] = temporary_->path();
  std::vector<std::string> arguments = spec.arguments, environment = environment_with(variables);
  Start start{.program = std::filesystem::absolute(*program),
              .arguments = pointers(arguments),
              .environment = pointers(environment)};
  if (!spec.folder.empty()) start.folder = spec.folder.c_str();
  start.descriptor = spec.descriptor;
  start.signal_when_we_end = spec.signal_when_we_end;
  start.is_subreaper = spec.owns_descendants;
  start.descriptors = descriptor_limit_before();
  start.parent = getpid();

  FileDescriptor input, output;
  if (spec.input == ProcessSpec::Input::kEmpty) input = open_or_fail("/dev/null", O_RDONLY);
  if (spec.input == ProcessSpec::Input::kFile) input = open_or_fail(spec.input_file.c_str(), O_RDONLY);
  if (spec.output == ProcessSpec::Output::kLog)
    output = open_or_fail(spec.log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
  if (spec.output == ProcessSpec::Output::kKept) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
    pipe_ = FileDescriptor(ends[0]);
    output = FileDescriptor(ends[1]);
    fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
    fcntl(pipe_.get(), F_SETPIPE_SZ, kPipeSize);
  }
  start.input = input.get();
  start.output = output.get();

  const std::lock_guard lock(programs().mutex);
  const pid_t pid = spawn(start);
  if (start.error != 0) {
    if (pid > 0) waitpid(pid, nullptr, 0);
    fail(spec.arguments[0], start.error);
  }
  pid_ = pid;
  programs().pids.insert(pid_);
  pidfd_ = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

Process::Process(Process&& other) noexcept
    : temporary_(std::move(other.temporary_)),
      pid_(std::exchange(other.pid_, -1)),
      status_(other.status_),
      pidfd_(std::move(other.pidfd_)),
      pipe_(std::move(other.pipe_)),
      output_(std::move(other.output_)),
      most_output_(other.most_output_),
      others_(std::move(other.others_)) {}

Process::~Process() {
  if (pid_ < 0) return;
  if (!status_) stop(milliseconds(0));
  kill_descendants();
  const std::lock_guard lock(programs().mutex);
  programs().pids.erase(pid_);
}

// A child that has ended keeps its pid until it is reaped, so no other process can get the signal.
void Process::signal_group(int signal) const {
  kill(-pid_, signal);
  kill(pid_, signal);
}

// Empties the pipe, because a full pipe blocks the program. Stops after twice the pipe's size, because the program
// may write all the time.
void Process::read_output() {
  std::array<char, 1 << 16> part;
  for (int parts = 0; pipe_ && parts < 2 * kPipeSize / static_cast<int>(part.size()); ++parts) {
    const ssize_t size = read(pipe_.get(), part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return;
    if (size == 0) pipe_ = FileDescriptor();
    output_.append(part.data(), std::min(static_cast<std::size_t>(size), most_output_ - output_.size()));
  }
}

std::optional<int> Process::wait_for(milliseconds timeout) {
  const auto end = SteadyClock::now() + timeout;
  while (!status_) {
    const auto left = std::max(std::chrono::ceil<milliseconds>(end - SteadyClock::now()), milliseconds(0));
    std::array<pollfd, 2> ready{{{pidfd_.get(), POLLIN, 0}, {pipe_.get(), POLLIN, 0}}};
    // Without pidfd_open(2), poll() does not see the program's end.
    const auto step = pidfd_ ? left : std::min(left, milliseconds(10));
    const int found = poll(ready.data(), ready.size(), static_cast<int>(step.count()));
    int status = 0;
    const pid_t reaped = waitpid(pid_, &status, WNOHANG);
    const bool reaped_elsewhere = reaped < 0 && errno == ECHILD;  // as a descendant of another Process
    read_output();
    if (reaped == pid_) status_ = status;
    if (reaped_elsewhere) status_ = SIGKILL;
    if (found < 0 || left == milliseconds(0)) break;
  }
  return status_;
}

std::optional<int> Process::wait_until(SteadyClock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - SteadyClock::now());
    if (wait_for(std::clamp(left, milliseconds(0), milliseconds(1000))) || left.count() <= 0) return status_;
  }
}

void Process::terminate() const {
  signal_group(SIGTERM);
  signal_group(SIGCONT);  // a stopped launcher can't clean up
}

std::optional<int> Process::stop(milliseconds grace) {
  if (!status_ && grace.count() > 0) {
    terminate();
    wait_until(SteadyClock::now() + grace);
  }
  if (!status_) {
    signal_group(SIGKILL);
    wait_until(SteadyClock::now() + kKilledWithin);
  }
  kill_descendants();
  return status_;
}

void Process::kill_descendants() {
  if (!others_) return;
  const auto deadline = SteadyClock::now() + kKilledWithin;
  while (SteadyClock::now() < deadline) {
    bool any = false;
    std::unique_lock lock(programs().mutex);
    std::set<pid_t> other_programs = programs().pids;
    other_programs.erase(pid_);
    for (const pid_t pid : descendants_of(getpid(), other_programs)) {
      if (others_->contains(pid) || pid == pid_) continue;
      any = true;
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, WNOHANG);  // our child once its own parent is gone
    }
    lock.unlock();
    if (!any) return;
    poll(nullptr, 0, 5);
  }
}

std::string describe_status(int wait_status) {
  if (WIFEXITED(wait_status)) return fmt::format("exited with code {}", WEXITSTATUS(wait_status));
  const int signal = WTERMSIG(wait_status);
  return fmt::format("was killed by signal {} ({})", signal, strsignal(signal));
}

int exit_code_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

std::optional<std::filesystem::path> find_program(const std::string& program,
                                                  const std::string& more_folders) {
  const auto runnable = [](const std::filesystem::path& path) {
    return access(path.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(path);
  };
  if (program.find('/') != std::string::npos) {
    return runnable(program) ? std::optional(std::filesystem::path(program)) : std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path) + ":" +
                             more_folders);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (runnable(std::filesystem::path(folder) / program)) return std::filesystem::path(folder) / program;
  return {};
}

std::filesystem::path own_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::set<pid_t> descendants_of(pid_t ancestor, const std::set<pid_t>& but) {
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
      if (but.contains(child->second)) continue;
      if (found.insert(child->second).second) open.push_back(child->second);
    }
  }
  return found;
}

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
