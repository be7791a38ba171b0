// Two harts on one core, moved through every stage in every cycle: what the placed pipelines are
// compared with. Straight code of arithmetic and loads, out-of-order issue, buffers in halves,
// fetch by turns. Of two instructions that could be renamed, the one that was decoded
// first is; of two that could issue or commit, the one that was fetched first does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "sc_models/core/back_end/operation.h"
#include "sc_models/core/params.h"

namespace strobe::test {

struct SteppedInsn {
  core::Unit unit = core::kAluUnit;
  unsigned latency = 1;  // from issue to result
  uint8_t src[2] = {};   // registers; 0: none
  uint8_t dst = 0;
};

class SteppedHarts {
 public:
  static constexpr uint64_t kNotYet = ~uint64_t{0};
  struct Life {
    uint64_t fetched = kNotYet, renamed = kNotYet, issued = kNotYet, done = kNotYet,
             committed = kNotYet;
  };

  /// An empty program: the hart is off.
  SteppedHarts(const core::CoreParams& params, const std::vector<SteppedInsn>& first,
               const std::vector<SteppedInsn>& second)
      : p_(params), harts_{Hart(first), Hart(second)} {
    const core::UnitParams* units[] = {&p_.alu, &p_.mul, &p_.div, &p_.fp, &p_.fp_div, &p_.mem};
    for (unsigned i = 0; i < core::kUnitCount; ++i) units_[i] = units[i]->count;
  }

  void run() {
    for (now_ = 1; !over(); ++now_) {
      commit();
      issue();
      rename();
      fetch();
    }
  }
  const Life& life(unsigned hart, size_t index) const { return harts_[hart].lives[index]; }

 private:
  struct Hart {
    explicit Hart(const std::vector<SteppedInsn>& the_program)
        : program(the_program), lives(program.size()), producers(program.size()) {
      size_t writer[32];
      std::fill(std::begin(writer), std::end(writer), kNone);
      for (size_t i = 0; i < program.size(); ++i) {
        for (unsigned s = 0; s < 2; ++s) producers[i][s] = writer[program[i].src[s]];
        if (program[i].dst != 0) writer[program[i].dst] = i;
      }
    }
    std::vector<SteppedInsn> program;
    std::vector<Life> lives;
    std::vector<std::array<size_t, 2>> producers;
    size_t fetched = 0, renamed = 0, committed = 0;  // how many
    std::vector<size_t> waiting;                     // in the stations
  };
  static constexpr size_t kNone = ~size_t{0};

  bool over() const {
    return std::all_of(std::begin(harts_), std::end(harts_),
                       [](const Hart& h) { return h.committed == h.program.size(); });
  }
  // The hart whose next instruction came first, among those that may go on.
  template <class May, class Since>
  Hart* first(May may, Since since) {
    Hart* best = nullptr;
    for (const unsigned hart : {last_ ^ 1, last_}) {
      Hart& h = harts_[hart];
      if (may(h) && (best == nullptr || since(h) < since(*best))) best = &h;
    }
    return best;
  }

  void commit() {
    const auto done = [this](const Hart& h) {
      return h.committed < h.renamed && h.lives[h.committed].done < now_;
    };
    for (unsigned n = 0; n < p_.commit_width; ++n) {
      Hart* const h = first(done, [](Hart& one) { return one.lives[one.committed].fetched; });
      if (h == nullptr) return;
      h->lives[h->committed++].committed = now_;
    }
  }

  bool ready(const Hart& h, size_t i) const {
    if (h.lives[i].renamed >= now_) return false;
    return std::all_of(h.producers[i].begin(), h.producers[i].end(), [&](size_t producer) {
      return producer == kNone || h.lives[producer].done <= now_;
    });
  }
  void issue() {
    struct Candidate {
      uint64_t fetched;
      Hart* hart;
      size_t index;
    };
    std::vector<Candidate> candidates;
    for (Hart& h : harts_) {
      for (const size_t i : h.waiting) {
        if (ready(h, i)) candidates.push_back({h.lives[i].fetched, &h, i});
      }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.fetched < b.fetched; });
    unsigned slots = p_.issue_width;
    unsigned units[core::kUnitCount];
    std::copy(std::begin(units_), std::end(units_), units);
    for (const Candidate& c : candidates) {
      const SteppedInsn& insn = c.hart->program[c.index];
      if (slots == 0 || units[insn.unit] == 0) continue;
      --slots;
      --units[insn.unit];
      c.hart->lives[c.index].issued = now_;
      c.hart->lives[c.index].done = now_ + insn.latency;
      auto& waiting = c.hart->waiting;
      waiting.erase(std::find(waiting.begin(), waiting.end(), c.index));
    }
  }

  // The cycle in which the next instruction is decoded: no more than decode_width of a hart are
  // that have not been renamed.
  uint64_t decoded(const Hart& h) const {
    const size_t i = h.renamed;
    const uint64_t arrived = h.lives[i].fetched + p_.front_end_stages - 1;
    return i < p_.decode_width ? arrived : std::max(arrived, h.lives[i - p_.decode_width].renamed);
  }
  bool may_rename(const Hart& h) const {
    const size_t stations = harts_[0].waiting.size() + harts_[1].waiting.size();
    return h.renamed < h.fetched && decoded(h) < now_ && h.renamed - h.committed < p_.rob / 2 &&
           stations < p_.reservation_stations;
  }
  void rename() {
    for (unsigned n = 0; n < p_.decode_width; ++n) {
      Hart* const h = first([this](const Hart& one) { return may_rename(one); },
                            [this](const Hart& one) { return decoded(one); });
      if (h == nullptr) return;
      h->waiting.push_back(h->renamed);
      h->lives[h->renamed++].renamed = now_;
    }
  }

  size_t room(const Hart& h) const { return p_.fetch_buffer - (h.fetched - h.renamed); }
  // By turns, but one that has room for fetch_width instructions before one that has not.
  void fetch() {
    const bool whole[2] = {room(harts_[0]) >= p_.fetch_width, room(harts_[1]) >= p_.fetch_width};
    const unsigned first = whole[0] == whole[1] ? last_ ^ 1 : whole[0] ? 0 : 1;
    for (const unsigned hart : {first, first ^ 1}) {
      Hart& h = harts_[hart];
      const size_t in_block = p_.fetch_block / 4 - h.fetched % (p_.fetch_block / 4);
      const size_t count = std::min(
          {h.program.size() - h.fetched, room(h), in_block, static_cast<size_t>(p_.fetch_width)});
      if (count == 0) continue;
      for (size_t i = 0; i < count; ++i) h.lives[h.fetched++].fetched = now_;
      last_ = hart;
      return;
    }
  }

  const core::CoreParams p_;
  unsigned units_[core::kUnitCount] = {};
  Hart harts_[2];
  uint64_t now_ = 0;
  unsigned last_ = 1;
};

}  // namespace strobe::test
