// Reads a Kanata 4 log and checks it against the rules of the format; records one of a pipeline.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sc_models/core/trace/pipeline_trace.h"

namespace strobe::test {

struct KanataInsn {
  std::string label, detail;                             // L 0 and L 1
  std::vector<std::pair<std::string, uint64_t>> stages;  // name, first cycle
  std::vector<uint64_t> producers;
  uint64_t ended = 0;  // cycle of R
  bool flushed = false;

  /// The cycle in which `stage` began; 2^64 - 1 when it never did.
  uint64_t begin(const std::string& stage) const;
};

struct KanataLog {
  uint64_t first_cycle = 0, last_cycle = 0;
  std::vector<KanataInsn> insns;        // by id
  std::vector<std::string> violations;  // violated rules of the format, with line numbers

  /// Retired, with a commit stage that began in [from, to).
  uint64_t retired(uint64_t from, uint64_t to) const;
  const KanataInsn& labelled(const std::string& part) const;
};

KanataLog read_kanata(const std::string& file);

/// Records the pipeline view into a file of its own: set `trace` before the run, then finish().
class Recorder {
 public:
  explicit Recorder(uint64_t from = 0, uint64_t to = ~uint64_t{0})
      : file_(testing::TempDir() + "pipeline-" + std::to_string(getpid()) + ".log"),
        trace(file_, from, to) {}
  ~Recorder() { std::filesystem::remove(file_); }
  KanataLog finish() {
    trace.finish();
    KanataLog log = read_kanata(file_);
    EXPECT_TRUE(log.violations.empty()) << testing::PrintToString(log.violations);
    return log;
  }

 private:
  std::string file_;

 public:
  core::PipelineTrace trace;
};

}  // namespace strobe::test
