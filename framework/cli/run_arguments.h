#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/supervisor/run_rig.h"

namespace rigproof::cli {

// The command line of `run` as given, shared with `model run` and `list`.
struct RunArguments {
  std::string rig, out, suite_folder, facts, resume;
  std::vector<std::string> suites, thresholds, added_suite_folders;
  std::string profile = "standard";
  std::string launcher;
  supervisor::GtestFlags gtest;
  int rounds = 0, seed = 0;
  bool list = false;
  bool with_operator = false;
  std::optional<bool> pdf;  // as asked for
  bool plain = false;       // no screen, as asked for
  bool draws = false;       // a screen while suites run: it is wanted, and stdout can show it
  double timeout_scale = 1;

  // Throws Refused for what is missing or makes no sense.
  [[nodiscard]] supervisor::RunOptions options() const;
  // Of a run of this profile: the acceptance is what gets signed, and a PDF takes up to a minute.
  [[nodiscard]] bool wants_pdf(const std::string& of) const { return pdf.value_or(of == "acceptance"); }
  // With --resume: what the record does not say.
  [[nodiscard]] supervisor::RunOptions options_to_resume() const;
};

// `given`, or else those of RIGPROOF_THRESHOLDS: paths with a colon between.
[[nodiscard]] std::vector<std::string> thresholds_files(const std::vector<std::string>& given);

void add_rig_options(CLI::App& app, RunArguments& arguments);  // --rig, --thresholds, --suite
// --thresholds FILE, any number of times.
CLI::Option* add_thresholds_option(CLI::App& app, std::vector<std::string>& files, const std::string& help);
// --suite, --suites.
void add_suite_options(CLI::App& app, std::vector<std::string>& suites, std::vector<std::string>& folders);
void add_gtest_options(CLI::App& app, RunArguments& arguments);  // --gtest_*
void add_run_options(CLI::App& app, RunArguments& arguments);    // all the others

void add_resume_option(CLI::App& app,
                       RunArguments& arguments);  // --resume, which excludes what a record says

// Where a run goes unless --out says: "out/run-20261120T181500Z", and no run is there yet.
[[nodiscard]] std::string default_out();

// This process's own command line for a record: see join_masked.
[[nodiscard]] std::string own_command_line();

// The folder of this process's executable.
[[nodiscard]] std::filesystem::path own_folder();
// Where Rigproof's own suites are: beside this program in a build tree, in ../libexec/rigproof once installed.
[[nodiscard]] std::filesystem::path installed_suites();
// A thresholds file of Rigproof's own.
[[nodiscard]] std::filesystem::path shipped_thresholds(const std::string& name);
// Its JSON schema of "rig" or "thresholds" files, for a #:schema line.
[[nodiscard]] std::filesystem::path shipped_schema(const std::string& kind);

// Runs, or lists with --gtest_list_tests; prints to `out`; returns the exit code.
[[nodiscard]] int run_and_show(const RunArguments& arguments, std::FILE* out = stdout);

// Prints the cases of the chosen suites.
[[nodiscard]] int list_and_show(const RunArguments& arguments);

}  // namespace rigproof::cli
