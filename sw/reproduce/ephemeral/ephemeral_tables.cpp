#include "sw/reproduce/ephemeral/ephemeral_tables.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sw/files/guest_files.h"
#include "sw/reproduce/ephemeral/ephemeral_runs.h"
#include "sw/reproduce/ephemeral/ephemeral_training.h"
#include "sw/reproduce/million.h"
#include "sw/reproduce/of_programs.h"
#include "sw/text/json_text.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;
namespace measured = reproduce::ephemeral;
using namespace ephemeral;
using nlohmann::json;

constexpr const char* kPaper = "ephemeral";
constexpr const char* kAreas = "configs/synth/measured.json";

/// Those that have an input to be trained with and another one to be tested with.
ReproductionPrograms programs_with_two_inputs() {
  ReproductionPrograms programs = reproduction_programs();
  std::vector<ReproductionProgram> there;
  for (const ReproductionProgram& program : programs.there) {
    const auto input = [&](const char* size) {
      return files::prefixed_path(fmt::format("cache:{}/{}", program.name, size)).value();
    };
    if (program.own || (fs::exists(input(kTraining)) && fs::exists(input(kTest)))) {
      there.push_back(program);
    } else {
      programs.skipped.push_back(
          fmt::format("{} (it has no second input: no {})", program.name, input(kTest)));
    }
  }
  programs.there = std::move(there);
  if (programs.there.empty()) throw std::runtime_error("no program has two inputs");
  return programs;
}

std::string common_setup() {
  return fmt::format(
      "The core is inorder4. Profiles are of whole runs with the input `{}`, cycles of whole runs "
      "with the input `{}`. ",
      kTraining, kTest);
}

std::string epoch_setup() {
  return fmt::format("An epoch has {} M cycles. ", measured::kUsualEpoch / kMillion);
}

constexpr const char* kVerdicts =
    "A claim about a mean holds when the whole 95 % confidence interval of the mean over the "
    "programs is inside the limits, differs when all of it is outside, and is undecided otherwise.";

/// make(measurements of the programs), with what is missing in it.
template <class Of, class What, class Make>
reproduce::Reproduction of_all_programs(const fs::path& folder, What what, Make make) {
  const ReproductionPrograms programs = programs_with_two_inputs();
  const MeasuredPrograms<Of> found = of_programs_at_once<Of>(folder, kPaper, programs, what);
  reproduce::Reproduction result = make(found.measured);
  result.skipped = programs.skipped;
  result.failed = found.failed;
  return result;
}

/// Gate equivalents of the named configurations.
std::map<std::string, double> areas() {
  std::ifstream in(kAreas);
  const json found = text::json_or_discarded(in);
  std::map<std::string, double> result;
  for (const measured::ProfilerKind& kind : measured::kProfilerKinds) {
    if (kind.configuration == nullptr) continue;
    const json::json_pointer place(fmt::format("/configurations/{}/synthesis", kind.configuration));
    const json synthesis = found.is_object() ? found.value(place, json()) : json();
    for (const char* part : {"logic_ge", "flip_flop_ge", "memory_ge"}) {
      if (!synthesis.is_object() || !synthesis.contains(part)) {
        throw std::runtime_error(fmt::format(
            "{}: expected the number {} at {}, got none; scripts/configurations measures it",
            kAreas, part, place.to_string()));
      }
      result[kind.configuration] += synthesis.at(part).get<double>();
    }
  }
  return result;
}

}  // namespace

reproduce::Reproduction ephemeral_programs(const fs::path& folder) {
  reproduce::Reproduction result =
      of_all_programs<measured::Persistences>(folder, persistences_of, measured::programs);
  result.setup =
      common_setup() + epoch_setup() +
      "The programs of Debian get short parts of source text, for training and for test. " +
      kVerdicts + " The limits are below.";
  return result;
}

reproduce::Reproduction ephemeral_table(const fs::path& folder, size_t number) {
  constexpr size_t kFirst = 2;
  const measured::PaperTable& paper = measured::kTables.at(number - kFirst);
  reproduce::Reproduction result = of_all_programs<measured::Persistences>(
      folder, persistences_of, [&](const std::vector<measured::Persistences>& programs) {
        return measured::table(paper, programs);
      });
  result.setup = fmt::format(
      "The paper's numbers are of {}; ours are means over the programs above, the same for every "
      "table.",
      paper.program);
  return result;
}

reproduce::Reproduction ephemeral_epochs(const fs::path& folder) {
  reproduce::Reproduction result =
      of_all_programs<measured::EpochLengths>(folder, epoch_lengths_of, measured::epochs);
  result.setup =
      common_setup() + fmt::format("Persistence is {}. ", measured::kUsualPersistence) + kVerdicts;
  return result;
}

reproduce::Reproduction ephemeral_profilers(const fs::path& folder) {
  const std::map<std::string, double> gates = areas();
  reproduce::Reproduction result = of_all_programs<measured::Profilers>(
      folder, profilers_of, [&](const std::vector<measured::Profilers>& programs) {
        return measured::profilers(programs, gates);
      });
  result.setup = common_setup() +
                 "Every profiler counts branches by where they go, and the optimizer gets those "
                 "counts; of ephemeral instrumentation it gets the edges of the Markov chain. " +
                 kVerdicts;
  return result;
}

reproduce::Reproduction ephemeral_aliasing(const fs::path& folder) {
  KeptResults kept(folder / fmt::format("phases.{}.json", kPaper));
  reproduce::Reproduction result = measured::aliasing(aliasing_of(kept));
  result.setup =
      "`sw/guest/reproduce/phases.c` has a branch that is taken in the first half of each period "
      "and not in the second. An epoch is as long as the period of the instrumented program. The "
      "intervals are over eight places in the period where the program starts, each with another "
      "seed.";
  return result;
}

}  // namespace strobe
