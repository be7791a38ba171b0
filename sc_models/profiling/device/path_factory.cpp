#include "sc_models/profiling/device/path_factory.h"

#include <memory>

#include "sc_models/profiling/accelerated/accelerated_path.h"
#include "sc_models/profiling/device/lockstep_path.h"
#include "sc_models/profiling/reference/profiler_path.h"
#include "sc_models/profiling/verilated/verilated_path.h"

namespace strobe::profiling {

std::unique_ptr<ProfilerPath> make_path(Fidelity fidelity, const PathParams& params,
                                        const WaveRequest& waves) {
  switch (fidelity) {
    case Fidelity::kModel:
      if (!waves.file.empty()) {
        throw std::invalid_argument(
            "profiling path: waveforms need the RTL, expected fidelity rtl or lockstep, got model");
      }
      return make_accelerated_path(params);
    case Fidelity::kRtl:
      return make_verilated_path(params, waves);
    case Fidelity::kLockstep:
      break;
  }
  std::unique_ptr<ProfilerPath> model = make_reference_path(params);  // first: a cheap check
  return std::make_unique<LockstepPath>(make_verilated_path(params, waves), std::move(model));
}

}  // namespace strobe::profiling
