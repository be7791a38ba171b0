#include "sw/synth/mapping/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sw/synth/netlist/clock_gates.h"
#include "sw/synth/timing/timing.h"
#include "sw/synth/tools/files.h"
#include "sw/text/json_text.h"

namespace strobe::synth {
namespace {

namespace fs = std::filesystem;

const std::string kRegisterSuffix = "_reg";
const std::string kGateSuffix = "_gate";

/// A netlist by one recipe.
struct Candidate {
  std::string recipe;
  fs::path netlist, statistics;
};

std::string macro_module(const Macro& macro) {
  return fmt::format(
      "  if (Width == {0} && Depth == {1}) begin : gen_{2}\n"
      "    {2} u_macro (.clk_i, .we_i, .waddr_i, .wdata_i, .re_i, .raddr_i, .rdata_o);\n"
      "  end else",
      macro.size.width, macro.size.depth, macro.size.cell_name());
}

// Takes the RTL to flip-flops and generic logic, from which every recipe starts. The Liberty files
// tell the directions of the pins. Registers get their clock gates while they are whole, and so do
// the words of memories made of flip-flops. There is no fsm pass, because it would change the codes
// of the RTL's registers, and the proof and the simulation compare these. opt may share an
// operation by a multiplexer of words, which abc does not take; simplemap makes gates of it.
std::string coarse_script(const Point& point, const Design& design, const CellFlow& flow,
                          const ScratchFolder& folder) {
  return "read_liberty -lib " + flow.library.file + "\nread_liberty -lib " +
         (folder / "macros.lib").string() + "\n" +
         read_commands(point, design.source_modules(), (folder / "memories.sv").string()) +
         (flow.children.empty() ? "" : black_box_commands(flow.children)) +
         "setattr -set register 1 -set fsm_encoding \"none\" w:*_q\nsynth -flatten -run "
         "coarse:fine\nopt -fast -full\n"
         "memory_map\nopt -undriven -fine\ntechmap -map " +
         (folder / "gates.v").string() + "\nsynth -run fine:\nsetundef -zero\ndfflibmap -liberty " +
         flow.library.file + "\nopt -full\nsimplemap\nopt_clean -purge\nwrite_rtlil " +
         (folder / "coarse.il").string() + "\n";
}

std::string mapping_script(const Candidate& candidate, const CellFlow& flow,
                           const ScratchFolder& folder) {
  return fmt::format(
      "read_rtlil {}\nabc -liberty {} -script {} -constr {}\nsplitnets\nrename -wire -suffix {}\n"
      "opt_clean -purge\ntee -q -o {} stat -json\nwrite_verilog -noattr -noexpr -simple-lhs {}\n",
      (folder / "coarse.il").string(), flow.library.file,
      (folder / (candidate.recipe + ".abc")).string(), (folder / "drive").string(), kRegisterSuffix,
      candidate.statistics.string(), candidate.netlist.string());
}

void run_yosys(const std::string& what, const fs::path& file, const std::string& script) {
  write_file(file, script);
  run(what, {"yosys", "-q", file.string()});
}

// The signal that a pin of the netlist belongs to. A flip-flop is called <signal>_reg and its clock
// gate <signal>_gate; a macro sits in its memory; a port is its own signal. A slash separates the
// modules of a composed block.
std::string signal_of(const std::string& pin) {
  const size_t slash = pin.rfind('/');
  std::string name = slash == std::string::npos ? pin : pin.substr(0, slash);
  name.erase(std::remove(name.begin(), name.end(), '\\'), name.end());
  std::replace(name.begin(), name.end(), '/', '.');
  const size_t macro = name.find(".gen_strobe_sram_");
  if (macro != std::string::npos) return name.substr(0, macro) + "." + pin.substr(slash + 1);
  const size_t gate = name.rfind(kGateSuffix);
  const bool gated = gate != std::string::npos && name.size() == gate + kGateSuffix.size();
  const size_t suffix = gated ? gate : name.rfind(kRegisterSuffix);
  return suffix == std::string::npos ? name : name.substr(0, suffix);
}

std::string instance_of(const std::string& pin) { return pin.substr(0, pin.rfind('/')); }

CriticalPath path_of(const TimingPath& path, const Design& design) {
  // A path that starts at a cell's clock pin continues at that cell's output.
  const std::vector<TimingPoint>& points = path.points;
  const bool cell = points.size() > 1 && points[0].pin.find('/') != std::string::npos &&
                    instance_of(points[0].pin) == instance_of(points[1].pin);
  return {design.resolve(signal_of(points[cell ? 1 : 0].pin)),
          design.resolve(signal_of(points.back().pin))};
}

void add_areas(const nlohmann::json& statistics, const CellFlow& flow, CellResult* result) {
  for (const auto& [type, count] :
       statistics["modules"]["\\strobe_block"]["num_cells_by_type"].items()) {
    const int number = count;
    const auto cell = flow.library.cells.find(type);
    const auto macro = std::find_if(
        flow.macros.begin(), flow.macros.end(),
        [&, &name = type](const auto& entry) { return entry.first.cell_name() == name; });
    const auto child = std::find_if(
        flow.children.begin(), flow.children.end(),
        [&, &name = type](const auto& entry) { return entry.second.module() == name; });
    if (child != flow.children.end()) {
      const CellResult& part = child->second.cells;
      result->logic_area += number * part.logic_area;
      result->flip_flop_area += number * part.flip_flop_area;
      result->memory_area += number * part.memory_area;
      result->flip_flops += number * part.flip_flops;
    } else if (type == kClockGate) {
      result->logic_area += number * clock_gate_area(flow.library);
    } else if (macro != flow.macros.end()) {
      result->memory_area += number * macro->second.area;
    } else if (cell == flow.library.cells.end()) {
      throw std::runtime_error(
          fmt::format("{} cells {} are not in {}: the library has nothing for them", number, type,
                      flow.library.name));
    } else if (cell->second.sequential || cell->second.latch) {
      result->flip_flop_area += number * cell->second.area;
      result->flip_flops += number;
    } else {
      result->logic_area += number * cell->second.area;
    }
  }
}

// Each recipe runs in a Yosys of its own, because abc may give up or crash on a block with one
// recipe and not with the others.
std::vector<Candidate> map_by_recipes(const std::string& what, const CellFlow& flow,
                                      const ScratchFolder& folder, CellResult* result) {
  std::vector<Candidate> candidates;
  const std::string children = netlist_of(flow.children);
  std::string why;
  for (const Recipe& recipe : flow.recipes) {
    const std::string& name = recipe.name;
    const Candidate candidate{name, folder / (name + ".v"), folder / (name + ".json")};
    write_file(folder / (name + ".abc"), recipe.script);
    try {
      run_yosys(fmt::format("{} by recipe {}", what, name), folder / (name + ".ys"),
                mapping_script(candidate, flow, folder));
      write_file(candidate.netlist,
                 with_named_clock_gates(read_file(candidate.netlist)) + children);
      candidates.push_back(candidate);
    } catch (const std::runtime_error& error) {
      result->failed_recipes.push_back(name);
      why = error.what();
    }
  }
  if (candidates.empty()) throw std::runtime_error("no recipe is left: " + why);
  return candidates;
}

double total_area(const Candidate& candidate, const CellFlow& flow) {
  CellResult areas;
  add_areas(text::own_json_from(read_file(candidate.statistics)), flow, &areas);
  return areas.area();
}

// The smallest period; 0 when there is no path.
double period_of(const Netlist& netlist, const std::vector<Port>& ports, const CellFlow& flow) {
  constexpr double kAnyPeriod = 10;  // ns
  try {
    return kAnyPeriod -
           analyse(netlist, ports, kAnyPeriod, flow.library, &flow.calibration).setup.slack;
  } catch (const NoPath&) {
    return 0;
  }
}

}  // namespace

std::string memory_wrapper(const std::map<MemorySize, Macro>& macros) {
  std::string text = read_file(source_directory() / "rtl/common/strobe_ram_1r1w.sv");
  std::string choice;
  for (const auto& [size, macro] : macros) {
    if (macro.source != MemorySource::kFlipFlops) choice += macro_module(macro);
  }
  if (choice.empty()) return text;
  const size_t body = text.find("  logic [Width-1:0] mem[Depth];");
  const size_t end = text.rfind("endmodule");
  if (body == std::string::npos || end == std::string::npos)
    throw std::runtime_error("strobe_ram_1r1w.sv: no 'logic [Width-1:0] mem[Depth];' to replace");
  return text.substr(0, body) + choice + " begin : gen_flip_flops\n" +
         text.substr(body, end - body) + "  end\nendmodule\n";
}

const Tried& best_of(const std::vector<Tried>& tried, double target) {
  const auto is_better = [target](const Tried& a, const Tried& b) {
    if (a.period <= target && b.period <= target) return a.area < b.area;
    return a.period < b.period;
  };
  return *std::min_element(tried.begin(), tried.end(), is_better);
}

CellResult synthesize_cells(const Point& point, const Design& design, const CellFlow& flow,
                            const fs::path& netlist) {
  const ScratchFolder folder;
  std::vector<Macro> macros;
  CellResult result;
  result.failed_recipes = failed_recipes_of(flow.children);
  for (const auto& [size, instances] : design.memories()) {
    const Macro& macro = flow.macros.at(size);
    result.memories.push_back({macro, instances});
    if (macro.source != MemorySource::kFlipFlops) macros.push_back(macro);
  }
  write_file(folder / "memories.sv", memory_wrapper(flow.macros));
  write_file(
      folder / "macros.lib",
      macro_liberty(macros, clock_gate_liberty(flow.library, flow.calibration), flow.library));
  write_file(folder / "gates.v", clock_gate_techmap());
  const Cell& flip_flop = flow.library.cells.at(flow.library.flip_flop);
  write_file(
      folder / "drive",
      fmt::format("set_driving_cell {}\nset_load {:.3f} [all_outputs]\n", flow.library.buffer,
                  1000 * flip_flop.pin(flip_flop.next_state)->capacitance));

  const std::string what = fmt::format("synthesizing {}", point.text());
  run_yosys(what, folder / "coarse.ys", coarse_script(point, design, flow, folder));
  const std::vector<Candidate> candidates = map_by_recipes(what, flow, folder, &result);

  Netlist files{"", "strobe_block", {flow.library.file, (folder / "macros.lib").string()}};
  const std::vector<Port>& ports = design.modules.at(design.top).ports;
  for (const Candidate& candidate : candidates) {
    files.verilog = candidate.netlist;
    result.tried.push_back(
        {candidate.recipe, period_of(files, ports, flow), total_area(candidate, flow)});
  }
  const Tried& best = best_of(result.tried, flow.target);
  const Candidate& chosen = candidates[static_cast<size_t>(&best - result.tried.data())];
  result.period = best.period;
  result.recipe = (flow.children.empty() ? "" : "composed-") + best.recipe;
  result.parts = parts_of(design, flow.children);
  if (result.period > 0) {
    files.verilog = chosen.netlist;
    const Timing timing = analyse(files, ports, result.period, flow.library, &flow.calibration);
    result.setup_slack = timing.setup.slack;
    result.hold_slack = timing.hold.slack;
    result.path = path_of(timing.setup, design);
  }
  result.gate_area = flow.library.nand2_area();
  add_areas(text::own_json_from(read_file(chosen.statistics)), flow, &result);
  fs::copy_file(chosen.netlist, netlist, fs::copy_options::overwrite_existing);
  return result;
}

}  // namespace strobe::synth
