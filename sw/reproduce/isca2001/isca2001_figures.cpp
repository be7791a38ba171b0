#include "sw/reproduce/isca2001/isca2001_figures.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sw/reproduce/isca2001/isca2001_measured_runs.h"
#include "sw/reproduce/isca2001/isca2001_race.h"
#include "sw/reproduce/of_programs.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;
using isca2001::RacePlan;
using reproduce::Reproduction;
using reproduce::isca2001::Raced;

// The lengths: instructions of a stream (the paper's, for 16M load values of gcc), events of a
// window, and of the shortest stream that is raced.
constexpr uint64_t kInstructions = 70 * kMillion;
constexpr uint64_t kWindow = 8 * kMillion;
constexpr uint64_t kShortWindow = 4 * kMillion;
constexpr uint64_t kLeast = 2 * kMillion;

/// What is recorded.
struct Selection {
  const char* name;
  const char* selectors;
};
constexpr Selection kValues = {"value", "[{profile: value}]"};
constexpr Selection kEdgesAndCalls = {"edge-call",
                                      "[{profile: edge, tag: 0}, {profile: call_target, tag: 1}]"};

constexpr Contender kR256{"R_256", "name: R_256, kind: random, rate: 256"};
constexpr Contender kP256{"P_256", "name: P_256, kind: periodic, rate: 256"};
constexpr Contender kHp256{"H[P_256]_2048",
                           "name: HP_256, kind: stratified, rate: 256, strata: 2048"};
constexpr Contender kHp512{
    "H[P_512]_2048", "name: HP_512, kind: stratified, rate: 512, strata: 2048, counter_width: 9"};
constexpr Contender kTagged{"T",
                            "name: T, kind: tagged, rate: 256, strata: 2048, ways: 2, tag_bits: 2"};

// The compressors of figures 7 and 8, of figure 9, of figure 10 (each first level without and with
// A_16; the width of its counters is assumed) and of figure 11, in the order of isca2001.h.
RacePlan errors_plan() {
  return {"errors", {kR256, kP256, kHp256, kHp512, kTagged}, kWindow, kLeast};
}
RacePlan sizes_plan() {
  return {"table sizes",
          {{"H[P_256]_512", "name: HP_512, kind: stratified, rate: 256, strata: 512"},
           {"H[P_256]_1024", "name: HP_1024, kind: stratified, rate: 256, strata: 1024"},
           kHp256,
           {"H[P_256]_4096", "name: HP_4096, kind: stratified, rate: 256, strata: 4096"}},
          kShortWindow,
          kLeast};
}
RacePlan levels_plan() {
  RacePlan plan{
      "second level",
      {kR256,
       {"R_256 + A_16", "name: R_A16, kind: random, rate: 256, second_level: {entries: 16}"},
       kHp256,
       {"H[P_256]_2048 + A_16",
        "name: HP_A16, kind: stratified, rate: 256, strata: 2048, second_level: {entries: 16}"},
       kTagged,
       {"T + A_16",
        "name: T_A16, kind: tagged, rate: 256, strata: 2048, ways: 2, tag_bits: 2, "
        "second_level: {entries: 16}"}},
      kWindow,
      kLeast};
  // Numbers of messages differ little, and the second level takes the longest.
  plan.starts = 5;
  plan.seeds = 2;
  return plan;
}
RacePlan edges_plan() { return {"edges and calls", {kHp256}, kShortWindow, kLeast}; }

std::string setup_of(const RacePlan& plan, const Selection& selection) {
  return fmt::format(
      "Core isca2001 with timing: the streams are of {} M instructions of each program, after {} M "
      "that are not in them. The selectors are `{}`.\n"
      "Every compressor watches the same {} windows of a stream, each with {} seeds of hash and "
      "random sampler, and starts empty. A window has up to {} M events and at most half of the "
      "stream; they begin evenly over the stream. A series has {} points a decade, from {} events "
      "on, and its end. The error is the invariance error of section 5.3.1; the mean of one is "
      "over "
      "the events. Overheads are those of the paper's model (section 5.3.2); "
      "[measured ones](#measured-overhead-beside-analytical) stand beside it.\n"
      "Numbers in parentheses are 95 % confidence intervals, by bootstrap over programs, starts "
      "and "
      "seeds.",
      kInstructions / kMillion, kInstructions / 10 / kMillion, selection.selectors, plan.starts,
      plan.seeds, plan.window / kMillion, plan.points_per_decade, plan.first_point);
}

