// Memories: the cost of a macro of one read and one write port, from an analytic model or from the
// user's table.
//
// docs/synthesis.md has the formulas and configs/synth/sram.yaml the coefficients with their
// sources.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sw/text/diagnostic.h"

namespace strobe::synth {

struct CellLibrary;

/// Word width and number of words.
struct MemorySize {
  int width = 0;
  int depth = 0;

  long bits() const { return static_cast<long>(width) * depth; }
  bool operator<(const MemorySize& other) const {
    return std::pair(width, depth) < std::pair(other.width, other.depth);
  }
  bool operator==(const MemorySize& other) const {
    return width == other.width && depth == other.depth;
  }
  /// The name of the macro's cell: "strobe_sram_8x2048".
  std::string cell_name() const;
};

enum class MemorySource { kModel, kUser, kFlipFlops };
/// "model", "user" or "flip-flops".
const char* name_of(MemorySource source);

/// One memory of some size. For a memory in flip-flops all figures are 0, because the logic
/// includes them.
struct Macro {
  MemorySize size;
  MemorySource source = MemorySource::kModel;
  int banks = 1, rows = 0, columns = 0;  // a bank's; the model alone sets them
  double area = 0;                       // um2
  double access = 0;                     // ns, clock edge to data
  double setup = 0;                      // ns
  double read_energy = 0;                // pJ an access
  double write_energy = 0;
};

/// The technology a macro is estimated for.
struct Technology {
  double feature = 0;  // um
  double voltage = 0;  // V
  double fo4 = 0;      // ns
};

class SramModel {
 public:
  /// Throws std::invalid_argument naming a coefficient that is missing.
  explicit SramModel(std::map<std::string, double> coefficients);

  bool is_flip_flops(MemorySize size) const;
  Macro estimate(MemorySize size, const Technology& technology) const;
  /// The area of a macro (um2), however small it is; `feature` is in um.
  double area_of(MemorySize size, double feature) const;

 private:
  struct Bank {
    int banks = 1, rows = 0, columns = 0;
  };
  Bank organize(MemorySize size) const;
  double operator[](const char* name) const { return coefficients_.at(name); }

  std::map<std::string, double> coefficients_;
};

/// The contents of sram.yaml. Every coefficient must be there, once, with a source.
struct SramData;
SramData read_sram(const std::string& file, text::Diagnostics* diagnostics);

/// Reads the user's macros: CSV with the header width,depth,area_um2,access_ns,setup_ns and
/// optionally read_pj,write_pj. Throws std::runtime_error "FILE:LINE: ...".
std::vector<Macro> parse_macros(const std::string& csv, const std::string& file);

/// The timing of an input pin in Liberty: the setup time (ns) before a rising edge of clk_i, and no
/// hold time.
std::string liberty_checks(double setup);

/// The macros and other cells as Liberty text, a library that Yosys and OpenSTA read. Inputs load
/// their nets as a flip-flop of `library` does.
std::string macro_liberty(const std::vector<Macro>& macros, const std::string& other_cells,
                          const CellLibrary& library);

}  // namespace strobe::synth
