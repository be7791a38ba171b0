// How much the parsers of untrusted input take: one limit a line, each at least ten times what the
// inputs of Strobe itself have. docs/security.md has this table, and strobe-gen writes it there.
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
  const char* what;  // is counted, in the plural
  uint64_t need;     // the most that the inputs named by `source` have
  const char* source;
  const char* advice;  // what to do about an input that has more
};

/// "expected at most 1000 values, got more; split the file", or "got 2000" where it is known.
inline std::string excess(const Limit& limit, uint64_t got = 0) {
  return "expected at most " + std::to_string(limit.most) + " " + limit.what + ", got " +
         (got == 0 ? std::string("more") : std::to_string(got)) + "; " + limit.advice;
}

/// What is left of a limit while an input is read.
class Budget {
 public:
  explicit Budget(const Limit& limit) : limit_(&limit) {}

  /// @return false once more than the limit has been taken
  bool take(uint64_t count = 1) {
    constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();
    taken_ = count > kAll - taken_ ? kAll : taken_ + count;
    return taken_ <= limit_->most;
  }
  std::string excess() const { return text::excess(*limit_); }

 private:
  const Limit* limit_;
  uint64_t taken_ = 0;
};

namespace limits {

inline constexpr const char* kSystems = "configs/sweeps/systems.yaml";
inline constexpr const char* kPerl = "perl, built with -g1";

inline constexpr const char* kSplit = "split the file";
inline constexpr const char* kSweeps = "make several sweeps of it";
inline constexpr const char* kLess = "make it again with less in it";
inline constexpr const char* kHottest = "keep the hottest functions alone";
inline constexpr const char* kStrip =
    "compile it with -g1, or remove what is not needed with strip";
inline constexpr const char* kParts = "compile it in smaller parts, or with -g1";
inline constexpr const char* kCells = "leave out the cells that are not needed";
inline constexpr const char* kRecord = "record fewer signals";

inline constexpr Limit kYamlBytes = {
    "YAML", 768 << 10, "bytes in a file", 12'554, "configs/registers.yaml", kSplit};
inline constexpr Limit kYamlValues = {
    "YAML", 200'000, "values in a file", 17'000, "a run with 256 profilers", kSplit};
inline constexpr Limit kYamlItems = {
    "YAML", 4096, "items in a list of sections", 256, "the profilers of a run", kSplit};
inline constexpr Limit kYamlIncludes = {"YAML", 1000,     "included files",
                                        61,     kSystems, "put their keys into fewer files"};
inline constexpr Limit kYamlIncludedBytes = {"YAML", 512 << 10, "bytes in included files together",
                                             28'000, kSystems,  "include smaller files"};
inline constexpr Limit kSweepWorkloads = {"sweeps", 500, "workloads", 38, kSystems, kSweeps};
inline constexpr Limit kSweepKeys = {"sweeps", 1000, "keys of axes", 9, kSystems, kSweeps};
inline constexpr Limit kSweepValues = {"sweeps", 100'000, "values of axes", 350, kSystems, kSweeps};
inline constexpr Limit kSweepBases = {
    "sweeps", 500'000, "values in the run files of all workloads", 4000, kSystems, kSweeps};
inline constexpr Limit kJsonBytes = {"JSON", 8 << 20, "bytes", 40'719, "the result of json", kLess};
inline constexpr Limit kJsonValues = {"JSON", 400'000, "values", 2882, "the result of perl", kLess};
inline constexpr Limit kJsonDepth = {
    "JSON", 100, "levels of values in values", 8, "the result of a run", kLess};
inline constexpr Limit kStreamBytes = {
    "event streams", 4 << 20,  "bytes in the header and in the footer",
    13'000,          kSystems, "record it again"};
inline constexpr Limit kProfileBytes = {
    "LLVM, pprof", 16 << 20, "bytes, uncompressed", 454'775, "the profiles of perl", kHottest};
inline constexpr Limit kProfileEntries = {"LLVM, pprof",          500'000, "entries", 31'867,
                                          "the profiles of perl", kHottest};
inline constexpr Limit kProfileNames = {"LLVM, pprof",          32 << 20, "bytes of names", 153'322,
                                        "the profiles of json", kHottest};
inline constexpr Limit kElfBytes = {"ELF", 64 << 20, "bytes", 5'824'288, kPerl, kStrip};
inline constexpr Limit kElfSymbols = {"ELF", 200'000, "symbols", 8705, kPerl, kStrip};
inline constexpr Limit kElfNames = {"ELF",   16 << 20, "bytes of names of symbols",
                                    243'736, kPerl,    kStrip};
inline constexpr Limit kDebugBytes = {"DWARF",   32 << 20, "bytes in the sections, uncompressed",
                                      1'992'810, kPerl,    kStrip};
inline constexpr Limit kDebugRows = {"DWARF", 1'600'000, "rows of line tables",
                                     156'801, kPerl,     kStrip};
inline constexpr Limit kDebugProgramRows = {"DWARF", 210'000, "rows of a line table",
                                            20'159,  kPerl,   kStrip};
inline constexpr Limit kDebugPaths = {"DWARF", 16 << 20, "bytes of paths of files",
                                      56'304,  kPerl,    kStrip};
inline constexpr Limit kDebugUnits = {"DWARF", 20'000, "units", 67, "sqlite3", kStrip};
inline constexpr Limit kDebugAbbreviations = {
    "DWARF", 1'000'000, "abbreviations and their attributes", 11'168, "sqlite3", kStrip};
inline constexpr Limit kDebugEntries = {"DWARF", 5'000'000, "steps through the entries",
                                        20'229,  kPerl,     kStrip};
inline constexpr Limit kDebugDepth = {"DWARF", 256, "entries in one another", 9, "sqlite3", kStrip};
inline constexpr Limit kDebugRanges = {"DWARF", 1'000'000, "ranges of code", 13'861, kPerl, kStrip};
inline constexpr Limit kObjectBytes = {
    "objects", 48'000'000, "bytes in the file, and in its sections", 4'706'640, kPerl, kParts};
inline constexpr Limit kObjectSymbols = {"objects", 400'000, "symbols", 37'735, kPerl, kParts};
inline constexpr Limit kObjectNames = {"objects", 16 << 20, "bytes of names of symbols",
                                       216'078,   kPerl,    kParts};
inline constexpr Limit kFrameRows = {".eh_frame",
                                     1'000'000,
                                     "bytes of rows for a function",
                                     36'338,
                                     "the workloads in C++",
                                     "compile the file again"};
inline constexpr Limit kFrameCommon = {".eh_frame", 1024,  "bytes in a common entry",
                                       24,          kPerl, "compile the file again"};
inline constexpr Limit kEdgeBytes = {
    "CSV", 16 << 20, "bytes in a profile of edges", 58'616, "the edges of json", kHottest};
inline constexpr Limit kCsvRecord = {
    "CSV", 1 << 20, "bytes in a record", 383, "the profiles of json", "run it again"};
inline constexpr Limit kSourceBytes = {"source files",
                                       64 << 20,
                                       "bytes in the files of a program",
                                       1'000'000,
                                       "the sources of perl",
                                       "annotate one function"};
inline constexpr Limit kLibertyBytes = {"Liberty", 16 << 20, "bytes", 266'035, "osu035", kCells};
inline constexpr Limit kLibertyValues = {"Liberty", 600'000, "values", 22'824, "osu035", kCells};
inline constexpr Limit kVcdWord = {"VCD", 128 << 10,         "bytes in a word",
                                   64,    "strobe_profiler", kRecord};
inline constexpr Limit kVcdScopes = {"VCD",  256, "scopes in one another", 8, "strobe_profiler",
                                     kRecord};
inline constexpr Limit kVcdBits = {"VCD",  1'000'000,         "bits of variables",
                                   20'000, "strobe_profiler", kRecord};
inline constexpr Limit kVcdNames = {"VCD",     64 << 20,          "bytes of names of nets",
                                    1'200'000, "strobe_profiler", kRecord};
inline constexpr Limit kVcdChanges = {"VCD",     32 << 20,          "bytes of changes at one time",
                                      1'300'000, "strobe_profiler", kRecord};

inline constexpr const Limit* kAll[] = {
    &kYamlBytes,      &kYamlValues,       &kYamlItems,     &kYamlIncludes, &kYamlIncludedBytes,
    &kSweepWorkloads, &kSweepKeys,        &kSweepValues,   &kSweepBases,   &kJsonBytes,
    &kJsonValues,     &kJsonDepth,        &kStreamBytes,   &kProfileBytes, &kProfileEntries,
    &kProfileNames,   &kElfBytes,         &kElfSymbols,    &kElfNames,     &kDebugBytes,
    &kDebugRows,      &kDebugProgramRows, &kDebugPaths,    &kDebugUnits,   &kDebugAbbreviations,
    &kDebugEntries,   &kDebugDepth,       &kDebugRanges,   &kObjectBytes,  &kObjectSymbols,
    &kObjectNames,    &kFrameRows,        &kFrameCommon,   &kEdgeBytes,    &kCsvRecord,
    &kSourceBytes,    &kLibertyBytes,     &kLibertyValues, &kVcdWord,      &kVcdScopes,
    &kVcdBits,        &kVcdNames,         &kVcdChanges};

/// @return whether each limit is at least ten times what is needed
constexpr bool all_are_generous() {
  for (const Limit* limit : kAll) {
    if (limit->most < 10 * limit->need) return false;
  }
  return true;
}
static_assert(all_are_generous());

}  // namespace limits

}  // namespace strobe::text
