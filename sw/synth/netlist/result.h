// What synthesis finds out about a block, and how a report shows it.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sw/synth/design/design.h"
#include "sw/synth/memory/real_macros.h"
#include "sw/synth/netlist/power.h"

namespace strobe::synth {

/// The cell library's own figures, measured in the same flow as the blocks.
struct Calibration {
  double fo4 = 0;         // ns: an inverter that drives four
  double clock_to_q = 0;  // ns, of a flip-flop that drives another
  double setup = 0;       // ns
};

struct CriticalPath {
  SignalName from, to;
};

struct MemoryUse {
  Macro macro;
  int instances = 0;
};

/// A block that a composed block instantiates.
struct Part {
  std::string instance;  // "u_queue"
  Point point;
  double logic_area = 0, flip_flop_area = 0, memory_area = 0;  // um2
  double period = 0;                                           // ns, as synthesized by itself
};

/// A netlist that one recipe made.
struct Tried {
  std::string recipe;
  double period = 0;  // ns
  double area = 0;    // um2
};

struct CellResult {
  double logic_area = 0, flip_flop_area = 0, memory_area = 0;  // um2
  double gate_area = 0;                                        // um2, of a 2-input NAND
  int flip_flops = 0;
  double period = 0;       // ns, the smallest; 0: all outputs are constant, there is no path
  double setup_slack = 0;  // ns at that period
  double hold_slack = 0;
  CriticalPath path;
  std::string recipe;
  std::vector<Tried> tried;                 // the netlists to choose from
  std::vector<std::string> failed_recipes;  // the recipes by which abc made no netlist
  std::vector<MemoryUse> memories;
  std::vector<Part> parts;  // a composed block's; its remaining logic is between them
  /// A composed block's: the share of the period that its parts were to meet.
  double child_share = 0;

  double area() const { return logic_area + flip_flop_area + memory_area; }
};

struct FpgaResult {
  int luts = 0, flip_flops = 0, block_rams = 0;
  std::optional<double> fmax;  // MHz; none: it does not fit
  std::string why_not;
};

/// A block, or the whole path of a named profiler configuration.
struct Subject {
  Point point;
  std::string configuration = "";  // its name; empty: a block
  uint64_t storage_bits = 0;       // the bits that the compressor of a configuration stores

  std::string text() const { return configuration.empty() ? point.text() : configuration; }
};

struct BlockResult {
  Subject subject;
  CellResult cells;
  std::optional<FpgaResult> fpga;  // none when only the netlist was asked for
  /// "proved", or why it was not; empty when only the netlist was asked for.
  std::string equivalence;
  std::optional<PowerEstimate> power;
  std::vector<std::string> sources;  // the RTL's files, relative to the root of the tree
};

struct Report {
  std::string library, library_sha256;
  nlohmann::json inputs;  // inputs_of()
  std::vector<std::pair<std::string, std::string>> tools;
  Calibration calibration;
  double yardstick = 0;  // ns
  std::vector<BlockResult> blocks;
  std::map<MemorySize, MemoryOrder> orders;  // for the memories that the model estimates
  Band real_over_model;                      // meaningful when there are orders
};

/// Adds the orders of macros for the memories that the model estimates; `feature` is in um.
void add_orders(Report& report, const RealMacros& real, const SramModel& model, double feature);
/// The area of a block's memories as its user can have them, um2: the user's own macros, and
/// ordered macros for the others.
Band real_memory_area(const Report& report, const CellResult& cells);

void to_json(nlohmann::json& json, const Calibration& value);
void from_json(const nlohmann::json& json, Calibration& value);
void to_json(nlohmann::json& json, const CellResult& value);
void from_json(const nlohmann::json& json, CellResult& value);
void to_json(nlohmann::json& json, const FpgaResult& value);
void from_json(const nlohmann::json& json, FpgaResult& value);

/// The whole report as JSON, with a schema version and the units in the names.
nlohmann::json report_json(const Report& report);
/// The whole report as tables of text.
std::string report_text(const Report& report);
/// A line for each recipe that abc failed on; empty when there is none.
std::string failed_recipes_text(const Report& report);
/// The tables of docs/tables/synthesis.md: every block, every named configuration, their FPGA
/// cells, those that miss the yardstick with their critical paths, those that do not fit the FPGA.
std::string report_markdown(const Report& report);

}  // namespace strobe::synth
