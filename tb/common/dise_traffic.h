// Random production sets, and instruction streams that match them often.
#pragma once

#include <array>
#include <vector>

#include "sc_models/port/decode_engine.h"
#include "sc_models/profiling/reference/dise/dise_engine.h"
#include "tb/common/compare.h"
#include "tb/common/retire_traffic.h"

namespace strobe::tb {

/// Programs several engines alike through their registers, as software does, and draws instructions
/// of which most match something.
class DiseTraffic {
 public:
  DiseTraffic(const profiling::DiseParams& params, uint64_t seed)
      : params_(params), random_(seed) {}

  Random& random() { return random_; }

  /// Writes zeros to every replacement entry, because an entry that was never written is undefined.
  template <class Write>
  void erase(Write write) {
    write(0xf0, 0);
    for (unsigned k = 0; k < params_.replacements; ++k) write(0xf8, 0);
  }

  /// Programs a new set, half of the time after a clear: patterns over a new pool of words,
  /// conditions, operations, replacements, and counters near the end they count towards.
  template <class Write>
  void program(Write write) {
    if (chance(random_, 50)) write(0x10, 2);
    for (uint32_t& word : pool_) word = random_instruction(random_);
    dense_ = chance(random_, 30);
    down_ = chance(random_, 40);
    for (unsigned e = 0; e < params_.patterns; ++e) program_pattern(e, write);
    const uint64_t first = below(random_, params_.replacements);
    write(0xf0, first);
    for (unsigned k = 0; k < 64; ++k) write(0xf8, random_replacement());
    start_from_ = first;
    for (unsigned r = 0; r < 8; ++r) write(0x40 + 8 * r, random_count());
    write(0x28, random_jitter());
    for (unsigned n = 0; n < params_.counters; ++n) write(0x80 + 8 * n, random_count());
    write(0x10, chance(random_, 95) ? 1 : 0);
  }

  /// Writes one register or one entry.
  template <class Write>
  void touch(Write write) {
    switch (below(random_, 7)) {
      case 0:
        write(register_at(0x40, 8), random_count());
        break;
      case 1:
        write(register_at(0x80, params_.counters), random_count());
        break;
      case 2:
        write(0x10, chance(random_, 80) ? 1 : below(random_, 4));
        break;
      case 3:
        program_pattern(static_cast<unsigned>(below(random_, params_.patterns)), write);
        break;
      case 4:
        write(0xf0, start_from_ + below(random_, 64));
        for (unsigned k = 0; k < 3; ++k) write(0xf8, random_replacement());
        break;
      case 5:
        write(0x28, random_jitter());
        break;
      default: {  // writing these does nothing
        static constexpr uint32_t kOthers[] = {0x00, 0x08, 0x18, 0x20, 0x38, 0xa0, 0xe8, 0x100};
        write(kOthers[below(random_, std::size(kOthers))], random_());
      }
    }
  }

  DecodeLane lane() {
    DecodeLane lane;
    lane.insn =
        chance(random_, 90) ? pool_[below(random_, pool_.size())] : random_instruction(random_);
    lane.pc = random_() >> below(random_, 64);
    lane.target = chance(random_, 40) ? lane.pc + 4 * below(random_, 3) - 4 : random_();
    lane.length = chance(random_, 50) ? 4 : 2;
    lane.expand = chance(random_, 90);
    return lane;
  }

 private:
  uint32_t register_at(uint32_t first, uint64_t count) {
    return first + 8 * static_cast<uint32_t>(below(random_, count));
  }

  // A counter's value, mostly a few steps before the end that the set counts towards.
  uint64_t random_count() {
    switch (below(random_, 6)) {
      case 0:
        return random_();
      case 1:
        return below(random_, 20);
      default: {
        const uint64_t steps = below(random_, chance(random_, 50) ? 3 : 20);
        return down_ ? steps + 1 : ~steps;
      }
    }
  }

