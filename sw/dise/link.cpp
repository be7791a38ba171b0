#include "sw/dise/link.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw/dise/pattern.h"

namespace strobe::dise {
namespace {

bool same_condition(const Candidate& a, const Candidate& b) {
  return (a.entry.condition & b.entry.condition) != 0;
}

bool overlap(const Candidate& a, const Candidate& b, InstructionPattern& both) {
  return same_condition(a, b) && intersect(a.entry.pattern, b.entry.pattern, both);
}

bool equal(const InstructionPattern& a, const InstructionPattern& b) {
  return a.value == b.value && a.mask == b.mask && a.classes == b.classes && a.sign == b.sign &&
         a.direction == b.direction;
}

class Linker {
 public:
  Linker(const Limits& limits, Faults& faults) : limits_(limits), faults_(faults) {}

  Image run(std::vector<Candidate> candidates) {
    candidates_ = std::move(candidates);
    merge_files();
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const auto& a, const auto& b) { return rank(a) > rank(b); });
    check_counters();
    image_.limits = limits_;
    for (Candidate& candidate : candidates_) place(candidate);
    check_room();
    return std::move(image_);
  }

 private:
  // Ranks merged entries above the entries from which they are made.
  static std::pair<size_t, unsigned> rank(const Candidate& candidate) {
    return {std::max<size_t>(candidate.sequences.size(), 1), specificity(candidate.entry.pattern)};
  }

