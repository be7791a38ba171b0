// A run from its checked configuration to its result directory, with the baseline that its overhead
// is relative to. `strobe run` calls it.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sw/config/load.h"
#include "sw/confine/confine.h"
#include "sw/measure/baseline_process.h"
#include "sw/measure/instrumented/instrumented_run.h"
#include "sw/measure/progress.h"
#include "sw/measure/standard_input.h"
#include "sw/result/manifest.h"
#include "sw/result/output_files.h"
#include "sw/result/result_directory.h"
#include "sw/text/diagnostic.h"

namespace strobe {

struct RunOptions {
  std::string file;                       // the run file
  std::string out;                        // the result directory to write
  std::vector<std::string> sets;          // --set, in order
  bool quiet = false;                     // no progress
  bool force = false;                     // replace an existing result directory
  bool no_profiles = false;               // leave profile.NAME.csv out
  bool confined = true;                   // gives up what the run does not need (sw/confine)
  std::string baseline;                   // the file of a baseline that equal runs share; "": none
  std::vector<std::string> command_line;  // argv, for the manifest
};

/// What the run file names and the program or the production files lack, a sentence for each;
/// empty when the run can start.
std::string faults_of_inputs(const config::RunConfig& configuration, const isa::ElfFile& program);

/// The same for files that a run file in a result directory names and that are not beside it; empty
/// for any other run file.
std::string missing_of_result(const std::string& file, const config::RunConfig& configuration);

class MeasuredRun {
 public:
  /// Makes the result directory, so that one that cannot be written is known at once. Keeps
  /// references. Throws result::ResultError.
  MeasuredRun(const RunOptions& options, const config::LoadResult& loaded,
              std::shared_ptr<const isa::ElfFile> program);

  /// Runs the configuration, its baseline beside it or, where the program may write files that both
  /// would touch, before it. Throws object::ObjectError and std::runtime_error.
  const platform::RunOutcome& run();

  /// Writes the directory. @return its result.json
  nlohmann::json write();

 private:
  void choose_mode();
  void start_baseline();
  platform::RunHooks hooks();
  void take_inputs(const platform::RunInputs& inputs);
  void expect_same_rtl() const;
  void begin_profiled_run();
  void run_original_first(platform::RunHooks& hooks, confine::Grants grants);
  void expect_comparable();
  void write_instrument(const profile::ProgramNames& names);
  void write_shim();
  void write_truth();
  void write_timer();
  bool whole() const;

  const RunOptions& options_;
  config::RunConfig configuration_;  // in the mode that is simulated
  std::string exact_because_;        // why that is not mode sampled; "": it is what was asked for
  std::shared_ptr<const isa::ElfFile> program_;
  result::ResultDirectory directory_;
  std::optional<BaselineProcess> baseline_;
  std::unique_ptr<InstrumentedRun> instrumented_;
  std::optional<OriginalEvents> original_events_;  // with it
  Progress progress_;
  result::OutputFiles output_;
  StandardInput standard_input_;
  std::string inputs_;      // their hash: inputs_hash()
  std::string rtl_;         // hash of the RTL's sources; empty: none is simulated
  result::InputFile link_;  // how an edited program was linked
  confine::Confinement confinement_;
  result::RunFiles files_;
  platform::RunOutcome outcome_;
  double seconds_ = 0;
};

}  // namespace strobe
