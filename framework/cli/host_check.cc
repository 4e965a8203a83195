#include "framework/cli/host_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>

#include "framework/cli/run_arguments.h"
#include "framework/process/process.h"
#include "framework/record/files.h"
#include "framework/record/run_identity.h"
#include "framework/record/strict_json.h"

namespace rigproof::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kMark = "rigproof-host-check ";
constexpr std::chrono::seconds kShort{3};  // for one of the system's programs

std::vector<fs::path> own_programs() {
  std::vector<fs::path> programs{own_folder() / "rigproof"};
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(installed_suites(), none))
    if (entry.path().filename().string().starts_with("rigproof-suite-") && entry.is_regular_file(none))
      programs.push_back(entry.path());
  std::sort(programs.begin() + 1, programs.end());
  return programs;
}

std::string hash_of(const std::vector<fs::path>& programs) {
  record::Sha256 all;
  for (const fs::path& program : programs)
    all.add(program.filename().string() + " " + record::sha256_of_file(program) + "\n");
  return all.hex();
}

std::vector<std::string> lines_of(const std::vector<std::string>& command) {
  std::vector<std::string> lines;
  if (!process::find_program(command.front(), "/usr/sbin:/sbin")) return lines;
  std::istringstream text(process::capture(command, kShort).output);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> missing_libraries_of(const std::vector<fs::path>& programs) {
  std::vector<std::string> missing;
  for (const fs::path& program : programs)
    for (const std::string& line : lines_of({"ldd", program}))
      if (line.find("=> not found") != line.npos)
        missing.push_back(fmt::format("{}: {}", program.filename().string(),
                                      line.substr(line.find_first_not_of("\t "), line.find(" =>") - 1)));
  return missing;
}

// Lines such as "link mlx5_0/1 lqpn 290 type RC ... pid 4711 comm python3".
std::vector<std::string> rdma_users() {
  std::vector<std::string> users;
  for (const std::string& line : lines_of({"rdma", "resource", "show", "qp"})) {
    std::istringstream words(line);
    std::string pid, name;
    for (std::string word; words >> word;)
      if (word == "pid")
        words >> pid;
      else if (word == "comm")
        words >> name;
    const std::string user = fmt::format("{} (pid {})", name, pid);
    if (!pid.empty() && std::ranges::count(users, user) == 0) users.push_back(user);
  }
  return users;
}

std::string active_firewall() {
  for (const char* service : {"ufw", "firewalld", "nftables"})
    if (const auto lines = lines_of({"systemctl", "is-active", service});
        !lines.empty() && lines[0] == "active")
      return service;
  return "";
}

// A folder that does not exist yet is made in the nearest one that does.
double free_bytes_in(fs::path folder) {
  std::error_code error;
  folder = fs::absolute(folder, error);
  while (!fs::exists(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  const fs::space_info space = fs::space(folder, error);
  return error ? 0 : static_cast<double>(space.available);
}

}  // namespace

HostCheck check_this_host(const std::vector<std::string>& folders) {
  HostCheck check;
  const record::Program self = record::this_program("rigproof");
  const std::vector<fs::path> programs = own_programs();
  check.version = self.version;
  check.commit = self.commit;
  check.build = hash_of(programs);
  for (const char* name : {"mpirun", "orted", "prted"})
    if (const auto path = process::find_program(name)) check.programs[name] = *path;
  if (const auto lines = lines_of({"mpirun", "--version"}); !lines.empty()) check.mpi = lines.front();
  check.missing_libraries = missing_libraries_of(programs);
  for (const std::string& folder : folders) check.free_bytes[folder] = free_bytes_in(folder);
  check.rdma_users = rdma_users();
  check.firewall = active_firewall();
  check.time = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return check;
}

std::string to_line(const HostCheck& check) {
  const json document{{"version", check.version},
                      {"commit", check.commit},
                      {"build", check.build},
                      {"programs", check.programs},
                      {"mpi", check.mpi},
                      {"missing_libraries", check.missing_libraries},
                      {"free_bytes", check.free_bytes},
                      {"rdma_users", check.rdma_users},
                      {"firewall", check.firewall},
                      {"time", check.time},
                      {"port", check.port}};
  return kMark + document.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
}

std::optional<HostCheck> host_check_in(const std::string& output) {
  const auto begin = output.find(kMark);
  const auto end = output.find('\n', begin == output.npos ? 0 : begin);
  if (begin == output.npos || end == output.npos) return {};
  const auto from = begin + std::string_view(kMark).size();
  try {
    const json document = record::parse_strict_json(std::string_view(output).substr(from, end - from));
    HostCheck check;
    document.at("version").get_to(check.version);
    document.at("commit").get_to(check.commit);
    document.at("build").get_to(check.build);
    document.at("programs").get_to(check.programs);
    document.at("mpi").get_to(check.mpi);
    document.at("missing_libraries").get_to(check.missing_libraries);
    document.at("free_bytes").get_to(check.free_bytes);
    document.at("rdma_users").get_to(check.rdma_users);
    document.at("firewall").get_to(check.firewall);
    document.at("time").get_to(check.time);
    document.at("port").get_to(check.port);
    return check;
  } catch (const std::exception&) {  // a line of another version, or of nobody we know
    return {};
  }
}

}  // namespace rigproof::cli
