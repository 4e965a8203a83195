#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/record/events.h"

namespace rigproof::cli {

// What `--` between the base and the candidate of a comparison is read as: CLI11 forgets where it stood.
inline constexpr const char* kCandidateOption = "--candidate";

// A subcommand as parsed: `run` does it and returns the process's exit code.
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

// A line on stderr: "rigproof: MESSAGE". No byte of it, whoever wrote it, moves a terminal's cursor.
void complain(std::string_view message);

// The problems of a run as such lines: the first ones, and how many more there are.
void complain_of(const std::vector<record::Problem>& problems);

// Of an option that decides what is checked or done: a script's variable that is not set must not read as one that was not
// given. For CLI::Option::check().
[[nodiscard]] std::string not_empty(const std::string& value);

// Creates what an option names. Throws supervisor::Refused naming both, also for a place among the facts or logs of a run.
void create_folder(const std::string& option, const std::filesystem::path& path);

// Calls `command` and returns its exit code; an exception becomes one message on stderr and its exit code.
[[nodiscard]] int exit_code_of(const std::function<int()>& command);

}  // namespace rigproof::cli