  // Few bits, so that what a set gives is often near the counter's end; one state in twenty is 0.
  uint64_t random_jitter() {
    const uint64_t bits = below(random_, chance(random_, 80) ? 5 : 16);
    const uint64_t state = chance(random_, 5) ? 0 : below(random_, 1 << 12);
    return below(random_, 8) | bits << 4 | state << 16;
  }

  // With FlagTiming = 1 the page leaves open what two entries, one of them with a replacement, do
  // to one counter (the loader refuses it). So there only entries with a replacement operate on the
  // last counter.
  uint64_t random_ops(bool replaces) {
    uint64_t ops = 0;
    for (unsigned n = 0; n < params_.counters; ++n) {
      const bool reserved = n + 1 == params_.counters;
      if (params_.flags_after && reserved != replaces) continue;
      if (chance(random_, dense_ ? 60 : 35)) {
        const uint64_t other = chance(random_, 50) ? 3 : 1 + below(random_, 3);
        const uint64_t op = chance(random_, 50) ? (down_ ? 2 : 1) : other;
        ops |= (op | below(random_, 8) << 2) << (5 * n);
      }
    }
    return ops;
  }

  uint64_t random_condition() {
    switch (below(random_, 4)) {
      case 0:
        return ~uint64_t{0};
      case 1: {  // one flag, or its inverse
        uint64_t table = 0;
        const uint64_t flag = below(random_, 2 * params_.counters);
        for (unsigned f = 0; f < 64; ++f) table |= uint64_t{f >> flag & 1} << f;
        return chance(random_, 50) ? table : ~table;
      }
      default:
        return random_();
    }
  }

  template <class Write>
  void program_pattern(unsigned e, Write write) {
    const uint32_t word = pool_[below(random_, pool_.size())];
    static constexpr uint32_t kMasks[] = {0, 0x7f, 0x707f, 0xfff, 0xffffffff, 0xf8000};
    const auto mask = chance(random_, 80) ? kMasks[below(random_, std::size(kMasks))]
                                          : static_cast<uint32_t>(random_());
    const bool replaces = chance(random_, dense_ ? 50 : 15);
    const uint64_t classes = chance(random_, 60) ? 0xffff : random_() & 0xffff;
    const uint64_t sign = chance(random_, 70) ? 0 : below(random_, 4);
    const uint64_t direction = chance(random_, 80) ? 0 : below(random_, 4);
    const uint64_t start = (start_from_ + below(random_, 64)) % params_.replacements;
    const bool valid = chance(random_, dense_ ? 90 : 40);
    const bool word_differs = chance(random_, 5);
    write(0xc0, e);
    write(0xc8, static_cast<uint64_t>(mask) << 32 |
                    (word_differs ? word ^ (1u << below(random_, 32)) : word));
    write(0xd0, classes | sign << 16 | direction << 18 | uint64_t{replaces} << 20 |
                    uint64_t{valid} << 21 | start << 32);
    write(0xd8, random_condition());
    write(0xe0, random_ops(replaces));
  }

  uint64_t random_replacement() {
    uint64_t entry = random_instruction(random_);
    for (unsigned field = 0; field < 3; ++field) {
      entry |= (chance(random_, 50) ? 0 : below(random_, 8)) << (32 + 3 * field);
    }
    entry |= (chance(random_, 70) ? 0 : uint64_t{1}) << 41;
    entry |= (chance(random_, 60) ? 0 : below(random_, 8)) << 42;
    entry |= below(random_, 8) << 45;
    entry |= below(random_, params_.replacements) << 48;
    return entry | uint64_t{chance(random_, 15)} << 63;
  }

  const profiling::DiseParams params_;
  Random random_;
  std::array<uint32_t, 12> pool_{};
  bool dense_ = false, down_ = false;  // the set: many entries match; its counters count down
  uint64_t start_from_ = 0;
};

}  // namespace strobe::tb