  void merge_files() {
    // Entries that are added here are visited too, because sequences of three files may combine.
    for (size_t i = 0; i < candidates_.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        InstructionPattern both;
        if (candidates_.size() > 8 * limits_.patterns) return;  // refused for lack of room anyway
        if (!mergeable(candidates_[j], candidates_[i]) ||
            !overlap(candidates_[j], candidates_[i], both)) {
          continue;
        }
        Candidate merged = merge(candidates_[j], candidates_[i]);
        merged.entry.pattern = both;
        if (!present(merged)) candidates_.push_back(merged);
      }
    }
    remove_hidden();
  }

  static bool mergeable(const Candidate& a, const Candidate& b) {
    const auto shared = [&b](size_t file) { return b.files.count(file) != 0; };
    return a.entry.replaces && b.entry.replaces &&
           std::none_of(a.files.begin(), a.files.end(), shared);
  }

  Candidate merge(const Candidate& first, const Candidate& second) {
    const bool swapped = *second.files.begin() < *first.files.begin();
    const Candidate& a = swapped ? second : first;
    const Candidate& b = swapped ? first : second;
    Candidate merged = a;
    merged.entry.condition &= b.entry.condition;
    merged.entry.production += "+" + b.entry.production;
    merged.files.insert(b.files.begin(), b.files.end());
    merged.productions.insert(b.productions.begin(), b.productions.end());
    merged.sequences.insert(merged.sequences.end(), b.sequences.begin(), b.sequences.end());
    for (const AssembledSequence* sequence : merged.sequences) {
      if (sequence->words.empty() || ends_in_trigger(sequence->words)) continue;
      faults_.add(
          sequence->place,
          fmt::format("sequence {} applies to the same instruction ({}) as a sequence of another "
                      "file and cannot be joined with it: expected T.INSN at its end and nowhere "
                      "else; or write one sequence that does both",
                      text::in_quotes(sequence->name), merged.entry.production));
    }
    for (unsigned n = 0; n < kMaxCounters; ++n) {
      if (b.entry.ops[n].kind == MicroOp::kNone) continue;
      if (a.entry.ops[n].kind != MicroOp::kNone) two_operations(a, b, n);
      merged.entry.ops[n] = b.entry.ops[n];
    }
    return merged;
  }

  bool present(const Candidate& candidate) const {
    return std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& other) {
      return other.sequences == candidate.sequences &&
             other.entry.condition == candidate.entry.condition &&
             equal(other.entry.pattern, candidate.entry.pattern);
    });
  }

  // Drops entries that a merged entry always covers.
  void remove_hidden() {
    std::vector<Candidate> kept;
    for (const Candidate& candidate : candidates_) {
      const bool hidden =
          std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& other) {
            return candidate.entry.replaces &&
                   other.sequences.size() > candidate.sequences.size() &&
                   equal(other.entry.pattern, candidate.entry.pattern) &&
                   (candidate.entry.condition & ~other.entry.condition) == 0;
          });
      if (!hidden) kept.push_back(candidate);
    }
    candidates_ = std::move(kept);
  }

  void two_operations(const Candidate& a, const Candidate& b, unsigned counter) {
    faults_.add(b.entry.place,
                fmt::format("productions {} and {} can both act on counter {} at one instruction: "
                            "make their patterns or conditions exclude each other",
                            text::in_quotes(a.entry.production),
                            text::in_quotes(b.entry.production), counter + 1));
  }

  // Reports counters on which two productions can act at one instruction. Two entries that both
  // replace are no conflict, because only one of them fires.
  void check_counters() {
    for (size_t i = 0; i < candidates_.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const Candidate& a = candidates_[j];
        const Candidate& b = candidates_[i];
        InstructionPattern both;
        if ((a.entry.replaces && b.entry.replaces) || a.productions == b.productions) continue;
        for (unsigned n = 0; n < kMaxCounters; ++n) {
          if (a.entry.ops[n].kind != MicroOp::kNone && b.entry.ops[n].kind != MicroOp::kNone &&
              overlap(a, b, both)) {
            two_operations(a, b, n);
          }
        }
      }
    }
  }

  void place(Candidate& candidate) {
    if (candidate.entry.replaces) candidate.entry.start = start_of(candidate.sequences);
    image_.patterns.push_back(candidate.entry);
  }

  uint16_t start_of(const std::vector<const AssembledSequence*>& sequences) {
    for (const auto& [known, start] : starts_) {
      if (known == sequences) return start;
    }
    const auto start = static_cast<uint16_t>(image_.replacements.size());
    starts_.emplace_back(sequences, start);
    for (const AssembledSequence* sequence : sequences)
      append(*sequence, sequence == sequences.back());
    return start;
  }

  // Appends a sequence. All but the last leave out their final T.INSN, so a branch to it goes to
  // the sequence that follows.
  void append(const AssembledSequence& sequence, bool last) {
    const auto base = static_cast<uint16_t>(image_.replacements.size());
    std::vector<uint64_t> words = sequence.words;
    if (!last && !words.empty()) words.pop_back();
    move_branches(words, base);
    for (HandlerUse use : sequence.handlers) {
      use.entry = static_cast<uint16_t>(use.entry + base);
      image_.handlers.push_back(use);
    }
    image_.replacements.insert(image_.replacements.end(), words.begin(), words.end());
  }

  void check_room() {
    if (image_.patterns.size() > limits_.patterns) {
      faults_.add(image_.patterns[limits_.patterns].place,
                  fmt::format("{} pattern entries are needed, the engine has {}: production {} is "
                              "the first without room",
                              image_.patterns.size(), limits_.patterns,
                              text::in_quotes(image_.patterns[limits_.patterns].production)));
    }
    if (image_.replacements.size() > limits_.replacements) {
      faults_.add(starts_.back().first.back()->place,
                  fmt::format("{} replacement entries are needed, the engine has {}",
                              image_.replacements.size(), limits_.replacements));
    }
  }

  const Limits& limits_;
  Faults& faults_;
  std::vector<Candidate> candidates_;
  std::vector<std::pair<std::vector<const AssembledSequence*>, uint16_t>> starts_;
  Image image_;
};

}  // namespace

Image link(std::vector<Candidate> candidates, const Limits& limits, Faults& faults) {
  return Linker(limits, faults).run(std::move(candidates));
}

}  // namespace strobe::dise
