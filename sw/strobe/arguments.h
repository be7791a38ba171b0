// Arguments that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace strobe {

/// --set KEY=VALUE, any number of times. @param example  of a key with its value
void add_sets(CLI::App& command, std::vector<std::string>& sets,
              const char* example = "profilers.0.rate=64");

/// FILE, a run file, and --set.
void add_run_file(CLI::App& command, std::string& file, std::vector<std::string>& sets,
                  const char* example = "profilers.0.rate=64");

/// DIR, a result directory, and --program.
void add_result(CLI::App& command, std::string& directory, std::string& program);

/// --by and --rows.
void add_ranking(CLI::App& command, std::string& by, size_t& rows);

/// --no-confine.
void add_confinement(CLI::App& command, bool& confined);

}  // namespace strobe
