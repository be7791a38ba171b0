// Glue of one Verilated decode engine, built by build_point.sh into a shared object of its own.
#include "sc_models/profiling/verilated/dise_model.h"

#include "Vstrobe_dise.h"
#include "Vstrobe_dise___024root.h"
#include "sc_models/profiling/verilated/model_abi.h"

extern "C" __attribute__((visibility("default"))) strobe::profiling::PipelinedEngine*
strobe_rtl_make_engine(unsigned abi_version) {
  if (abi_version != strobe::profiling::kDiseAbiVersion) return nullptr;
  return new strobe::profiling::DiseModel<Vstrobe_dise>();
}
