#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "framework/cli/command.h"

namespace rigproof::cli {

// Man pages of the commands and the expectations, made from the definitions that --help prints.

struct ManualPage {
  std::string name;  // "rigproof-model-run"
  std::string text;  // roff
  int section = 1;
};
// One page for the program, for each subcommand that --help shows, and rigproof-expectations(7). `date`:
// "2026-11-22".
[[nodiscard]] std::vector<ManualPage> manual_pages(const CLI::App& program, const std::string& version,
                                                   const std::string& date);

// The subcommands that --help shows.
[[nodiscard]] std::vector<const CLI::App*> shown_subcommands(const CLI::App& app);

// Adds the hidden subcommand `manual DIR`, which writes the pages into DIR/man1 and DIR/man7.
void add_manual_commands(CLI::App& program, std::vector<Command>& commands);

// Possible next words of a command line; none if a file is expected. The last of `words` is being typed and may be empty.
// Cases and suites are those of --rig, RIGPROOF_RIG and --suites. For `rigproof complete -- WORDS...`.
[[nodiscard]] std::vector<std::string> completions(const CLI::App& program,
                                                   const std::vector<std::string>& words);

}  // namespace rigproof::cli
