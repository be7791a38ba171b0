#include "sw/reproduce/bursty/bursty_figures.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sw/reproduce/bursty/bursty_runs.h"
#include "sw/reproduce/of_programs.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;
using namespace bursty;

std::string common_setup() {
  return fmt::format(
      "All code of each program is edited, libraries too, in the first {} M instructions (input "
      "`{}` where the program is ours): the same instructions of the original in every run, for "
      "accuracy and for overhead. The core is hps2005. A claim about a "
      "mean holds when the whole 95 % confidence interval of the mean over the programs is inside "
      "the limits, differs when all of it is outside, and is undecided otherwise.",
      kExtent.run / kMillion, kExtent.size);
}

}  // namespace

reproduce::Reproduction bursty_fig6(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  reproduce::Reproduction result = reproduce::bursty::fig6(
      of_programs<reproduce::bursty::Basic>(folder, "bursty", programs, basic_of));
  result.setup = common_setup() +
                 " nCheck0 is infinite (2^31 - 1) and nInstr0 is 1, so nothing is sampled: what is "
                 "left is the basic overhead, relative to the cycles of the original program. The "
                 "events of interest are data references, which decide what a 4-boring loop is.";
  result.skipped = programs.skipped;
  return result;
}

reproduce::Reproduction bursty_fig7(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  reproduce::Reproduction result = reproduce::bursty::fig7(
      of_programs<reproduce::bursty::Settings>(folder, "bursty", programs, settings_of));
  result.setup =
      common_setup() +
      " The variant is EC+L4 and the events are data references. Hot data streams have 10 to 40 "
      "references and together cover 90 % of the trace; the subpath detector finds them where "
      "nothing else is said. They are compared by access signature with those of the trace of all "
      "references of the original program. HPS and plain DISE count calls and backward branches "
      "between bursts, where bursty tracing counts its checks.";
  result.skipped = programs.skipped;
  return result;
}

reproduce::Reproduction bursty_fig8(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  reproduce::Reproduction result = reproduce::bursty::fig8(
      of_programs<reproduce::bursty::Variants>(folder, "bursty", programs, variants_of));
  result.setup =
      common_setup() + " nCheck0:nInstr0 is 1000:50, and the events are data references.";
  result.skipped = programs.skipped;
  return result;
}

}  // namespace strobe
