#include "sw/synth/equivalence.h"

#include <fmt/format.h>

#include "sc_models/profiling/verilated/run_tool.h"
#include "sw/synth/clock_gates.h"
#include "sw/synth/files.h"

namespace strobe::synth {
namespace {

constexpr int kKilled = 128;  // run_tool adds the signal's number

}  // namespace

std::string check_equivalence(const Point& point, const Design& design, const CellLibrary& library,
                              const std::filesystem::path& netlist) {
  if (!design.memories().empty()) return "has memories";
  const ScratchFolder folder;
  // The flow sets what the RTL leaves undefined to 0; so does the gold side.
  const std::string common = "async2sync\ndffunmap\nopt_clean\n";
  std::string script = read_commands(point, design.source_modules(), "");
  script += "proc\nflatten\nopt -full\nsetundef -zero\nmemory -nomap\nsplitnets\n" + common;
  script += "design -stash gold\n";
  write_file(folder / "netlist.v", without_clock_gates(read_file(netlist), library));
  script += "read_liberty -ignore_miss_func " + library.file + "\nread_verilog " +
            (folder / "netlist.v").string() + "\nhierarchy -top strobe_block\nproc\nflatten\n" +
            common + "design -stash gate\n";
  script += "design -copy-from gold -as gold strobe_block\n";
  script += "design -copy-from gate -as gate strobe_block\n";
  script += "equiv_make gold gate equiv\nhierarchy -top equiv\nequiv_simple\nequiv_induct\n";
  script += "equiv_status -assert\n";
  write_file(folder / "equivalence.ys", script);
  const auto result = profiling::run_tool({"prlimit", fmt::format("--cpu={}", kProofSeconds),
                                           "yosys", "-q", (folder / "equivalence.ys").string()},
                                          source_directory().string());
  if (result.exit_code == 0) return "proved";
  if (result.exit_code > kKilled) return fmt::format("not finished in {} s", kProofSeconds);
  const size_t error = result.output.find("ERROR");
  return "NOT EQUAL: " + (error == std::string::npos ? result.output : result.output.substr(error));
}

}  // namespace strobe::synth
