#include "sw/reproduce/reproduction_programs.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "sw/files/guest_files.h"
#include "sw/measure/confinement.h"

namespace strobe {
namespace {

constexpr const char* kBase = "configs/runs/quickstart.yaml";

constexpr ReproductionProgram kPrograms[] = {
    {"btree", kBase, true},
    {"desim", kBase, true},
    {"hashjoin", kBase, true},
    {"json", kBase, true},
    {"lisp", kBase, true},
    {"lz", kBase, true},
    {"othello", kBase, true},
    {"paths", kBase, true},
    {"raytrace", kBase, true},
    {"regex", kBase, true},
    {"bzip2", "configs/runs/bzip2.yaml", false},
    {"duktape", "configs/runs/duktape.yaml", false},
    {"gnugo", "configs/runs/gnugo.yaml", false},
    {"gzip", "configs/runs/gzip.yaml", false},
    {"lua", "configs/runs/lua.yaml", false},
    {"m4", "configs/runs/m4.yaml", false},
    {"mawk", "configs/runs/mawk.yaml", false},
    {"mujs", "configs/runs/mujs.yaml", false},
    {"perl", "configs/runs/perl.yaml", false},
    {"phalanx", "configs/runs/phalanx.yaml", false},
    {"picosat", "configs/runs/picosat.yaml", false},
    {"sqlite3", "configs/runs/sqlite3.yaml", false},
    {"tcc", "configs/runs/tcc.yaml", false},
    {"tcl", "configs/runs/tcl.yaml", false},
    {"tidy", "configs/runs/tidy.yaml", false},
    {"zstd", "configs/runs/zstd.yaml", false},
};

}  // namespace

config::LoadResult ReproductionProgram::load(const std::vector<std::string>& sets) const {
  std::vector<std::string> all;
  if (own) all.push_back(fmt::format("workload={{include: ../workloads/{}.yaml}}", name));
  all.insert(all.end(), sets.begin(), sets.end());
  config::LoadResult loaded = config::load_run_config(
      run_file, all, std::filesystem::path(run_file).parent_path().string());
  if (!loaded.good()) throw std::runtime_error(text::to_text(loaded.diagnostics));
  return loaded;
}

void confine_to_programs() {
  static bool confined = false;
  if (confined) return;
  confined = true;
  confine::Grants grants;
  for (const std::string& read :
       {std::string("configs"), files::guest_directory(), files::fetched_directory()}) {
    grants.paths.push_back({read, confine::Access::kRead});
  }
  confine_or_warn(grants, /*wanted=*/true);
}

ReproductionPrograms reproduction_programs() {
  ReproductionPrograms result;
  for (const ReproductionProgram& program : kPrograms) {
    const config::WorkloadConfig workload = program.load({}).configuration.workload;
    if (std::filesystem::exists(workload.elf)) {
      result.there.push_back(program);
      continue;
    }
    result.skipped.push_back(
        fmt::format("{} (no {}: {})", program.name, workload.elf_name,
                    program.own ? "build the guest programs" : "scripts/fetch-workloads gets it"));
  }
  if (result.there.empty()) {
    throw std::runtime_error("no program to run: build the guest programs");
  }
  return result;
}

}  // namespace strobe
