// bin/strobe as a process, and the run files the end-to-end tests give it.
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace strobe::e2e {

struct ProcessResult {
  int exit_code = -1;
  std::string out, err;
};

/// Runs bin/strobe with these arguments in `directory`; with `interrupt_after` it gets a SIGINT
/// then.
ProcessResult strobe(const std::vector<std::string>& args,
                     const std::filesystem::path& directory = ".",
                     std::optional<std::chrono::milliseconds> interrupt_after = std::nullopt);

/// A fresh directory that is removed at the end of the test.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

/// The text of a run file for an ELF; `profilers` is YAML, `extra` further top-level lines.
std::string run_file(const std::string& elf, const std::string& args, const std::string& profilers,
                     const std::string& extra = "");

/// An ELF of tests/e2e/programs.
std::string program(const std::string& name);
/// An ELF of sw/guest/workloads.
std::string workload(const std::string& name);

std::string read_file(const std::filesystem::path& path);
nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace strobe::e2e
