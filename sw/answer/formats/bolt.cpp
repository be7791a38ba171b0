#include <fmt/format.h>

#include "sw/answer/answer_error.h"
#include "sw/answer/formats/format.h"
#include "sw/profile/reports/bolt_profile.h"

namespace strobe::answer {

std::string write_bolt(const RunProfile& run, const SeriesList& series) {
  const isa::ElfFile* elf = run.program.elf.get();
  if (elf == nullptr) {
    throw AnswerError(fmt::format(
        "a profile for BOLT names functions, and the symbols of {} are not known: expected the "
        "program, got none; name the file that ran with --program FILE",
        run.program.name));
  }
  profile::Entries branches, missed;
  for (const Series& one : run.series) {
    if (one.source != series.front()->source) continue;
    if (one.kind != "edge" && one.kind != "call_target") continue;
    const profile::Entries& entries = one.counts.entries();
    branches.insert(branches.end(), entries.begin(), entries.end());
    if (one.mispredicted) missed.insert(missed.end(), entries.begin(), entries.end());
  }
  const std::string text =
      profile::bolt_profile(branches, missed, [&](uint64_t pc) { return elf->bolt_place(pc); });
  if (!text.empty()) return text;
  throw AnswerError(fmt::format(
      "{} has no branch in a function of {}: expected at least one, got {} counts; link the "
      "program without -s, or count more branches",
      series.front()->source, run.program.path, branches.size()));
}

}  // namespace strobe::answer
