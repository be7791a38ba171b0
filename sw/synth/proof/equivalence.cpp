#include "sw/synth/proof/equivalence.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "sw/files/run_tool.h"
#include "sw/synth/mapping/cells.h"
#include "sw/synth/netlist/clock_gates.h"
#include "sw/synth/proof/register_cut.h"
#include "sw/synth/tools/files.h"
#include "sw/text/json_text.h"

namespace strobe::synth {
namespace {

namespace fs = std::filesystem;

constexpr int kKilled = 128;  // run_tool adds the signal's number

files::ToolResult limited(std::vector<std::string> command) {
  command.insert(command.begin(), {"prlimit", fmt::format("--cpu={}", kProofSeconds)});
  return files::run_tool(command, source_directory().string());
}

// Maps both sides to inverters, ANDs and flip-flops. Sums and products first become what the flow
// makes of them; otherwise ABC finds nothing in common between two multipliers. The flow sets what
// the RTL leaves undefined to 0, and so does this script. A register that a table of constants
// feeds stays in place (-nordff), as it does in the flow; a register that never gets a value stays,
// too (-noff). A memory in flip-flops uses as many bits of an address as its words need, as in the
// flow (wreduce). Where registers correspond by the values they hold, unread registers stay,
// because the netlist may have one of them in the place of another. The children of a composed
// block are black boxes on both sides.
std::string script_of(const Point& point, const Design& design, const CellFlow& flow,
                      Correspondence by, const ScratchFolder& folder) {
  const std::string keep = by == Correspondence::kValues ? "setattr -set keep 1 w:*_q\n" : "";
  const std::string memories = "wreduce t:$memrd_v2 t:$memwr_v2\nmemory -nordff\n";
  const std::string to_gates = "splitnets -ports\ndffunmap\ntechmap\n";
  const std::string macros = "read_liberty -lib " + (folder / "macros.lib").string() + "\n";
  const auto written = [&](const char* file) {
    return "aigmap\nopt_clean\nwrite_json " + (folder / file).string() + "\n";
  };
  std::string boxes;
  for (const auto& [key, child] : flow.children) boxes += "blackbox " + child.module() + "\n";
  return macros + read_commands(point, design.source_modules(), (folder / "memories.sv").string()) +
         (flow.children.empty() ? "" : black_box_commands(flow.children)) + "proc\nflatten\n" +
         keep + "opt -full -noff\n" + memories + "setundef -zero\nalumacc\nopt -noff\n" + to_gates +
         "setundef -undriven -zero\n" + written("rtl.json") + "design -reset\n" + macros +
         "read_liberty -ignore_miss_func " + flow.library.file + "\nread_verilog " +
         (folder / "netlist.v").string() + "\n" + boxes +
         "hierarchy -top strobe_block\nproc\nflatten\nopt -full -noff\n" + to_gates +
         written("netlist.json");
}

// Reads from cec's output the names of the first outputs that differ.
std::string difference_in(const std::string& output) {
  const std::string before = "outputs:";
  const size_t at = output.find(before);
  if (at == std::string::npos) return output;
  const size_t begin = at + before.size();
  return "they differ at" + output.substr(begin, output.find('\n', begin) - begin);
}

const std::string kNotFinished = fmt::format("not finished in {} s", kProofSeconds);

std::string compare(const CutPair& pair, const Point& point, const ScratchFolder& folder) {
  if (!pair.difference.empty()) return "NOT EQUAL: " + pair.difference;
  write_file(folder / "rtl.blif", pair.rtl);
  write_file(folder / "netlist.blif", pair.netlist);
  const auto compared =
      limited({"berkeley-abc", "-c",
               fmt::format("cec -T {} -C 1000000000 {} {}", kProofSeconds,
                           (folder / "rtl.blif").string(), (folder / "netlist.blif").string())});
  if (compared.output.find("Networks are equivalent") != std::string::npos) return kProved;
  if (compared.output.find("NOT EQUIVALENT") != std::string::npos) {
    if (pair.unknown.empty()) return "NOT EQUAL: " + difference_in(compared.output);
    return fmt::format("not proved: the RTL has no register {}", fmt::join(pair.unknown, ", "));
  }
  if (compared.exit_code > kKilled || compared.output.find("UNDECIDED") != std::string::npos)
    return kNotFinished;
  throw std::runtime_error(fmt::format("proof of {}: ABC says: {}", point.text(), compared.output));
}

std::string prove(const Point& point, const Design& design, const CellFlow& flow, Correspondence by,
                  const ScratchFolder& folder) {
  write_file(folder / "gates.ys", script_of(point, design, flow, by, folder));
  const auto made = limited({"yosys", "-q", (folder / "gates.ys").string()});
  if (made.exit_code > kKilled) return kNotFinished;
  if (made.exit_code != 0)
    throw std::runtime_error(fmt::format("proof of {}: {}", point.text(), made.output));
  const auto rtl = text::own_json_from(read_file(folder / "rtl.json"));
  const auto netlist = text::own_json_from(read_file(folder / "netlist.json"));
  return compare(cut_at_registers(rtl, netlist, by), point, folder);
}

}  // namespace

std::string check_equivalence(const Point& point, const Design& design, const CellFlow& flow,
                              const fs::path& netlist) {
  const ScratchFolder folder;
  std::vector<Macro> macros;
  for (const auto& [size, macro] : flow.macros) {
    if (macro.source != MemorySource::kFlipFlops) macros.push_back(macro);
  }
  write_file(folder / "memories.sv", memory_wrapper(flow.macros));
  write_file(folder / "macros.lib", macro_liberty(macros, "", flow.library));
  write_file(folder / "netlist.v", without_clock_gates(read_file(netlist), flow.library));
  // Either proof suffices. When both fail, the one by names says more.
  const std::string by_names = prove(point, design, flow, Correspondence::kNames, folder);
  if (by_names == kProved || by_names == kNotFinished) return by_names;
  const bool proved = prove(point, design, flow, Correspondence::kValues, folder) == kProved;
  return proved ? kProved : by_names;
}

}  // namespace strobe::synth
