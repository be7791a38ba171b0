// The decode engine on the wrong path: it sees the instructions there, and its state is put back
// when they are squashed. docs/blocks/core.md, "The decode engine"
#pragma once

#include <cstdint>

#include "sc_models/core/back_end/reorder_buffer.h"
#include "sc_models/core/front_end/fetch_runs.h"
#include "sc_models/core/params.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/port/decode_engine.h"

namespace strobe::core {

class WrongPathDecode {
 public:
  /// Keeps references.
  WrongPathDecode(const CoreParams& params, const ReorderBuffer& rob, isa::Hart& hart)
      : params_(params), rob_(rob), hart_(hart) {}

  void set_engine(DecodeEngine& engine, const ExpansionParams& params) {
    engine_ = &engine;
    expansion_ = params;
  }
  /// null: there is none
  DecodeEngine* engine() const { return engine_; }
  const ExpansionParams& expansion() const { return expansion_; }

  /// A wrong path begins. @param branch_pc  of the mispredicted branch @param from  wrong-path
  /// instructions before this number have been presented
  void begin(uint64_t branch_pc, uint64_t from) {
    branch_pc_ = branch_pc;
    from_ = from;
  }
  /// Presents `count` instructions of the run, fetched in cycle `fetched_at`, the first with number
  /// `position`, as far as they are decoded before cycle `until`. Their sequences are not followed.
  void present(const FetchRun& run, unsigned count, uint64_t position, uint64_t fetched_at,
               uint64_t until);
  /// The wrong path is squashed.
  void end();

 private:
  const CoreParams params_;
  const ReorderBuffer rob_;
  isa::Hart& hart_;
  DecodeEngine* engine_ = nullptr;
  ExpansionParams expansion_;
  uint64_t branch_pc_ = 0, from_ = 0;
  bool presented_ = false;       // the engine has seen instructions of the present one
  DecodeCheckpoint right_path_;  // its state before them
};

}  // namespace strobe::core
