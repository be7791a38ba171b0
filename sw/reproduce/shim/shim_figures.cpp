#include "sw/reproduce/shim/shim_figures.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/million.h"
#include "sw/reproduce/of_programs.h"
#include "sw/reproduce/shim/shim_limits.h"
#include "sw/reproduce/shim/shim_runs.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;
using namespace reproduce::shim;

constexpr const char* kVerdict =
    "A claim about a mean holds when the whole 95 % confidence interval of the mean over the "
    "programs is inside the limits, differs when all of it is outside, and is undecided otherwise.";

std::string setup_text() {
  return fmt::format(
      "The core is haswell; the observer's is another haswell (cmp) or the second hart of the "
      "program's core (smt). Each run has the first {} M instructions (input `small` where the "
      "program is ours). An overhead is relative to the same machine and the same program, with "
      "its signals, without an observer. Loads of signals are ordinary ones (ntl: ignore) unless a "
      "row says ntl. {}",
      shim::kInstructions / kMillion, kVerdict);
}

std::string grain_text() {
  return fmt::format(
      "The core is haswell, the observer the second hart of the program's core; it reads "
      "instructions and the running method as fast as it goes. Each run has the first {} M "
      "instructions (input `small` where the program is ours). As in the paper the coarser rates "
      "are subsamples of the finest: one sample in {}, and one in {}, which is the rate of tools "
      "that interrupt (30 K to 3 M cycles, section 1). The paper's are 100 and 10,000 times "
      "coarser than its finest, which a run of ours is too short for. Rates are of the samples "
      "that double-time error correction keeps. {}",
      shim::kGrainInstructions / kMillion, kEvery[kMedium], kEvery[kCoarse], kVerdict);
}

/// What follows from `what` of every program.
template <class Measured, class What>
reproduce::Reproduction of_all(const fs::path& folder,
                               reproduce::Reproduction (*made)(const std::vector<Measured>&),
                               std::string setup, What what) {
  const ReproductionPrograms programs = reproduction_programs();
  const MeasuredPrograms<Measured> all =
      of_programs_at_once<Measured>(folder, "shim", programs, what);
  reproduce::Reproduction result = made(all.measured);
  result.setup = std::move(setup);
  result.skipped = programs.skipped;
  result.failed = all.failed;
  return result;
}

reproduce::Reproduction of_settings(const fs::path& folder, const std::vector<Setting>& settings,
                                    reproduce::Reproduction (*made)(const std::vector<Program>&)) {
  return of_all(folder, made, setup_text(),
                [&](KeptResults& kept, const ReproductionProgram& program) {
                  return shim::observed(kept, program, settings);
                });
}

reproduce::Reproduction of_producer(const fs::path& folder, bool smt) {
  KeptResults kept(folder / "producer.shim.json");
  reproduce::Reproduction result = producer(shim::producer(kept, smt), smt);
  result.setup = fmt::format(
      "The producer of figure 8 writes one word, {} times; the observer reads it and counts its "
      "values. The core is haswell. One of the two goes as fast as it can, the other is slowed "
      "down. The interval of a claim is over five producers or observers of nearly the same speed.",
      kWrites);
  return result;
}

}  // namespace

reproduce::Reproduction shim_fig1(const fs::path& folder) {
  return of_all(folder, grains, grain_text(), shim::grained);
}

reproduce::Reproduction shim_fig4(const fs::path& folder) {
  return of_settings(folder, correction_settings(), correction);
}

reproduce::Reproduction shim_fig5(const fs::path& folder) {
  return of_settings(folder, periods_settings(), periods);
}

reproduce::Reproduction shim_fig6(const fs::path& folder) {
  return of_settings(folder, periods_settings(), own_rate);
}

reproduce::Reproduction shim_fig7(const fs::path& folder) {
  return of_settings(folder, signals_settings(), signals);
}

reproduce::Reproduction shim_fig9(const fs::path& folder) { return of_producer(folder, false); }

reproduce::Reproduction shim_fig10(const fs::path& folder) { return of_producer(folder, true); }

reproduce::Reproduction shim_fig11(const fs::path& folder) {
  return of_settings(folder, rates_settings(), rates);
}

reproduce::Reproduction shim_fig12(const fs::path& folder) {
  return of_settings(folder, correlation_settings(), correlation);
}

reproduce::Reproduction shim_fig13(const fs::path& folder) {
  return of_settings(folder, remote_settings(), remote);
}

reproduce::Reproduction shim_phases(const fs::path& folder, unsigned figure) {
  KeptResults kept(folder / "gengc.shim.json");
  const std::vector<Collector> machines = shim::collectors(kept);
  reproduce::Reproduction result =
      figure == kTimeLines ? time_lines(machines) : case_study(machines, figure);
  result.setup =
      "The workload gengc, size `small`, on the core haswell; the observer is the second hart of "
      "the core and reads instructions, requests to memory and the phase, as fast as it goes. "
      "Samples that double-time error correction keeps and that lie in one phase are counted. The "
      "interval of a claim is over tenths of the run, as far as the phase has samples in them.";
  return result;
}

reproduce::Reproduction shim_changes(const fs::path& folder) {
  return of_settings(folder, changes_settings(), changes);
}

}  // namespace strobe
