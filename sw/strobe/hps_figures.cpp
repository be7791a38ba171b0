#include "sw/strobe/hps_figures.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "sw/strobe/hps_runs.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;
using namespace hps;
using reproduce::hps::Sampled;
using reproduce::hps::Split;

constexpr const char* kAbout =
    "A mean that the paper gives as one number holds when ours is within a quarter of it.";

std::string extent_text(const Extent& extent) {
  return fmt::format("the first {} M instructions (input `{}` where the program is ours)",
                     extent.run / kMillion, extent.size);
}

std::string accuracy_setup() {
  return fmt::format(
      "Accuracy against the exhaustive profile of the same instructions, by the functional "
      "simulator with the decode engine: data streams of {}; call pairs and methods, both in one "
      "run, of {}; sparsity = burst x (1 / frequency - 1).\n"
      "The overlap is that of the entries that make up 90 %, as in section 5: of hot streams (the "
      "subpath detector) by access signature, of call pairs and methods by function. The other "
      "overlap: of streams by pairs of successive accesses; of call pairs by pc of the call and "
      "callee, of methods by target, 90 % as well.",
      extent_text(kStreamExtent), extent_text(kCallExtent));
}

/// `what` of every program that is there.
template <class Measured, class What>
std::vector<Measured> of_programs(const fs::path& folder, const ReproductionPrograms& programs,
                                  What what) {
  std::vector<Measured> all;
  for (const ReproductionProgram& program : programs.there) {
    KeptResults kept(folder / fmt::format("{}.hps.json", program.name));
    all.push_back(what(kept, program));
  }
  return all;
}

}  // namespace

reproduce::Reproduction hps_fig6(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  reproduce::Reproduction result =
      reproduce::hps::fig6(of_programs<Split>(folder, programs, split_of));
  result.claims.push_back(reproduce::hps::machine_claim(machine_of(programs.there.front())));
  result.setup = fmt::format(
      "Core hps2005 with timing, {}; one event in {} is sampled, in bursts of one. Overheads are "
      "of the cycles of the same run with the lookup of the engine off. {}\n"
      "Basic: plain DISE counts, nothing else. Checks: every instruction of the profile is "
      "replaced too, but no burst ever begins. Profiling: all. Each is what it adds to those "
      "before ([recipe](../dise-language.md#sampling)); of call pairs and methods the check is the "
      "framework's own branch. Branch-on-random steps its shift register in the replacement "
      "sequence.",
      extent_text(kSplitExtent), reproduce::hps::kFrequencies.front(), kAbout);
  result.skipped = programs.skipped;
  return result;
}

reproduce::Reproduction hps_fig7(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  reproduce::Reproduction result = reproduce::hps::fig7(
      of_programs<Sampled>(folder, programs, [](auto& kept, const auto& program) {
        Sampled sampled = sampled_of(kept, program);
        put_overheads(kept, program, sampled);
        return sampled;
      }));
  result.setup = fmt::format(
      "{}\nOverhead: core hps2005 with timing, against the same run with the lookup of the engine "
      "off: of call pairs and methods in {}, of data streams in {}. {}",
      accuracy_setup(), extent_text(kSplitExtent), extent_text(kStreamExtent), kAbout);
  result.skipped = programs.skipped;
  return result;
}

reproduce::Reproduction hps_fig8(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  reproduce::Reproduction result =
      reproduce::hps::fig8(of_programs<Sampled>(folder, programs, sampled_of));
  result.setup = accuracy_setup();
  result.skipped = programs.skipped;
  return result;
}

}  // namespace strobe
