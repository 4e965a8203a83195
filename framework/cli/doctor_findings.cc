#include "framework/cli/doctor_findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "framework/cli/discovery.h"
#include "framework/cli/run_arguments.h"
#include "framework/process/process.h"
#include "framework/supervisor/reachability.h"
#include "framework/supervisor/slurm.h"
#include "framework/units/ip_address.h"
#include "framework/units/printable.h"
#include "framework/units/shell_words.h"

namespace rigproof::cli {
namespace {

constexpr double kLeastSpace = 100e6;  // B; four suites of two hosts in profile smoke left 2.6 MB
constexpr double kClockOff = 1;        // s; the records of two hosts then tell what came first
constexpr double kLocked = 64 << 20;   // B; RDMA has 4 messages of 1 MiB under way on each half, both ways
constexpr double kIdle = 0.05;         // share of the CPUs that may be busy: the limit of preflight.quiet.cpu

bool has(const std::string& text, const char* words) { return text.find(words) != text.npos; }

std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  return shortened(printable(text.substr(text.rfind('\n') + 1)), 200);
}

// Why ssh did not get in, and the command that helps. ssh's own words are not translated.
std::string remedy_for_login(const std::string& output, const std::string& address) {
  const std::string to = shell_quoted(address);
  if (has(output, "REMOTE HOST IDENTIFICATION HAS CHANGED"))
    return fmt::format("ssh-keygen -R {} && ssh {} hostname   # if its key has changed for a good reason", to,
                       to);
  if (has(output, "Host key verification failed"))
    return fmt::format("ssh {} hostname   # and accept its key", to);
  if (has(output, "Permission denied"))
    return fmt::format(
        "test -e ~/.ssh/id_ed25519 || ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/id_ed25519; ssh-copy-id {}",
        to);
  if (has(output, "resolve"))
    return fmt::format("getent hosts {}   # correct the name, or name an address", to);
  if (has(output, "Connection refused")) return fmt::format("sudo systemctl enable --now ssh   # on {}", to);
  return fmt::format("ssh -o BatchMode=yes {} hostname", to);
}

// The folder that holds bin/, and how to bring it to another host.
std::string remedy_for_build(const std::string& address) {
  const std::filesystem::path prefix = own_folder().parent_path();
  const std::string to = shell_quoted(address);
  if (prefix == "/usr")
    return fmt::format("sudo apt-get install ./rigproof_*.deb   # the same package, on {}", to);
  const std::string parent = shell_quoted(prefix.parent_path()), name = shell_quoted(prefix.filename());
  return fmt::format(
      "tar -C {} -cf rigproof.tar {} && scp -q rigproof.tar {}: && ssh -t {} sudo tar -C {} -xf rigproof.tar",
      parent, name, to, to, parent);
}

// ufw and firewalld accept only addresses.
std::string remedy_for_firewall(const std::string& firewall, const std::string& from) {
  if (!IpAddress::parse(from))
    return fmt::format("sudo nft list ruleset   # let {} reach all TCP ports", from);
  if (firewall == "ufw") return fmt::format("sudo ufw allow from {}", from);
  if (firewall == "firewalld")
    return fmt::format(
        "sudo firewall-cmd --permanent --zone=trusted --add-source={} && sudo firewall-cmd --reload", from);
  return fmt::format("sudo nft list ruleset   # let {} reach all TCP ports", from);
}

}  // namespace

void DoctorFindings::problem(const std::string& check, const std::string& text, const std::string& remedy) {
  found_.push_back({Diagnosis::Kind::kProblem, check, printable(text), printable(remedy)});
}
void DoctorFindings::warn(const std::string& check, const std::string& text, const std::string& remedy) {
  found_.push_back({Diagnosis::Kind::kWarning, check, printable(text), printable(remedy)});
}
void DoctorFindings::did(const std::string& check, const std::string& well) { done_[check] = well; }

std::string DoctorFindings::on(const std::string& host, const std::string& command) const {
  return fmt::format("on {}: {}", host, command);
}

std::vector<Diagnosis> DoctorFindings::take() {
  std::vector<Diagnosis> lines;
  for (const char* check :
       {"login", "build", "packages", "space", "clock", "facts", "memlock", "idle", "ports", "rails"}) {
    const auto before = lines.size();
    std::ranges::copy_if(found_, std::back_inserter(lines),
                         [&](const Diagnosis& one) { return one.check == check; });
    if (const auto well = done_.find(check); well != done_.end() && lines.size() == before)
      lines.push_back({Diagnosis::Kind::kOk, check, well->second, {}});
  }
  return lines;
}

