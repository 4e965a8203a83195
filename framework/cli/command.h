#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/record/events.h"

namespace rigproof::cli {

// Option that replaces `--` between the base and the candidate of a comparison: CLI11 loses the position of `--`.
inline constexpr const char* kCandidateOption = "--candidate";

// A subcommand as parsed. `run` executes it and returns the exit code of the process.
struct Command {
  CLI::App* app;
  std::function<int()> run;
};

[[nodiscard]] Command add_run_command(CLI::App& parent);
[[nodiscard]] Command add_list_command(CLI::App& parent);
[[nodiscard]] Command add_explain_command(CLI::App& parent);
[[nodiscard]] Command add_facts_command(CLI::App& parent);
[[nodiscard]] Command add_snapshot_command(CLI::App& parent);
[[nodiscard]] Command add_watch_command(CLI::App& parent);
[[nodiscard]] Command add_counters_command(CLI::App& parent);
[[nodiscard]] Command add_discover_command(CLI::App& parent);
[[nodiscard]] Command add_qualify_command(CLI::App& parent);
[[nodiscard]] Command add_doctor_command(CLI::App& parent);
[[nodiscard]] std::vector<Command> add_host_check_commands(CLI::App& parent);  // hidden: for doctor
[[nodiscard]] std::vector<Command> add_announce_commands(CLI::App& parent);    // hidden: for discover
[[nodiscard]] Command add_report_command(CLI::App& parent);
[[nodiscard]] Command add_verify_command(CLI::App& parent);
[[nodiscard]] Command add_sign_command(CLI::App& parent);
[[nodiscard]] Command add_judge_command(CLI::App& parent);
[[nodiscard]] Command add_compare_command(CLI::App& parent);
[[nodiscard]] Command add_power_command(CLI::App& parent);
[[nodiscard]] Command add_history_command(CLI::App& parent);
[[nodiscard]] Command add_gate_command(CLI::App& parent);
[[nodiscard]] Command add_ctest_command(CLI::App& parent);
[[nodiscard]] std::vector<Command> add_model_commands(CLI::App& parent);
[[nodiscard]] std::vector<Command> add_roce_vm_commands(CLI::App& parent);

// Prints "rigproof: MESSAGE" on stderr; control characters are escaped, so that no text can control the terminal.
void complain(std::string_view message);

// Prints the first problems of a run in the same way, and the number of the others.
void complain_of(const std::vector<record::Problem>& problems);

// Refuses an empty value, for CLI::Option::check(): a script's unset variable must not look like an option that was
// not given.
[[nodiscard]] std::string not_empty(const std::string& value);
// Refuses NaN and infinity, of which CLI::Range lets NaN through.
[[nodiscard]] std::string finite(const std::string& value);

// Creates the folder of an option. Throws supervisor::Refused naming both, also inside a run's facts or logs.
void create_folder(const std::string& option, const std::filesystem::path& path);

// Calls `command` and returns its exit code. An exception becomes one message on stderr and an exit code.
[[nodiscard]] int exit_code_of(const std::function<int()>& command);

}  // namespace rigproof::cli
