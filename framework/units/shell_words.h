#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rigproof::inline units {

// A text as one word of a shell: in single quotes where it needs them, so that nothing in it is expanded or run.
[[nodiscard]] std::string shell_quoted(const std::string& word);

// Whether it needs none: letters, digits and %+,-./:=@_ alone. An empty text is plain.
[[nodiscard]] bool is_plain_word(std::string_view text);

// Splits a command line into words as a shell does, without a shell: blanks separate, '...' and "..." and
// \ quote; nothing is expanded. Throws std::invalid_argument for an open quote or a trailing backslash.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);

// The other way: quotes what needs it, for a line that a person can paste.
[[nodiscard]] std::string join_words(const std::vector<std::string>& words);

// The same for a record that others read: the value of every environment variable is ***, its name stays ("-x NAME=***",
// "--env=NAME=***", "--export=ALL,NAME=***", "env NAME=***"), also in a word that is a command line itself. Of a launcher, which is
// the first `launcher` words or what --launcher is given, *** stands for everything but programs that start others ("mpirun", "ssh"),
// names of options, and values of options that are known to hold no secret ("-np 2", not "-p 2"). Open MPI's own parameters,
// OMPI_MCA_*, stay, but for command lines in them.
[[nodiscard]] std::string join_masked(const std::vector<std::string>& words, std::size_t launcher = 0);

}  // namespace rigproof::inline units