void DoctorFindings::judge_head(HostCheck check) {
  head_ = std::move(check);
  const auto& programs = head_.programs;
  if (!programs.contains("mpirun") && !supervisor::in_slurm_allocation())
    problem("packages", "this host: there is no program mpirun, which starts a run",
            "sudo apt-get install -y openmpi-bin");
}

void DoctorFindings::judge_answers(const std::vector<HostAnswer>& answers) {
  for (std::size_t host = 0; host < answers.size(); ++host) {
    const HostAnswer& answer = answers[host];
    if (!answer.check) {
      judge_login(host, answer);
      continue;
    }
    firewalls_[host] = answer.check->firewall;
    judge_build(host, *answer.check);
    judge_packages(host, *answer.check);
    judge_space(name(host), *answer.check);
    judge_clock(host, answer);
    if (const auto& users = answer.check->rdma_users; !users.empty())
      warn("idle", fmt::format("{}: RDMA devices are used by {}", name(host), fmt::join(users, ", ")),
           on(name(host), "rdma resource show qp"));
  }
  judge_space("this host", head_);
  did("login", "from here into each host");
  const auto answered =
      std::ranges::count_if(answers, [](const HostAnswer& answer) { return answer.check.has_value(); });
  if (answered == 0) return;
  const bool all = answered == std::ssize(answers);
  const std::string each = all ? "each host" : "each host that answered";
  did("build", fmt::format("rigproof {}, commit {}: the same on {}", head_.version, head_.commit, each));
  did("packages", "mpirun, its daemon and all libraries are there");
  did("space", fmt::format("{} and /tmp of {} have {} MB or more", request_.out, each, kLeastSpace / 1e6));
  did("clock", "alike on each host");
}

void DoctorFindings::judge_login(std::size_t host, const HostAnswer& answer) {
  const std::string& address = request_.hosts[host].address;
  const int code = answer.status ? process::exit_code_of(*answer.status) : -1;
  const std::string program = process::own_program();
  if (!answer.error.empty())
    problem("login", fmt::format("{}: {}", name(host), answer.error),
            "sudo apt-get install -y openssh-client");
  else if (!answer.status)
    problem("login", fmt::format("{}: no answer in time", name(host)),
            fmt::format("ssh -o BatchMode=yes {} hostname", shell_quoted(address)));
  else if (code == 126 || code == 127)
    problem("build",
            fmt::format("{}: {} cannot be started: {}", name(host), program, last_line(answer.output)),
            remedy_for_build(address));
  else if (code == 255)
    problem("login", fmt::format("{}: {}", name(host), last_line(answer.output)),
            remedy_for_login(answer.output, address));
  else
    problem("build",
            fmt::format("{}: {} is another version of Rigproof: {}", name(host), program,
                        last_line(answer.output)),
            remedy_for_build(address));
}

void DoctorFindings::judge_build(std::size_t host, const HostCheck& check) {
  if (check.build == head_.build) return;
  problem("build",
          fmt::format(
              "{}: rigproof {}, commit {} (hash {:.12}), but this host has {}, commit {} (hash {:.12})",
              name(host), check.version, check.commit, check.build, head_.version, head_.commit, head_.build),
          remedy_for_build(request_.hosts[host].address));
}

void DoctorFindings::judge_packages(std::size_t host, const HostCheck& check) {
  if (!check.programs.contains("orted") && !check.programs.contains("prted") &&
      !supervisor::in_slurm_allocation())
    problem("packages",
            fmt::format("{}: mpirun finds neither orted nor prted there, which start its ranks", name(host)),
            on(name(host), "sudo apt-get install -y openmpi-bin"));
  else if (!head_.mpi.empty() && !check.mpi.empty() && head_.mpi != check.mpi)
    problem("packages", fmt::format("{}: {}, but this host has {}", name(host), check.mpi, head_.mpi),
            on(name(host), "sudo apt-get update && sudo apt-get install -y openmpi-bin"));
  if (!check.missing_libraries.empty())
    problem(
        "packages",
        fmt::format("{}: libraries are missing: {}", name(host), fmt::join(check.missing_libraries, ", ")),
        on(name(host), fmt::format("ldd {}/* | grep 'not found'", shell_quoted(installed_suites()))));
}

void DoctorFindings::judge_space(const std::string& where, const HostCheck& check) {
  for (const auto& [folder, bytes] : check.free_bytes)
    if (bytes < kLeastSpace)
      problem("space",
              fmt::format("{}: {} has {:.0f} MB of free space, and a run needs {:.0f} MB", where, folder,
                          bytes / 1e6, kLeastSpace / 1e6),
              on(where, fmt::format("df -h {}   # delete what is not needed", shell_quoted(folder))));
}

