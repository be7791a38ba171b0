#include "sw/result/loaded_things.h"

#include <cstdlib>
#include <sstream>
#include <system_error>

#include "sw/confine/confined_tool.h"
#include "sw/files/cache.h"
#include "sw/files/guest_files.h"
#include "sw/files/own_files.h"

namespace strobe::result {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Paths own_programs(const NamedFiles& /*run*/) { return {files::built_directory() / "bin"}; }

Paths sources(const NamedFiles& /*run*/) {
  const fs::path source = files::source_directory();
  return {source / "rtl", source / "sc_models", source / "sw", source / "configs"};
}

Paths rtl_objects(const NamedFiles& /*run*/) {
  Paths paths = {files::built_directory() / "rtl"};
  const std::string given = environment("STROBE_RTL_DIR");
  if (!given.empty()) paths.emplace_back(given);
  return paths;
}

Paths cache(const NamedFiles& /*run*/) {
  if (environment("STROBE_CACHE").empty() && environment("HOME").empty()) return {};
  return {files::cache_folder("", "what is made once")};
}

Paths guest(const NamedFiles& /*run*/) { return {files::guest_directory()}; }

Paths fetched(const NamedFiles& /*run*/) { return {files::fetched_directory()}; }

Paths tools(const NamedFiles& /*run*/) {
  Paths paths;
  std::istringstream folders(environment("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    paths.emplace_back(folder.empty() ? "." : folder);
  }
  paths.insert(paths.end(), confine::kToolFolders.begin(), confine::kToolFolders.end());
  return paths;
}

Paths scratch(const NamedFiles& /*run*/) {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  return error ? Paths() : Paths{folder};
}

Paths run_files(const NamedFiles& run) { return run.run_files; }

Paths link_files(const NamedFiles& run) { return run.link_files; }

Paths productions(const NamedFiles& run) {
  const auto& files = run.configuration.decode.productions;
  return {files.begin(), files.end()};
}

constexpr const char* kHost = "code of the host";
constexpr const char* kAnyone = "anyone";
constexpr const char* kUser = "someone whom the user trusts";

}  // namespace

const std::vector<LoadedThing>& loaded_things() {
  static const std::vector<LoadedThing> kThings = {
      {"the directory of strobe itself", "`bin/` of the build or the installation", kHost, kUser,
       "strobe", own_programs, true},
      {"the directory of sources", "`rtl/`, `sc_models/`, `sw/` and `configs/` of the source tree",
       "code of the host once it is Verilated; named parts of run files; scripts of synthesis",
       kUser, "rtl", sources, true},
      {"the directory of RTL objects", "`rtl/` of the build; `$STROBE_RTL_DIR`", kHost, kUser,
       "rtl", rtl_objects, true},
      {"the cache", "`$STROBE_CACHE`, else `~/.cache/strobe`",
       "code of the host (Verilated objects), edited programs, results of synthesis",
       "the user or root, which is checked", "rtl", cache, true},
      {"the directory of tools", "each folder of `$PATH`; `/usr/local/bin`, `/usr/bin` and `/bin`",
       "code of the host: Verilator, g++, the tools of synthesis and of Slurm from `$PATH`; "
       "linkers, "
       "objdump and llvm-bolt from the fixed folders",
       kUser, "", tools, false},
      {"the folder of temporary files", "`$TMPDIR`, else `/tmp`",
       "scripts of synthesis, objects that are linked", "the user, which is checked", "", scratch,
       false},
      {"the run file", "a run file, its includes, a sweep file",
       "names every other file, grants the sandbox; "
       "`launcher.command` and `launcher.sbatch` of a sweep file are code of the host",
       kUser, "", run_files, false},
      {"the directory of firmware and workloads", "`$STROBE_GUEST_DIR`, else `guest/` of the build",
       "code of the modeled core, in machine mode", kUser, "firmware", guest, true},
      {"the observer of SHIM", "`observer.elf` beside the firmware", "code of the modeled core",
       kUser, "observer", guest, true},
      {"the directory of fetched workloads",
       "`$STROBE_WORKLOADS`, else `strobe/workloads` below `$XDG_CACHE_HOME` or `~/.cache`",
       "code of the modeled core, in user mode", kUser, "elf", fetched, true},
      {"a production file", "`decode.productions`", "code of the modeled core, in any program",
       kAnyone, "productions", productions, false},
      {"a file of the program's link", "`NAME.link` or `workload.objects`",
       "data: the arguments of a known linker, which runs confined", kAnyone, "link", link_files,
       false},
      {"an object of the program", "what the link record names",
       "code of the modeled core, in user mode", kAnyone, "instrumented", link_files, false},
      {"the program", "`workload.elf`", "code of the modeled core, in user mode", kAnyone, "elf",
       nullptr, false},
      {"the standard input", "`workload.stdin`", "data of the program", kAnyone, "stdin", nullptr,
       false},
      {"a stream, a result, a profile, a library of synthesis",
       "what `replay`, `report`, `optimize`, `import` and `synth` are given", "data", kAnyone, "",
       nullptr, false},
  };
  return kThings;
}

}  // namespace strobe::result
