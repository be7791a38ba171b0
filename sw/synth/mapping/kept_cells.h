// The cells of blocks, kept from one process to the next. The key of each result says everything
// that decides it.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sw/synth/design/design.h"
#include "sw/synth/library/libraries.h"
#include "sw/synth/mapping/cells.h"
#include "sw/synth/memory/real_macros.h"
#include "sw/synth/memory/sram.h"

namespace strobe::synth {

/// What decides the cells of every block, beside its point and its RTL.
struct CellSetup {
  LibraryEntry library;            // its feature size is 0 when it is unknown
  SramData sram;                   // the model of memories
  std::set<std::string> composed;  // modules whose children are synthesized by themselves
  std::vector<Macro> user_macros;  // come before the model's
  std::vector<std::pair<std::string, std::string>> tools;  // name and version
};

/// Errors are std::runtime_error, which names the point, and std::invalid_argument for a memory of
/// unknown size in nm.
class KeptCells {
 public:
  /// Reads the library.
  explicit KeptCells(CellSetup setup);

  /// Calibrates the library and synthesizes the yardstick, whose period is from now on the target
  /// of every synthesis. To be called before the other functions that synthesize.
  void set_target();

  const CellLibrary& library() const { return flow_.library; }
  const Calibration& calibration() const { return flow_.calibration; }
  double target() const { return flow_.target; }  // ns
  const SramModel& sram() const { return sram_; }
  bool is_composed(const Point& point) const { return setup_.composed.count(point.module) != 0; }

  /// Throws when a memory of the point has no macro.
  void require_macros(const Point& point) const;
  /// The flow with the macros of a design.
  CellFlow flow_for(const Design& design) const;

  CellResult of(const Point& point);
  /// The file with the netlist of a point whose cells are synthesized.
  std::string netlist(const Point& point) const;
  /// The children of a composed block, synthesized for a share of the target.
  Children children_of(const Design& design, double share);

  /// The beginning of the key of a step, with the library and the tools.
  std::string step_key(const std::string& step) const;
  /// The key of a point's cells, and of a child's.
  std::string key_of(const Point& point) const;
  std::string child_key(const Point& point, double share);

 private:
  Macro macro(MemorySize size) const;
  CellResult cells_by(const Point& point, const std::vector<Recipe>& recipes,
                      const std::string& inputs);
  void require_same_library() const;
  CellResult cells_of(const Point& point, const std::string& inputs,
                      const std::function<CellResult(const Design& design,
                                                     const std::string& netlist)>& compute) const;
  CellResult composed_cells(const Point& point, const std::vector<double>& shares,
                            const std::string& inputs);
  Child child(const Point& point, double share);
  std::string recipe_for(const Point& point, double share);

  CellSetup setup_;
  SramModel sram_;
  CellFlow flow_;
};

}  // namespace strobe::synth