void DoctorFindings::judge_clock(std::size_t host, const HostAnswer& answer) {
  const double off = answer.check->time < answer.asked      ? answer.check->time - answer.asked
                     : answer.check->time > answer.answered ? answer.check->time - answer.answered
                                                            : 0;
  if (off > kClockOff || off < -kClockOff)
    problem("clock",
            fmt::format("{}: its clock is {:.0f} s {} this host's", name(host), off < 0 ? -off : off,
                        off < 0 ? "behind" : "ahead of"),
            on(name(host), "sudo timedatectl set-ntp true"));
}

void DoctorFindings::judge_facts(const std::vector<std::size_t>& hosts,
                                 const std::vector<FetchedFacts>& facts) {
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const std::string& host = name(hosts[i]);
    if (!facts[i].facts) {
      problem("facts", fmt::format("{}: {}", host, facts[i].error),
              on(host, fmt::format("{} facts", own_folder().string() + "/rigproof")));
      continue;
    }
    const facts::NodeFacts node(*facts[i].facts);
    for (const std::size_t other : hosts)
      if (const auto login = node.login(node_name(name(other))).value; login && *login != "ok")
        problem("login", fmt::format("from {} into {}: {}", host, name(other), *login),
                on(host, remedy_for_login(*login, request_.hosts[other].address)));
    judge_memlock(host, node);
    judge_idleness(host, node);
  }
  did("login", "from here into each host, and from each into the others");
  did("memlock", "enough locked memory for RDMA, or no RDMA devices");
  did("idle", "nobody else uses the hosts' CPUs, GPUs or RDMA devices");
}

void DoctorFindings::judge_memlock(const std::string& host, const facts::NodeFacts& facts) {
  const auto limit = facts.document().number({"limits", "memlock_soft_bytes"});
  if (facts.document().texts({"infiniband", "devices"}).empty() || !limit || *limit < 0) return;
  const std::string text = fmt::format(
      "{}: a login may lock {:.0f} MiB of memory, and RDMA locks its buffers", host, *limit / (1 << 20));
  const std::string remedy =
      on(host,
         "echo '* - memlock unlimited' | sudo tee /etc/security/limits.d/rdma.conf   # if sshd has a limit: "
         "sudo systemctl edit ssh, LimitMEMLOCK=infinity");
  *limit < kLocked ? problem("memlock", text, remedy) : warn("memlock", text, remedy);
}

void DoctorFindings::judge_idleness(const std::string& host, const facts::NodeFacts& facts) {
  const auto by = facts.busy_processes().value.value_or(std::vector<std::string>{});
  if (const auto busy = facts.cpu_busy().value; busy && *busy > kIdle)
    warn("idle",
         fmt::format("{}: {:.0f} % of its CPUs are busy{}{}", host, *busy * 100, by.empty() ? "" : ": ",
                     fmt::join(by, ", ")),
         on(host, "top -b -n 1 | head -20"));
  for (const std::string& gpu : facts.gpus())
    if (const auto users = facts.gpu(gpu).processes.value; users && !users->empty())
      warn("idle", fmt::format("{}: GPU {} is used by {}", host, gpu, fmt::join(*users, ", ")),
           on(host, "nvidia-smi"));
}

// A firewall refuses, or lets nobody answer; it leaves names and neighbours alone.
std::string DoctorFindings::remedy_for(const TriedWay& way) const {
  if (has(way.result, "does not resolve"))
    return on(name(way.from), fmt::format("getent hosts {}   # correct the name, or name an address",
                                          shell_quoted(way.to_address)));
  if (way.result == "no answer" || way.result == "Connection refused")
    return on(name(way.to), remedy_for_firewall(firewalls_.at(way.to), way.is_rail          ? way.from_address
                                                                       : way.source.empty() ? name(way.from)
                                                                                            : way.source));
  if (way.is_rail)
    return on(name(way.from),
              fmt::format("ip -br addr; ping -c 3 -I {} {}", way.from_address, way.to_address));
  return on(name(way.from), fmt::format("ping -c 3 {}", shell_quoted(way.to_address)));
}

void DoctorFindings::judge_ways(const std::vector<TriedWay>& ways) {
  bool rails = false;
  for (const TriedWay& way : ways) {
    rails = rails || way.is_rail;
    if (way.result == "ok") continue;
    const std::string check = way.is_rail ? "rails" : "ports";
    problem(check,
            fmt::format("no TCP connection from {}{} to {} at {}: {}", name(way.from),
                        way.is_rail ? fmt::format(" ({})", way.from_address) : "", name(way.to),
                        way.to_address, way.result),
            remedy_for(way));
  }
  did("ports", "each host reaches free TCP ports of the others");
  if (rails) did("rails", "each half reaches free TCP ports of its peers");
}

}  // namespace rigproof::cli
