#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rigproof::inline units {

// One shell word with this text, quoted if necessary, so that the shell expands and runs nothing in it.
[[nodiscard]] std::string shell_quoted(const std::string& word);

// True if no quotes are needed: only letters, digits and %+,-./:=@_. An empty text is plain.
[[nodiscard]] bool is_plain_word(std::string_view text);

// Splits a command line into words as a shell does. Blanks separate words; '...', "..." and \ quote; nothing is
// expanded. Throws std::invalid_argument for an open quote or a trailing backslash.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);

// Joins words to a line that a person can paste; quotes where necessary.
[[nodiscard]] std::string join_words(const std::vector<std::string>& words);

// The same for a record that others read. Values of environment variables become ***, names stay ("-x NAME=***",
// "--env=NAME=***", "--export=ALL,NAME=***", "env NAME=***"), also in a word that is a command line. A launcher is
// the first `launcher` words or the value of --launcher. It keeps only programs that start others ("mpirun", "ssh"),
// option names, and values of options known to hold no secret ("-np 2", not "-p 2"); the rest becomes ***. Open MPI's
// own parameters, OMPI_MCA_*, stay, except command lines in them.
[[nodiscard]] std::string join_masked(const std::vector<std::string>& words, std::size_t launcher = 0);

}  // namespace rigproof::inline units
