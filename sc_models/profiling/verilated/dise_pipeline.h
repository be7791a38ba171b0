// Keeps the pipeline of a Verilated decode engine full. docs/performance.md
//
// Instructions whose decision is certain wait in a queue upstream of the engine and enter it one
// bundle a cycle; the core does not wait for their answers. A decision is certain when it follows
// from the flags and counters that the RTL has shown and from the tables that software has written:
// far from the end of a counter no flag can change, and under known flags an instruction that
// matches no replacing production is not replaced. The RTL decides each instruction all the same,
// and an answer that differs from the foreseen one is an error. An instruction that is squashed
// while it waits never enters the engine.
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "sc_models/profiling/reference/dise/dise_engine.h"
#include "sc_models/profiling/verilated/pipelined_engine.h"

namespace strobe::profiling {

class DisePipeline final : public DecodeEngine {
 public:
  /// @param params  the parameters of `rtl`, which is in its reset state
  DisePipeline(std::unique_ptr<PipelinedEngine> rtl, const DiseParams& params)
      : rtl_(std::move(rtl)), params_(params), tables_(params) {}

  DecodeDecision decode(const DecodeLane* lanes, unsigned count, uint8_t slot) override;
  /// Throws std::logic_error when the checkpoint's place has been used again, which may happen up
  /// to lanes - 1 slots before its own slot is used again.
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
    /// For each counter, the number of steps, up or down, that can change a flag.
    std::array<uint64_t, kMaxDiseCounters> steps{};
    bool burst() const { return (flags & 5) == 1; }
  };
  struct Waiting {
    DecodeLane lane;
    DecodeCheckpoint name;  // the caller's name for the state after the lane
    bool in_burst = false;
  };
  /// The state after a lane: where the RTL saved it, and what is known of it.
  struct Place {
    uint64_t number = 0;  // the lane's number
    uint64_t bundle = 0;  // number of its bundle, once it has entered the RTL
    DecodeCheckpoint at;  // the RTL's checkpoint
    Foresight foresight;
  };
  using AfterLanes = std::array<Foresight, kMaxDecodeLanes>;

  bool foresee(const DecodeLane* lanes, unsigned count, AfterLanes& after) const;
  void look();
  void flush();
  void feed(unsigned count);
  Place& place(DecodeCheckpoint name) { return places_[name.slot][name.lane]; }

  static constexpr unsigned kMostWaiting = 64;

  std::unique_ptr<PipelinedEngine> rtl_;
  const DiseParams params_;
  DiseEngine tables_;  // sees the same writes; its state does not advance
  Foresight now_;
  std::array<Waiting, kMostWaiting> waiting_;     // lane n is at n modulo the size
  uint64_t fed_ = 0, pushed_ = 0;                 // lanes fed_ to pushed_ - 1 wait
  std::array<uint64_t, kDecodeSlots> bundles_{};  // bundles that used each slot of the RTL
  std::array<std::array<Place, kMaxDecodeLanes>, kDecodeSlots> places_{};
};

}  // namespace strobe::profiling
