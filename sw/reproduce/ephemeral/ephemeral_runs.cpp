#include "sw/reproduce/ephemeral/ephemeral_runs.h"

#include <fmt/format.h>

#include "sw/profile/accuracy/metrics.h"
#include "sw/reproduce/ephemeral/ephemeral_testing.h"
#include "sw/reproduce/ephemeral/ephemeral_training.h"

namespace strobe::ephemeral {
namespace {

using namespace reproduce::ephemeral;
using nlohmann::json;

/// A program and its complete profile.
struct Base {
  Program program;
  json edges;
};

Base base_of(KeptResults& kept, const ReproductionProgram& program) {
  const Sets training = sets_of(program, Input::kTraining);
  Base base;
  base.edges = all_edges(kept, program, "training, all branches", training);
  base.program.name = program.name;
  base.program.training_cycles = plain_cycles(kept, program, "training, not profiled", training);
  base.program.original = original_cycles(kept, program);
  base.program.local =
      optimized_cycles(kept, program, "all branches", base.edges, Schedule::kLocal);
  base.program.complete =
      optimized_cycles(kept, program, "all branches", base.edges, Schedule::kSuperblocks);
  return base;
}

json trained(KeptResults& kept, const ReproductionProgram& program, const Way& way) {
  return profiled(kept, program, "training, " + way.name,
                  joined(sets_of(program, Input::kTraining), way));
}

Trained trained_by(KeptResults& kept, const ReproductionProgram& program, const Base& base,
                   const Way& way) {
  const json found = trained(kept, program, way);
  Trained result;
  found.at("cycles").get_to(result.training_cycles);
  if (found.contains("bias_error")) result.bias_error = found.at("bias_error").get<double>();
  result.overlap = profile::overlap(profile_of(base.edges), profile_of(found.at("edges")));
  result.test_cycles =
      optimized_cycles(kept, program, way.name, found.at("edges"), Schedule::kSuperblocks);
  return result;
}

}  // namespace

Persistences persistences_of(KeptResults& kept, const ReproductionProgram& program) {
  const Base base = base_of(kept, program);
  Persistences result{base.program, {}, 0, {}};
  for (size_t i = 0; i < kPersistences.size(); ++i) {
    result.by[i] = trained_by(kept, program, base, ephemeral_way(kPersistences[i], kUsualEpoch, 0));
  }
  const json own = all_edges(kept, program, "test, all branches", sets_of(program, Input::kTest));
  result.bolt = bolt_cycles(kept, program, base.edges);
  result.own_input = optimized_cycles(kept, program, "all branches of the test input", own,
                                      Schedule::kSuperblocks);
  return result;
}

EpochLengths epoch_lengths_of(KeptResults& kept, const ReproductionProgram& program) {
  const Base base = base_of(kept, program);
  EpochLengths result{base.program, {}, {}};
  for (size_t i = 0; i < kEpochs.size(); ++i) {
    result.by[i] = trained_by(kept, program, base, ephemeral_way(kUsualPersistence, kEpochs[i], 0));
  }
  result.jittered =
      trained_by(kept, program, base, ephemeral_way(kUsualPersistence, kUsualEpoch, kJitter));
  return result;
}

Profilers profilers_of(KeptResults& kept, const ReproductionProgram& program) {
  constexpr unsigned kPause = 5000;
  const Base base = base_of(kept, program);
  Profilers result{base.program, {}};
  // A branch cannot be executed so often in an epoch, so no stub leaves: its profile is that of all
  // branches.
  constexpr unsigned kForever = 524287;
  const Way complete = ephemeral_way(kForever, kUsualEpoch, 0);
  result.by[kComplete].training_cycles = trained(kept, program, complete).at("cycles");
  result.by[kComplete].test_cycles = base.program.complete;
  result.by[kComplete].overlap = 1;
  const auto by = [&](const Way& way) { return trained_by(kept, program, base, way); };
  result.by[kStratified] = by(sampler_way(kProfilerKinds[kStratified].configuration));
  result.by[kGated] = by(gated_way());
  result.by[kBursty] = by(bursty_way(kPause));
  result.by[kEphemeral] = by(ephemeral_way(kUsualPersistence, kUsualEpoch, kJitter));
  result.by[kRandom] = by(sampler_way(kProfilerKinds[kRandom].configuration));
  return result;
}

}  // namespace strobe::ephemeral
