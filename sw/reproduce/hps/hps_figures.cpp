#include "sw/reproduce/hps/hps_figures.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sw/reproduce/hps/hps_runs.h"
#include "sw/reproduce/of_programs.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;
using namespace hps;
using reproduce::hps::Sampled;
using reproduce::hps::Split;

constexpr const char* kAbout =
    "Where the paper gives a mean as one number, the verdict is \"holds\" when ours is within a "
    "quarter of it.";

std::string extent_text(const Extent& extent) {
  return fmt::format("the first {} M instructions (input `{}` where the program is ours)",
                     extent.run / kMillion, extent.size);
}

std::string accuracy_setup() {
  return fmt::format(
      "Accuracy is measured against the exhaustive profile of the same instructions, by the "
      "functional simulator with the decode engine. Data streams are profiled in {}; call pairs "
      "and "
      "methods, both in one run, in {}. Sparsity = burst x (1 / frequency - 1).\n"
      "The overlap is that of the entries that make up 90 % of a profile, as in section 5: hot "
      "streams (found by the subpath detector) are compared by access signature, call pairs and "
      "methods by function. The other overlap compares streams by pairs of successive accesses, "
      "call pairs by the pc of the call and the callee, and methods by target; for the last two it "
      "is again that of the entries that make up 90 %.",
      extent_text(kStreamExtent), extent_text(kCallExtent));
}

}  // namespace

reproduce::Reproduction hps_fig6(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  reproduce::Reproduction result =
      reproduce::hps::fig6(of_programs<Split>(folder, "hps", programs, split_of));
  result.claims.push_back(reproduce::hps::machine_claim(machine_of(programs.there.front())));
  result.setup = fmt::format(
      "The core is hps2005 with timing, in {}. One event in {} is sampled, in bursts of one. An "
      "overhead is relative to the cycles of the same run with the lookup of the engine off. {}\n"
      "Each of the first three columns of a table is what its step adds to the steps before "
      "([recipe](../dise-language.md#sampling)). Basic: plain DISE only counts. Checks: it also "
      "replaces every instruction of the profile, but no burst ever begins. Profiling: bursts "
      "begin. For call pairs and methods the check is the framework's own branch. Branch-on-random "
      "steps its shift register in the replacement sequence.",
      extent_text(kSplitExtent), reproduce::hps::kFrequencies.front(), kAbout);
  result.skipped = programs.skipped;
  return result;
}

reproduce::Reproduction hps_fig7(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  reproduce::Reproduction result = reproduce::hps::fig7(
      of_programs<Sampled>(folder, "hps", programs, [](auto& kept, const auto& program) {
        Sampled sampled = sampled_of(kept, program);
        put_overheads(kept, program, sampled);
        return sampled;
      }));
  result.setup = fmt::format(
      "{}\nOverhead is measured on core hps2005 with timing, relative to the same run with the "
      "lookup "
      "of the engine off: call pairs and methods in {}, data streams in {}. {}",
      accuracy_setup(), extent_text(kSplitExtent), extent_text(kStreamExtent), kAbout);
  result.skipped = programs.skipped;
  return result;
}

reproduce::Reproduction hps_fig8(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  reproduce::Reproduction result =
      reproduce::hps::fig8(of_programs<Sampled>(folder, "hps", programs, sampled_of));
  result.setup = accuracy_setup();
  result.skipped = programs.skipped;
  return result;
}

}  // namespace strobe
