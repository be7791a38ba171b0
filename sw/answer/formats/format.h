// The formats in which other tools take a profile: one writer each. Equal profiles give equal
// bytes. docs/answers.md says which tool reads what.
#pragma once

#include <string>
#include <vector>

#include "sw/answer/run_profile.h"

namespace strobe::answer {

using SeriesList = std::vector<const Series*>;

/// The profiles that a format holds.
enum class Takes {
  kFirst,
  kAll,
  kNone,  // it shows what happened when
};

struct Format {
  const char* name;
  Takes takes;
  bool binary;
  std::vector<std::string> kinds;  // what it can hold; empty: any
  /// The file's bytes. Throws AnswerError when the run lacks what the format is about.
  std::string (*write)(const RunProfile& run, const SeriesList& series);
  /// How much of the first series the file leaves out, because the program does not say where it
  /// belongs; null: nothing.
  double (*left_out)(const RunProfile& run, const SeriesList& series);
};

extern const std::vector<Format> kFormats;

/// Folded stacks, `FUNCTION;FILE:LINE COUNT` a line, for calls `CALLER;CALLEE COUNT`: for
/// flamegraph.pl, speedscope and inferno.
std::string write_folded(const RunProfile& run, const SeriesList& series);

/// callgrind.out, each series an event of its own: for callgrind_annotate and KCachegrind
/// (Valgrind manual, "Callgrind Format Specification").
std::string write_callgrind(const RunProfile& run, const SeriesList& series);

/// pprof's profile.proto in gzip, each series a sample type: for `go tool pprof` and speedscope
/// (github.com/google/pprof, proto/profile.proto). A call is a stack of its two functions.
std::string write_pprof(const RunProfile& run, const SeriesList& series);

/// Branches and calls with their counts and mispredictions: for llvm-bolt --data (fdata,
/// llvm/bolt, Profile/DataReader.h). Throws AnswerError for a program that is not found, and
/// where no count is in one of its functions.
std::string write_bolt(const RunProfile& run, const SeriesList& series);

/// LLVM's sample profile in its text form: for llvm-profdata and -fprofile-sample-use
/// (llvm/ProfileData/SampleProfReader.h). A line of a function has the count of its most frequent
/// instruction. Throws AnswerError for a program without lines.
std::string write_llvm(const RunProfile& run, const SeriesList& series);

/// The share of the series at instructions without a line, which write_llvm() leaves out.
double llvm_left_out(const RunProfile& run, const SeriesList& series);

/// Trace events in JSON over simulated time, of the timeline and of the counters of intervals.csv:
/// for ui.perfetto.dev, chrome://tracing and speedscope. Throws AnswerError for a run that has
/// neither.
std::string write_perfetto(const RunProfile& run, const SeriesList& series);

/// A name for a series that every format can hold: "stratified_edge", "truth_cycles".
std::string event_name(const Series& series);

/// A count in whole units, rounded: the formats hold integers.
uint64_t whole(const Series& series, uint64_t count);

}  // namespace strobe::answer