/// @param loads  leave out programs with too few loads for an error
Reproduction reproduction(const fs::path& folder, const RacePlan& plan, const Selection& selection,
                          Reproduction (*figure)(const std::vector<Raced>&), bool loads) {
  const ReproductionPrograms programs = reproduction_programs();
  auto raced = of_programs_at_once<Raced>(
      folder, "isca2001", programs, [&](KeptResults& kept, const ReproductionProgram& program) {
        return kept_race(
            kept,
            record_program(folder, program, selection.name, selection.selectors, kInstructions),
            plan);
      });
  std::vector<std::string> skipped = programs.skipped;
  raced.measured = qualified(std::move(raced.measured), loads, skipped);
  if (raced.measured.empty()) {
    std::string text = "no program can be judged";
    for (const std::string& one : skipped) text += "; " + one;
    throw std::runtime_error(text);
  }
  Reproduction result = figure(raced.measured);
  result.setup = setup_of(plan, selection);
  result.skipped = std::move(skipped);
  result.failed = std::move(raced.failed);
  return result;
}

}  // namespace

Reproduction isca2001_fig7(const fs::path& folder) {
  return reproduction(folder, errors_plan(), kValues, reproduce::isca2001::fig7, true);
}
Reproduction isca2001_fig8(const fs::path& folder) {
  return reproduction(folder, errors_plan(), kValues, reproduce::isca2001::fig8, true);
}
Reproduction isca2001_fig9(const fs::path& folder) {
  return reproduction(folder, sizes_plan(), kValues, reproduce::isca2001::fig9, true);
}
Reproduction isca2001_fig10(const fs::path& folder) {
  return reproduction(folder, levels_plan(), kValues, reproduce::isca2001::fig10, false);
}
Reproduction isca2001_fig11(const fs::path& folder) {
  return reproduction(folder, edges_plan(), kEdgesAndCalls, reproduce::isca2001::fig11, false);
}

Reproduction isca2001_measured(const fs::path& folder) {
  const ReproductionPrograms programs = reproduction_programs();
  auto delivered = of_programs_at_once<reproduce::isca2001::Delivered>(folder, "isca2001", programs,
                                                                       isca2001::delivered);
  Reproduction result = reproduce::isca2001::measured(delivered.measured);
  result.setup = fmt::format(
      "Core isca2001 with timing: {} M instructions of each program, after {} M that are not "
      "measured. The sampler is H[P_256]_2048 of configs/profilers/stratified-2048.yaml, its C++ "
      "reference. Measured overhead is the cycles that the run takes more than the same "
      "instructions "
      "without a profiler; analytical overhead charges the messages and interrupts of the same run "
      "30 and 214 cycles (section 5.3.2), which is 32.1 cycles a message.\n"
      "Messages are read by the handler of the interrupt over the bus or in the core "
      "([firmware](../blocks/firmware.md#cost)), or by a thread on a second core from a ring in "
      "memory ([ring writer](../blocks/ring_writer.md)). Analytical overhead is that of the run "
      "over "
      "the bus.\n"
      "Numbers in parentheses beside a median are its 95 % confidence interval, by bootstrap over "
      "the programs, or the least and the most where the text says cycles.",
      isca2001::kDeliveryRun / kMillion, isca2001::kDeliverySkip / kMillion);
  result.skipped.insert(result.skipped.begin(), programs.skipped.begin(), programs.skipped.end());
  result.failed = std::move(delivered.failed);
  return result;
}

}  // namespace strobe
