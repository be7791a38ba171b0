// Keeps the pipeline of a Verilated engine full: instructions of which it is certain what the
// engine will answer wait in a queue in front of it, go to it a bundle a cycle, and nobody waits
// for them.
//
// Certain is what follows from the flags and counters the RTL has shown and from the tables that
// software has written: far from a counter's end no flag can change, and under flags that are known
// an instruction that fits no replacing production is not replaced. The RTL decides each of them
// all the same, and another answer than the foreseen one is an error. What is squashed while it
// still waits never gets there. docs/performance.md
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "sc_models/profiling/reference/dise_engine.h"
#include "sc_models/profiling/verilated/pipelined_engine.h"

namespace strobe::profiling {

class DisePipeline final : public DecodeEngine {
 public:
  /// @param params  the RTL's, which is as after reset
  DisePipeline(std::unique_ptr<PipelinedEngine> rtl, const DiseParams& params)
      : rtl_(std::move(rtl)), params_(params), tables_(params) {}

  DecodeDecision decode(const DecodeLane* lanes, unsigned count, uint8_t slot) override;
  /// Throws std::logic_error when the place of the checkpoint has been used again, which may be
  /// up to lanes - 1 slots before its own is.
  void restore(DecodeCheckpoint checkpoint) override;
  InstantiatedInstruction instantiate(const DecodeLane& trigger, uint16_t entry) override;
  bool concerns(const DecodeLane& lane) const override { return tables_.concerns(lane); }
  uint64_t generation() const override { return tables_.generation(); }
  bool burst() override;
  uint64_t read(uint32_t offset) override;
  void write(uint32_t offset, uint64_t value) override;

 private:
  /// What is known of the RTL's state without asking it.
  struct Foresight {
    bool certain = false;
    uint8_t flags = 0;
    /// Of each counter: the steps it takes to change a flag, either way.
    std::array<uint64_t, kMaxDiseCounters> steps{};
    bool burst() const { return (flags & 5) == 1; }
  };
  struct Waiting {
    DecodeLane lane;
    DecodeCheckpoint name;  // what the caller calls the state behind it
    bool in_burst = false;
  };
  /// The state behind a lane: where it is, and what is known of it.
  struct Place {
    uint64_t number = 0;  // of the lane
    uint64_t bundle = 0;  // number of the bundle that took it to the RTL, once one has
    DecodeCheckpoint at;  // there
    Foresight foresight;
  };
  using Behind = std::array<Foresight, kMaxDecodeLanes>;

  bool foresee(const DecodeLane* lanes, unsigned count, Behind& behind) const;
  void look();
  void flush();
  void feed(unsigned count);
  Place& place(DecodeCheckpoint name) { return places_[name.slot][name.lane]; }

  static constexpr unsigned kMostWaiting = 64;

  std::unique_ptr<PipelinedEngine> rtl_;
  const DiseParams params_;
  DiseEngine tables_;  // sees the same writes; its state stands still
  Foresight now_;
  std::array<Waiting, kMostWaiting> waiting_;     // lane number n at n modulo its size
  uint64_t fed_ = 0, pushed_ = 0;                 // numbers: those between wait
  std::array<uint64_t, kDecodeSlots> bundles_{};  // that have gone to each slot of the RTL
  std::array<std::array<Place, kMaxDecodeLanes>, kDecodeSlots> places_{};
};

}  // namespace strobe::profiling
