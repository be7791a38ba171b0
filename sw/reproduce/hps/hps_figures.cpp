#include "sw/reproduce/hps/hps_figures.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "sw/reproduce/hps/hps_cost_runs.h"
#include "sw/reproduce/hps/hps_runs.h"
#include "sw/reproduce/of_programs.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;
using namespace hps;
using reproduce::hps::Profile;
using reproduce::hps::Sampled;
using reproduce::hps::Split;

std::string extent_text(Profile profile, const Extent& extent) {
  return fmt::format("{} in the first {} M instructions (input `{}` where the program is ours)",
                     reproduce::hps::kProfileNames[profile], extent.run / kMillion, extent.size);
}

std::string setup(const std::array<Extent, reproduce::hps::kProfiles>& extents) {
  using namespace reproduce::hps;
  return fmt::format(
      "Core hps2005. Each profile is measured in one region, with every setting: {}; {}; {}. An "
      "overhead is relative to the cycles of the same instructions with the lookup of the engine "
      "off. A point that has both accuracy and overhead has them from one run.\n"
      "Numbers in parentheses beside a mean are its 95 % confidence interval, by bootstrap over "
      "the programs, or the least and the most where the text says so.",
      extent_text(kStreams, extents[kStreams]), extent_text(kPairs, extents[kPairs]),
      extent_text(kMethods, extents[kMethods]));
}

/// Figures 7 and 8.
std::string sampled_setup() {
  return fmt::format(
      "{}\n"
      "Overheads of calls are estimates of [mode sampled](../sampling.md): the first {} M "
      "instructions and {} in every {} after them are timed, the rest is executed with caches and "
      "predictors kept warm. A number after +- is what the estimate may be off by at 99.7 % "
      "confidence. \"None\" as an overhead: so few events were collected that no timed unit has "
      "one.\n",
      setup(kExtents), kSamplingStart / kMillion, kSamplingUnit, kSamplingInterval);
}

constexpr const char* kAccuracy =
    "Accuracy is measured against the exhaustive profile of the same instructions. Sparsity = "
    "burst "
    "x (1 / frequency - 1).\n"
    "The overlap is that of the entries that make up 90 % of a profile, as in section 5: hot "
    "streams (found by the subpath detector) are compared by access signature, call pairs and "
    "methods by function. The other overlap compares streams by pairs of successive accesses, "
    "call pairs by the pc of the call and the callee, and methods by target; for the last two it "
    "is again that of the entries that make up 90 %.";

/// `what` of every program, with the two files of results of each.
template <class Measured, class What>
MeasuredPrograms<Measured> measure(const fs::path& folder, const ReproductionPrograms& programs,
                                   What what) {
  return of_programs_at_once<Measured>(
      folder, "hps", programs, [&](KeptResults& kept, const ReproductionProgram& program) {
        KeptResults kept_streams(folder / fmt::format("{}.hps-streams.json", program.name));
        return what(kept, kept_streams, program);
      });
}

}  // namespace

reproduce::Reproduction hps_fig6(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  auto splits = measure<Split>(folder, programs, split_of);
  reproduce::Reproduction result = reproduce::hps::fig6(splits.measured);
  result.checks.push_back(reproduce::hps::machine_check(machine_of(programs.there.front())));
  result.setup = fmt::format(
      "{}\nOne event in {} is sampled, in bursts of one, with timing. Each of the first three "
      "columns of a table is what its step adds to the steps before "
      "([recipe](../dise-language.md#sampling)). Basic: plain DISE only counts. Checks: it also "
      "replaces every instruction of the profile, but no burst ever begins. Profiling: bursts "
      "begin. For call pairs and methods the check is the framework's own branch. Branch-on-random "
      "is one instruction of the replacement sequence ([page](../blocks/branch_on_random.md)).",
      setup(kSplitExtents), reproduce::hps::kFrequencies.front());
  result.skipped = programs.skipped;
  result.failed = std::move(splits.failed);
  return result;
}

reproduce::Reproduction hps_fig7(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  auto sampled = measure<Sampled>(folder, programs, sampled_of);
  reproduce::Reproduction result = reproduce::hps::fig7(sampled.measured);
  result.setup = sampled_setup() + kAccuracy;
  result.skipped = programs.skipped;
  result.failed = std::move(sampled.failed);
  return result;
}

reproduce::Reproduction hps_fig8(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  auto sampled = measure<Sampled>(folder, programs, sampled_of);
  reproduce::Reproduction result = reproduce::hps::fig8(sampled.measured);
  result.setup = fmt::format(
      "{}{} The points of figure 7 are those of its runs; the others are of the functional "
      "simulator with the same decode engine.",
      sampled_setup(), kAccuracy);
  result.skipped = programs.skipped;
  result.failed = std::move(sampled.failed);
  return result;
}

reproduce::Reproduction hps_cost(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  auto costed = of_programs_at_once<reproduce::hps::Costed>(folder, "hps", programs, hps::costed);
  reproduce::Reproduction result = reproduce::hps::cost(costed.measured);
  result.setup = fmt::format(
      "Core hps2005 with timing: {} M instructions of each program (input `{}` where it is ours), "
      "after {} M that are not measured, in bursts of one. Cycles of an event and overheads are "
      "relative to the same core and engine with the sampling framework alone, which collects "
      "nothing.\n"
      "Handlers run in machine mode. Their branches share the program's history and tables, or "
      "change neither (frozen), or have a history of their own (banked): "
      "[isolation](../blocks/core.md#predictors). A better predictor (tage) and a perfect "
      "one "
      "are bounds. A further stage of the engine makes the front end a stage longer for every "
      "instruction: the paper's engine answers in decode, the RTL here after 5 cycles "
      "([engine](../blocks/dise.md)).\n"
      "Between two events at 1/5000 the program replaces more of the handler's code, table and "
      "branch predictions than at 1/500: that is what cold and warm mean here.\n"
      "The paper gives no cost of an event. Its 0.2 % at 1/500, with a call in 25 to 100 "
      "instructions, are 15 to 59 cycles for each collected call at an IPC of 1.7: about 35 in the "
      "middle.\n"
      "Numbers in parentheses are 95 % confidence intervals, by bootstrap over the programs, or "
      "the "
      "least and the most where the text says by program.",
      kCostRun / kMillion, kExtents[reproduce::hps::kPairs].size, kCostSkip / kMillion);
  result.skipped = programs.skipped;
  result.failed = std::move(costed.failed);
  return result;
}

}  // namespace strobe
