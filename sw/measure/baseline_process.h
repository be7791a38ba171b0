// The run without profiling beside a profiled one: what measured overhead is relative to.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sw/result/make_result.h"

namespace strobe {

/// Hash of what a manifest says of the files that a run and its baseline both read.
std::string inputs_hash(const config::RunConfig& configuration, const platform::RunInputs& inputs);

/// The same run without its active profiler, in a process of its own: SystemC elaborates once a
/// process. It starts before the profiled run does anything and is joined after it.
class BaselineProcess {
 public:
  /// Starts it. Keeps no reference.
  /// @param confined  it gives up what it does not need of the host (sw/confine)
  /// @param shared  the file of a baseline that equal runs share (shared_baseline.h); "": none
  BaselineProcess(const config::RunConfig& configuration,
                  std::shared_ptr<const isa::ElfFile> program, bool confined,
                  const std::string& shared);
  /// Ends it when it still runs.
  ~BaselineProcess();
  BaselineProcess(const BaselineProcess&) = delete;
  BaselineProcess& operator=(const BaselineProcess&) = delete;

  /// Waits for its end.
  void join();
  /// Waits for its end and throws std::runtime_error when it did not finish.
  void expect_done();
  /// After join(); none of a baseline that did not finish.
  const std::optional<result::BaselineRun>& result() const { return result_; }
  /// 0 after join().
  pid_t process() const { return child_; }
  /// Hash of what its manifest would say of its inputs: inputs_hash().
  const std::string& inputs() const { return inputs_; }

 private:
  pid_t child_ = 0;
  int read_end_ = -1;
  std::string error_;
  std::string inputs_;
  std::optional<result::BaselineRun> result_;
};

}  // namespace strobe
