// The waveforms of a Verilated model. VM_TRACE, which build_point.sh sets, selects between this and
// a class that does nothing.
#pragma once

#include <cstdint>

#if VM_TRACE
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

#if VM_TRACE_FST
#include "verilated_fst_c.h"
#else
#include "verilated_vcd_c.h"
#endif
#endif

namespace strobe::profiling {

#if VM_TRACE

/// Writes in picoseconds. A cycle takes a nanosecond at any clock, so that viewers show cycle
/// numbers.
class WaveWriter {
 public:
  static constexpr bool kTraces = true;
  static constexpr uint64_t kTimeOfCycle = 1000;

  /// Call it before the model's first eval. Throws std::runtime_error when `file` cannot be
  /// written.
  template <class Context, class Top>
  WaveWriter(Context& context, Top& top, const char* file, uint64_t from, uint64_t to)
      : name_(file), from_(from), to_(to) {
    context.traceEverOn(true);
    top.trace(&file_, 99);
    // The file is tried first, because the FST writer does not report a failure.
    std::FILE* probe = std::fopen(file, "wb");
    if (probe != nullptr) std::fclose(probe);
    if (probe != nullptr) file_.open(file);
    if (probe == nullptr || !file_.isOpen()) {
      throw std::runtime_error("cannot write the waveforms to " + name_);
    }
  }
  ~WaveWriter() { close(); }
  WaveWriter(const WaveWriter&) = delete;
  WaveWriter& operator=(const WaveWriter&) = delete;

  /// The first shown cycle from `cycle` on; the largest number when there is none.
  uint64_t next(uint64_t cycle) const {
    if (cycle < from_) return from_;
    return cycle < to_ ? cycle : ~uint64_t{0};
  }

  void dump(uint64_t cycle, uint64_t offset) {
    if (next(cycle) == cycle) file_.dump(cycle * kTimeOfCycle + offset);
    if (cycle >= to_) close();
  }

 private:
  void close() {
    if (!file_.isOpen()) return;
    file_.close();
#if VM_TRACE_FST
    forget_date();
#endif
  }

#if VM_TRACE_FST
  // The header's date is set to the epoch, so that equal runs give equal files (fstapi.c:
  // FST_HDR_OFFS_DATE).
  void forget_date() const {
    constexpr long kDateOffset = 202;
    constexpr size_t kDateSize = 119;
    char date[kDateSize] = "Thu Jan  1 00:00:00 1970\n";
    std::FILE* file = std::fopen(name_.c_str(), "r+b");
    if (file == nullptr) return;
    if (std::fseek(file, kDateOffset, SEEK_SET) == 0) std::fwrite(date, sizeof date, 1, file);
    std::fclose(file);
  }
  VerilatedFstC file_;
#else
  VerilatedVcdC file_;
#endif
  const std::string name_;
  const uint64_t from_, to_;
};

#else

class WaveWriter {
 public:
  static constexpr bool kTraces = false;
  static constexpr uint64_t kTimeOfCycle = 1000;
  template <class Context, class Top>
  WaveWriter(Context&, Top&, const char*, uint64_t, uint64_t) {}
  uint64_t next(uint64_t) const { return ~uint64_t{0}; }
  void dump(uint64_t, uint64_t) {}
};

#endif

}  // namespace strobe::profiling
