#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/profiling/verilated/rtl_object.h"
#include "sw/files/guest_files.h"
#include "sw/files/own_files.h"
#include "sw/measure/confinement.h"
#include "sw/process/exit_code.h"
#include "sw/process/program_beside.h"
#include "sw/process/version.h"
#include "sw/strobe/commands/commands.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

const std::string kBuild = "build the project: cmake --build --preset release";
const std::string kSetup = "install it: sudo scripts/setup";

/// First line of what a command prints, or "" when it cannot be run. `command` is a constant of
/// this file.
std::string first_line_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>/dev/null").c_str(), "r"),
                                                   pclose);
  if (pipe == nullptr) return "";
  std::array<char, 256> buffer{};
  std::string line;
  if (std::fgets(buffer.data(), buffer.size(), pipe.get()) != nullptr) line = buffer.data();
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
  return line;
}

class Doctor {
 public:
  void check(const std::string& what, bool good, const std::string& detail,
             const std::string& remedy) {
    if (good) {
      fmt::print("ok       {}: {}\n", what, detail);
    } else {
      fmt::print("missing  {}: {}; {}\n", what, detail, remedy);
      ++missing_;
    }
  }

  void check_tool(const std::string& what, const std::string& tool) {
    const std::string version = first_line_of(tool + " --version");
    check(what, !version.empty(), version.empty() ? tool + " does not run" : version, kSetup);
  }

  void check_file(const std::string& what, const fs::path& path) {
    std::error_code code;
    const bool there = fs::is_regular_file(path, code);
    check(what, there, there ? path.string() : "no file " + path.string(), kBuild);
  }

  /// A part that a plain run does not need.
  void check_part(const std::string& what, const fs::path& path, const std::string& target) {
    std::error_code code;
    if (fs::is_regular_file(path, code)) {
      fmt::print("ok       {}: {}\n", what, path.string());
    } else {
      fmt::print("absent   {}: no file {}; build it: cmake --build --preset release --target {}\n",
                 what, path.string(), target);
      ++absent_;
    }
  }

  int missing() const { return missing_; }
  int absent() const { return absent_; }

 private:
  int missing_ = 0;
  int absent_ = 0;
};

/// What a run can give up on this host. The last thing to do: this process is confined by it, for
/// nothing else tells for sure what the kernel grants. A run needs none of it.
void report_confinement() {
  const confine::Confinement found = confine::confine({});
  if (found.system_calls) {
    fmt::print(
        "ok       confinement of system calls: seccomp; a run can make only the calls that it "
        "needs\n");
  }
  if (found.landlock) {
    fmt::print(
        "ok       confinement of paths: Landlock {}; a run can open only its sandbox and its "
        "result\n",
        *found.landlock);
  }
  std::vector<std::string> absent = found.missing;
  if (!confine::kBuildCanConfine) {
    absent.emplace_back(
        "this build, with sanitizers, coverage or counters, does not confine itself");
  }
  for (const std::string& sentence : absent) {
    fmt::print(
        "absent   confinement: {}; a program that exploits a fault of the simulator can reach more "
        "of this host\n",
        sentence);
  }
}

fs::path rtl_directory() {
  if (const char* set = std::getenv("STROBE_RTL_DIR")) return set;
  return files::built_directory() / "rtl";
}

fs::path cache_directory() {
  const char* set = std::getenv("STROBE_CACHE");
  if (set != nullptr && *set != '\0') return set;
  const char* home = std::getenv("HOME");
  return home == nullptr ? fs::path() : fs::path(home) / ".cache" / "strobe";
}

/// Some file in `folder` ends in `extension`: how many do.
size_t count_files(const fs::path& folder, const std::string& extension) {
  std::error_code code;
  size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().extension() == extension) ++count;
  }
  return count;
}

/// Whether the folder can be written, or made where it is missing. Nothing is.
bool can_write(fs::path folder) {
  std::error_code code;
  while (!fs::exists(folder, code) && !folder.empty()) {
    if (code) return false;
    folder = folder.parent_path();
  }
  if (folder.empty()) folder = ".";
  // Root may write anywhere, but the kernel's own file systems take no files.
  struct statfs system {};
  const bool of_kernel = statfs(folder.c_str(), &system) == 0 &&
                         (system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC);
  return fs::is_directory(folder, code) && !of_kernel && access(folder.c_str(), W_OK | X_OK) == 0;
}

/// Prints one line a check: ok or missing, and what to do. @return 0, or 1 when something is
/// missing
int doctor_command() {
  Doctor doctor;
  for (const auto& [tool, version] : tool_versions()) {
    doctor.check("built with " + tool, !version.empty(), version.empty() ? "unknown" : version,
                 kSetup);
  }
  doctor.check_tool("C++ compiler", "c++");
  doctor.check_tool("Verilator", "verilator");
  doctor.check_tool("firmware compiler", "riscv64-unknown-elf-g++");
  doctor.check_tool("workload C compiler", "riscv64-linux-gnu-gcc");
  doctor.check_tool("workload C++ compiler", "riscv64-linux-gnu-g++");

  doctor.check_file("firmware", files::guest_file("firmware.elf"));
  const fs::path workloads = files::guest_file("workloads");
  const size_t count = count_files(workloads, ".elf");
  doctor.check("workloads", count > 0, fmt::format("{} programs in {}", count, workloads.string()),
               kBuild);
  doctor.check_file("default RTL",
                    rtl_directory() / ("libstrobe_profiler_" + profiling::point_key({}) + ".so"));

  doctor.check_part("commands sweep, explain, synth, reproduce and optimize",
                    program_beside("strobe-experiments"), "strobe-experiments");
  doctor.check_part("observer of SHIM", files::guest_file("observer.elf"), "guest_observer");
  doctor.check_part("code of bursty tracing", files::guest_file("bursty/fold.o"), "guest_bursty");
  doctor.check_part("code of ephemeral instrumentation", files::guest_file("ephemeral/unhook.o"),
                    "guest_ephemeral");

  const fs::path cache = cache_directory();
  doctor.check("cache", !cache.empty() && can_write(cache),
               cache.empty() ? "neither STROBE_CACHE nor HOME is set" : cache.string(),
               "set STROBE_CACHE to a folder that can be written");

  report_confinement();
  if (doctor.missing() == 0) {
    if (doctor.absent() == 0) {
      fmt::print("everything is there\n");
    } else {
      fmt::print("everything that a plain run needs is there; {} absent\n", doctor.absent());
    }
    return kExitOk;
  }
  fmt::print("{} missing\n", doctor.missing());
  return kExitCheckFailed;
}

}  // namespace

void add_doctor_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "doctor", "Check that everything a run needs is installed and built; exit code 1 if not");
  command->footer("Example: strobe doctor");
  command->callback([&invocation] { invocation.code = doctor_command(); });
}

}  // namespace strobe
