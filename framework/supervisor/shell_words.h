#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigproof::supervisor {

// Splits a command line into words as a shell does, without a shell: blanks separate, '...' and "..." and
// \ quote; nothing is expanded. Throws std::invalid_argument for an open quote or a trailing backslash.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);

// The other way: quotes what needs it, for a line that a person can paste.
[[nodiscard]] std::string join_words(const std::vector<std::string>& words);

// The same for a record that others read: the value of every environment variable is ***, its name stays ("-x NAME=***",
// "--env=NAME=***", "--export=ALL,NAME=***", "env NAME=***"), also in a word that is a command line itself (--launcher
// "mpirun -x NAME=VALUE"). Open MPI's own parameters, OMPI_MCA_*, are left as they are.
[[nodiscard]] std::string join_masked(const std::vector<std::string>& words);

}  // namespace rigproof::supervisor
