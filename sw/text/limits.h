// How much the parsers of untrusted input take: one limit a line, each at least ten times what the
// inputs of Strobe itself need (sw/text/needs.h).
//
// Up to its limits, an input costs a parser at most 200 MB and 2 s (tests/security/amplification).
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace strobe::text {

struct Limit {
  const char* input;  // in which files
  uint64_t most;
  const char* what;    // is counted, in the plural
  const char* advice;  // what to do about an input that has more
};

/// Sees each count that is compared with a limit. nullptr: nothing does, as always but where the
/// needs are measured (tests/security/needs).
inline void (*watch_counts)(const Limit& limit, uint64_t count) = nullptr;

inline bool exceeds(const Limit& limit, uint64_t count) {
  if (watch_counts != nullptr) watch_counts(limit, count);
  return count > limit.most;
}

/// "expected at most 1000 values, got 2000; split the file"
inline std::string excess(const Limit& limit, const std::string& got) {
  return "expected at most " + std::to_string(limit.most) + " " + limit.what + ", got " + got +
         "; " + limit.advice;
}
inline std::string excess(const Limit& limit, uint64_t got) {
  return excess(limit, std::to_string(got));
}

/// What is left of a limit while an input is read.
class Budget {
 public:
  explicit Budget(const Limit& limit) : limit_(&limit) {}

  /// @return false once more than the limit has been taken
  bool take(uint64_t count = 1) {
    constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();
    taken_ = count > kAll - taken_ ? kAll : taken_ + count;
    return !exceeds(*limit_, taken_);
  }
  /// The input ends later than where its count was seen to exceed the limit.
  std::string excess() const { return text::excess(*limit_, "at least " + std::to_string(taken_)); }

 private:
  const Limit* limit_;
  uint64_t taken_ = 0;
};

namespace limits {

inline constexpr const char* kSplit = "split the file";
inline constexpr const char* kSweeps = "make several sweeps of it";
inline constexpr const char* kLess = "make it again with less in it";
inline constexpr const char* kHottest = "keep the hottest functions alone";
inline constexpr const char* kStrip =
    "compile it with -g1, or remove what is not needed with strip";
inline constexpr const char* kParts = "compile it in smaller parts, or with -g1";
inline constexpr const char* kCells = "leave out the cells that are not needed";
inline constexpr const char* kRecord = "record fewer signals";

inline constexpr Limit kYamlBytes = {"YAML", 768 << 10, "bytes in a file", kSplit};
inline constexpr Limit kYamlValues = {"YAML", 200'000, "values in a file", kSplit};
inline constexpr Limit kYamlItems = {"YAML", 4096, "items in a list of sections", kSplit};
inline constexpr Limit kYamlIncludes = {"YAML", 1000, "included files",
                                        "put their keys into fewer files"};
inline constexpr Limit kYamlIncludedBytes = {"YAML", 512 << 10, "bytes in included files together",
                                             "include smaller files"};
inline constexpr Limit kSweepWorkloads = {"sweeps", 500, "workloads", kSweeps};
inline constexpr Limit kSweepKeys = {"sweeps", 1000, "keys of axes", kSweeps};
inline constexpr Limit kSweepValues = {"sweeps", 100'000, "values of axes", kSweeps};
inline constexpr Limit kSweepBases = {"sweeps", 500'000, "values in the run files of all workloads",
                                      kSweeps};
inline constexpr Limit kDatabaseBytes = {"sweep.sqlite", uint64_t{1} << 30, "bytes", kSweeps};
inline constexpr Limit kDatabaseValues = {
    "sweep.sqlite", 7'500'000, "values, as which each 16 bytes of a text count", kSweeps};
inline constexpr Limit kDatabaseSteps = {"sweep.sqlite", 100'000'000, "steps of SQLite's machine",
                                         kSweeps};
inline constexpr Limit kJsonBytes = {"JSON", 8 << 20, "bytes", kLess};
inline constexpr Limit kJsonValues = {"JSON", 400'000, "values", kLess};
inline constexpr Limit kJsonDepth = {"JSON", 100, "levels of values in values", kLess};
inline constexpr Limit kStreamBytes = {"event streams", 4 << 20,
                                       "bytes in the header and in the footer", "record it again"};
inline constexpr Limit kProfileBytes = {"LLVM, pprof", 20 << 20, "bytes, uncompressed", kHottest};
inline constexpr Limit kProfileEntries = {"LLVM, pprof", 1'200'000, "entries", kHottest};
inline constexpr Limit kProfileNames = {"LLVM, pprof", 32 << 20, "bytes of names", kHottest};
inline constexpr Limit kElfBytes = {"ELF", 64 << 20, "bytes", kStrip};
inline constexpr Limit kElfSymbols = {"ELF", 120'000, "symbols", kStrip};
inline constexpr Limit kElfNames = {"ELF", 16 << 20, "bytes of names of symbols", kStrip};
inline constexpr Limit kCodeBytes = {"ELF", 1 << 20, "bytes of a function that is shown",
                                     "show another function"};
inline constexpr Limit kDebugBytes = {"DWARF", 32 << 20, "bytes in the sections, uncompressed",
                                      kStrip};
inline constexpr Limit kDebugRows = {"DWARF", 1'600'000, "rows of line tables", kStrip};
inline constexpr Limit kDebugProgramRows = {"DWARF", 420'000, "rows of a line table", kStrip};
inline constexpr Limit kDebugPaths = {"DWARF", 16 << 20, "bytes of paths of files", kStrip};
inline constexpr Limit kDebugUnits = {"DWARF", 20'000, "units", kStrip};
inline constexpr Limit kDebugAbbreviations = {"DWARF", 1'000'000,
                                              "abbreviations and their attributes", kStrip};
inline constexpr Limit kDebugEntries = {"DWARF", 5'000'000, "steps through the entries", kStrip};
inline constexpr Limit kDebugDepth = {"DWARF", 512, "entries in one another", kStrip};
inline constexpr Limit kDebugRanges = {"DWARF", 1'000'000, "ranges of code", kStrip};
inline constexpr Limit kObjectBytes = {"objects", 48'000'000,
                                       "bytes in the file, and in its sections", kParts};
inline constexpr Limit kObjectSymbols = {"objects", 400'000, "symbols", kParts};
inline constexpr Limit kObjectNames = {"objects", 16 << 20, "bytes of names of symbols", kParts};
inline constexpr Limit kLinkBytes = {"link records", 1 << 20, "bytes",
                                     "link fewer objects, or archives of them"};
inline constexpr Limit kArchiveMembers = {"archives", 50'000, "members",
                                          "make several archives of it"};
inline constexpr Limit kFrameRows = {".eh_frame", 1'200'000, "bytes of rows for a function",
                                     "compile the file again"};
inline constexpr Limit kFrameCommon = {".eh_frame", 1024, "bytes in a common entry",
                                       "compile the file again"};
inline constexpr Limit kEdgeBytes = {"CSV", 16 << 20, "bytes in a profile of edges", kHottest};
inline constexpr Limit kCsvRecord = {"CSV", 1 << 20, "bytes in a record", "run it again"};
inline constexpr Limit kSourceBytes = {"source files", 64 << 20, "bytes in the files of a program",
                                       "annotate one function"};
inline constexpr Limit kLibertyBytes = {"Liberty", 16 << 20, "bytes", kCells};
inline constexpr Limit kLibertyValues = {"Liberty", 600'000, "values", kCells};
inline constexpr Limit kVcdWord = {"VCD", 128 << 10, "bytes in a word", kRecord};
inline constexpr Limit kVcdScopes = {"VCD", 256, "scopes in one another", kRecord};
inline constexpr Limit kVcdBits = {"VCD", 1'000'000, "bits of variables", kRecord};
inline constexpr Limit kVcdNames = {"VCD", 64 << 20, "bytes of names of nets", kRecord};
inline constexpr Limit kVcdChanges = {"VCD", 32 << 20, "bytes of changes at one time", kRecord};

}  // namespace limits

}  // namespace strobe::text
