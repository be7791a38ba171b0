// What the profilers of a run found, in one form that no profiler and no file format decides: the
// commands for people and the writers for other tools read this and nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sw/profile/counts/profile.h"

namespace strobe::answer {

/// Characters of a name that a table shows; files have all of them.
inline constexpr size_t kLongestName = 100;

/// The program of a run.
struct Program {
  std::string name;                         // file name
  std::string sha256;                       // identifies the bytes that ran
  std::string path;                         // where the same bytes are now; empty: not found
  std::string looked_in;                    // the places that were tried, separated by commas
  std::shared_ptr<const isa::ElfFile> elf;  // null: not found
};

/// Counts of one kind of event by one source.
struct Series {
  /// The name to ask for: a profiler's; `exhaustive.NAME`, the exact profile that it is scored
  /// against; `truth` or `truth.SAMPLER`; `timer`; `handlers.KIND` or `instrument.KIND`.
  std::string source;
  /// What is counted: edge, value, call_target, address, type, method or cycles.
  std::string kind;
  std::string unit;     // events, cycles or samples
  uint64_t parts = 1;   // a count of this size is one unit
  uint64_t period = 1;  // events for each one that was looked at, rounded
  /// How many independent samples the counts come from; none: every event was counted.
  std::optional<uint64_t> samples = {};
  /// Only events that the branch predictor was wrong about (a selector's `prediction`).
  bool mispredicted = false;
  /// The number of the program's thread whose events these are (a selector's `thread`); empty: all.
  std::string thread = {};
  /// {pc, value}: the target of an edge or call, a load's value or address; 0 for a method and for
  /// cycles. All tags are 0.
  profile::Profile counts = {};

  double total() const { return amount(counts.total()); }
  double amount(uint64_t count) const {
    return static_cast<double>(count) / static_cast<double>(parts);
  }
};

/// An address in the program's words.
struct Place {
  std::string function;  // demangled; "0x1234" where no function is known
  uint64_t start = 0;    // the function's first address
  std::string file;      // as the debug information names it; empty: unknown
  int line = 0;

  std::string file_name() const { return file.substr(file.rfind('/') + 1); }
  /// "othello.c:34"; empty without a line.
  std::string where() const {
    return file.empty() ? std::string() : file_name() + ':' + std::to_string(line);
  }
};

/// Two runs read into this from equal directories are equal.
struct RunProfile {
  std::string directory;  // as the user named it
  Program program;
  std::vector<Series> series;  // in the order of the profilers, then the truth
  std::string timeline;        // the file of trace.timeline; empty: none
  double frequency_ghz = 0;    // the core's clock; 0: its configuration cannot be read
  /// By their names: instructions, cycles, ipc and overhead_measured of result.json.
  std::map<std::string, std::optional<double>> figures;
  std::map<uint64_t, std::string> symbols;  // "main+0x12", as the run named its addresses

  Place place(uint64_t pc) const;
  /// "main+0x12".
  std::string symbol(uint64_t pc) const;
};

/// What a series counts, for people: "edges", "calls", "time"; "edge+value events" where selectors
/// share a tag.
std::string events_of(const Series& series);

/// Whether `pc` is an address of the program, and not of a row such as "[machine mode]".
inline bool is_address(uint64_t pc) { return pc < ~uint64_t{0} - 15; }

/// The series of a source whose kind is one of `kinds` (any, if empty). An empty source is the
/// first that has such a series, the truth before all others for no particular kind.
/// Throws AnswerError when the run has no profile, and, with the nearest name, when no source has
/// that name or none has such a series.
const Series& series_for(const RunProfile& run, const std::string& source,
                         const std::vector<std::string>& kinds);

/// The same for a source beside `first`: the series of its kind, or one of `kinds` if that source
/// has none. The source "exhaustive" is the exact profile that `first` is scored against.
const Series& series_beside(const RunProfile& run, const std::string& source, const Series& first,
                            const std::vector<std::string>& kinds);

}  // namespace strobe::answer
