#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "framework/cli/command.h"

namespace rigproof::cli {

// Man pages of the commands and of what they check, from the command line's own definitions: what --help prints.

struct ManualPage {
  std::string name;  // "rigproof-model-run"
  std::string text;  // roff
  int section = 1;
};
// One page for the program, one for each subcommand and rigproof-expectations(7); what is hidden from --help has none. `date` is "2026-11-22".
[[nodiscard]] std::vector<ManualPage> manual_pages(const CLI::App& program, const std::string& version,
                                                   const std::string& date);

// The subcommands that --help shows.
[[nodiscard]] std::vector<const CLI::App*> shown_subcommands(const CLI::App& app);

// The hidden subcommand: `manual DIR` writes the pages into DIR/man1 and DIR/man7.
void add_manual_commands(CLI::App& program, std::vector<Command>& commands);

// What may come next on a command line: `words` are those behind the program's name, the last one (perhaps empty) is
// being typed (`rigproof complete -- WORDS...`). Cases and suites are those that --rig, RIGPROOF_RIG and --suites say. Nothing where a file is wanted.
[[nodiscard]] std::vector<std::string> completions(const CLI::App& program,
                                                   const std::vector<std::string>& words);

}  // namespace rigproof::cli
