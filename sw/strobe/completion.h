// Completion of a command line by the shell: the script that a shell reads, and what may come next.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace strobe {

/// The word before the words of a command line that is to be completed. It is no command of
/// `--help`; the script calls it.
inline constexpr const char* kComplete = "__complete";

/// The script for bash, and for zsh, which has bash's completion on demand.
std::string completion_script();

/// What may stand in place of the last of `words`, which are those after `strobe`: subcommands,
/// options, or the values of an option or argument that has a fixed set; whether or not they begin
/// like the last word. Empty where a file is expected. Nothing when the words name a command that
/// another program has.
std::optional<std::vector<std::string>> completions(CLI::App& app,
                                                    const std::vector<std::string>& words);

}  // namespace strobe
