#include <fmt/format.h>

#include <memory>

#include "framework/cli/command.h"
#include "framework/cli/discovery.h"
#include "framework/cli/doctor.h"
#include "framework/rig/rig.h"
#include "framework/supervisor/exit_code.h"

namespace rigproof::cli {
namespace {

struct DoctorArguments {
  std::vector<std::string> hosts;
  std::string rig, out;
};

DoctorRequest request_of(const DoctorArguments& arguments) {
  if (!arguments.rig.empty() && arguments.hosts.empty())
    return request_for(load_rig(arguments.rig), arguments.out);
  if (!arguments.rig.empty()) throw supervisor::Refused("doctor: name hosts or --rig, not both");
  if (arguments.hosts.empty())
    throw supervisor::Refused("doctor: name at least two hosts, or the rig file of the hosts by --rig");
  require_hosts("doctor", arguments.hosts);
  return request_for(arguments.hosts, arguments.out);
}

int doctor(const DoctorArguments& arguments) {
  const int problems = show_diagnoses(examine(request_of(arguments)));
  if (problems > 0) fmt::print("\n{} problem{}. Nothing was changed.\n", problems, problems == 1 ? "" : "s");
  return problems > 0 ? supervisor::kExitLimitMissed : 0;
}

}  // namespace

Command add_doctor_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand(
      "doctor", "Check in seconds whether a run can begin: logins, build, packages, ports, space, clocks");
  const auto arguments = std::make_shared<DoctorArguments>();
  app->add_option("HOST", arguments->hosts, "Host name or address by which a launcher reaches the host")
      ->take_all();
  app->add_option("--rig", arguments->rig, "Take the hosts and their rails from this rig file instead")
      ->type_name("FILE");
  app->add_option("--out", arguments->out, "Folder in which a run will write. Default: out")
      ->type_name("DIR");
  app->footer(
      "Exit codes: 0 no problem; 1 problems, each with the command to type; 2 error. Nothing is changed.");
  return {app, [arguments] { return doctor(*arguments); }};
}

}  // namespace rigproof::cli
