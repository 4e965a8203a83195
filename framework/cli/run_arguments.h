#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/supervisor/run_rig.h"

namespace rigproof::cli {

// A seed that is not 0, by chance. One for all ranks: otherwise each would shuffle by its own clock.
[[nodiscard]] int draw_seed();

// The command line of `run`, shared with `model run` and `list`.
struct RunArguments {
  std::string rig, out, suite_folder, facts, resume;
  std::vector<std::string> suites, thresholds, faults, added_suite_folders, labels, retest;
  std::string profile = "standard";
  std::string launcher;
  supervisor::GtestFlags gtest;
  int rounds = 0, seed = 0;
  int any_seed = draw_seed();     // for a seed of 0: the same whenever options() is asked for
  double sample = 0, power = 99;  // in percent: see record::SampleAsked
  bool list = false;
  bool with_operator = false;
  std::optional<bool> pdf;  // --pdf or --no-pdf
  bool plain = false;       // --plain: no screen
  bool verbose = false;     // --verbose: a line per case
  bool draws = false;       // shows a screen while suites run: wanted, and possible on stdout
  double timeout_scale = 1;

  [[nodiscard]] bool wants_screen() const { return !plain && !verbose && !with_operator; }
  // Throws Refused for missing or invalid values.
  [[nodiscard]] supervisor::RunOptions options() const;
  // True if a run of profile `of` makes a PDF. Default: only acceptance, which gets signed (a PDF takes a minute).
  [[nodiscard]] bool wants_pdf(const std::string& of) const { return pdf.value_or(of == "acceptance"); }
  // Options for --resume; the record contains the others.
  [[nodiscard]] supervisor::RunOptions options_to_resume() const;
};

// `given`, or else the files of RIGPROOF_THRESHOLDS: paths with colons between.
[[nodiscard]] std::vector<std::string> thresholds_files(const std::vector<std::string>& given);

void add_rig_options(CLI::App& app, RunArguments& arguments);  // --rig, --thresholds, --suite
// --thresholds FILE, any number of times. A word without dot and slash may name a file that comes with Rigproof.
CLI::Option* add_thresholds_option(CLI::App& app, std::vector<std::string>& files, const std::string& help);
// --faults FILE, any number of times.
void add_faults_option(CLI::App& app, std::vector<std::string>& files);
// The catalogue of known faults that comes with Rigproof, then the given files.
[[nodiscard]] std::vector<std::filesystem::path> faults_files(const std::vector<std::string>& given);
// --suites, and that with --suite.
void add_suites_option(CLI::App& app, std::vector<std::string>& folders);
void add_suite_options(CLI::App& app, std::vector<std::string>& suites, std::vector<std::string>& folders);
void add_case_options(CLI::App& app, supervisor::GtestFlags& gtest);  // --gtest_filter, --first-look; last
void add_gtest_options(CLI::App& app, RunArguments& arguments);       // --gtest_*
void add_rounds_options(CLI::App& app, RunArguments& arguments);      // --rounds, --seed, --sample, --power
void add_run_options(CLI::App& app, RunArguments& arguments);         // all other options

void add_resume_option(CLI::App& app,
                       RunArguments& arguments);  // --resume; excludes options that the record decides

// The default folder for a run, not used by another run: "out/run-20261120T181500Z".
[[nodiscard]] std::string default_out();

// This process's own command line for a record: see join_masked.
[[nodiscard]] std::string own_command_line();

// The folder of this process's executable.
[[nodiscard]] std::filesystem::path own_folder();
// The folder of Rigproof's own suites: beside this program in a build tree, ../libexec/rigproof once installed.
[[nodiscard]] std::filesystem::path installed_suites();
// The path of a thresholds file that comes with Rigproof.
[[nodiscard]] std::filesystem::path shipped_thresholds(const std::string& name);
// The path of the JSON schema of "rig" or "thresholds" files, for a #:schema line.
[[nodiscard]] std::filesystem::path shipped_schema(const std::string& kind);

// Runs the suites, or lists the cases with --gtest_list_tests; prints to `out`; returns the exit code.
[[nodiscard]] int run_and_show(const RunArguments& arguments, std::FILE* out = stdout);

// Prints the cases of the chosen suites.
[[nodiscard]] int list_and_show(const RunArguments& arguments);

}  // namespace rigproof::cli
