#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "framework/cli/command.h"

namespace rigproof::cli {

// The subcommands that --help shows.
[[nodiscard]] std::vector<const CLI::App*> shown_subcommands(const CLI::App& app);

// Adds the hidden subcommand `manual DIR`, which writes man pages: in DIR/man1 one for the program and for each
// subcommand that --help shows, from the definitions that --help prints; in DIR/man7 rigproof-expectations, from the
// metrics that the suites declare.
void add_manual_commands(CLI::App& program, std::vector<Command>& commands);

// Possible next words of a command line; none if a file is expected. The last of `words` is being typed and may be empty.
// Cases and suites are those of --rig, RIGPROOF_RIG and --suites. For `rigproof complete -- WORDS...`.
[[nodiscard]] std::vector<std::string> completions(const CLI::App& program,
                                                   const std::vector<std::string>& words);

}  // namespace rigproof::cli
