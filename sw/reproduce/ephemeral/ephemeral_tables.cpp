#include "sw/reproduce/ephemeral/ephemeral_tables.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sw/reproduce/ephemeral/ephemeral_runs.h"
#include "sw/reproduce/of_programs.h"

namespace strobe {

reproduce::Reproduction ephemeral_table(const std::filesystem::path& folder, size_t number) {
  using namespace ephemeral;
  ReproductionPrograms programs = reproduction_programs();
  std::vector<ReproductionProgram> there;
  for (const ReproductionProgram& program : programs.there) {
    if (program.own || test_input(program) != nullptr) {
      there.push_back(program);
    } else {
      programs.skipped.push_back(fmt::format("{} (it has one input)", program.name));
    }
  }
  programs.there = there;
  constexpr size_t kFirst = 2;
  const reproduce::ephemeral::PaperTable& paper = reproduce::ephemeral::kTables.at(number - kFirst);
  reproduce::Reproduction result = reproduce::ephemeral::table(
      paper, of_programs<reproduce::ephemeral::Measured>(folder, "ephemeral", programs, measured));
  result.setup = fmt::format(
      "The paper's program is {}; ours are the same for every table. The core is inorder4. "
      "Profiles "
      "are of whole runs with the input `{}`, cycles of whole runs with the input `{}`; the "
      "fetched "
      "programs are trained with their own input and tested with another program's. An epoch has "
      "{} "
      "M cycles. A claim about a mean holds when the whole 95 % confidence interval of the mean "
      "over "
      "the programs is inside the limits, differs when all of it is outside, and is undecided "
      "otherwise. Limits: a quarter of the paper's saving, {:.0f} point of a difference, a quarter "
      "of "
      "an overhead but at least {:.0f} point.",
      paper.program, kTraining, kTest, kEpoch / kMillion, 100 * reproduce::ephemeral::kPoint,
      100 * reproduce::ephemeral::kPoint);
  result.skipped = programs.skipped;
  return result;
}

}  // namespace strobe
