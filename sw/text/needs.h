// What the inputs of Strobe itself need of the limits: the 26 programs of the comparison, their
// debug information, the comparison's sweep and what both make. tests/security/needs/needs.py
// measures it. docs/security.md has this table, and strobe-gen writes it there.
#pragma once

#include <cstdint>

#include "sw/text/limits.h"

namespace strobe::text::limits {

struct Need {
  const Limit* limit;
  uint64_t most;       // that the inputs have
  const char* source;  // the input that has it
};

inline constexpr const char* kSystems = "configs/sweeps/systems.yaml";
inline constexpr const char* kPerl = "perl";

inline constexpr Need kNeeds[] = {
    {&kYamlBytes, 17'270, "a run of the comparison"},
    {&kYamlValues, 17'000, "a run with 256 profilers"},
    {&kYamlItems, 256, "the profilers of a run"},
    {&kYamlIncludes, 51, kSystems},
    {&kYamlIncludedBytes, 15'816, kSystems},
    {&kSweepWorkloads, 38, kSystems},
    {&kSweepKeys, 9, kSystems},
    {&kSweepValues, 299, kSystems},
    {&kSweepBases, 7052, kSystems},
    {&kDatabaseBytes, 66'500'000, kSystems},
    {&kDatabaseValues, 700'000, kSystems},
    {&kDatabaseSteps, 6'000'000, kSystems},
    {&kJsonBytes, 242'419, kPerl},
    {&kJsonValues, 14'827, kPerl},
    {&kJsonDepth, 8, "the result of a run"},
    {&kStreamBytes, 242'419, kPerl},
    {&kProfileBytes, 1'738'504, kPerl},
    {&kProfileEntries, 108'995, kPerl},
    {&kProfileNames, 2'036'171, kPerl},
    {&kElfBytes, 5'824'288, kPerl},
    {&kElfSymbols, 11'097, kPerl},
    {&kElfNames, 460'632, kPerl},
    {&kCodeBytes, 50'000, "sqlite3"},
    {&kDebugBytes, 1'992'810, kPerl},
    {&kDebugRows, 156'801, kPerl},
    {&kDebugProgramRows, 39'587, "the 26 programs"},
    {&kDebugPaths, 166'144, "the 26 programs"},
    {&kDebugUnits, 169, "the 26 programs"},
    {&kDebugAbbreviations, 16'484, "the 26 programs"},
    {&kDebugEntries, 23'051, "json"},
    {&kDebugDepth, 36, "json"},
    {&kDebugRanges, 13'861, kPerl},
    {&kObjectBytes, 4'706'648, kPerl},
    {&kObjectSymbols, 37'744, kPerl},
    {&kObjectNames, 216'078, kPerl},
    {&kLinkBytes, 1112, "gnugo"},
    {&kArchiveMembers, 1876, "libc.a"},
    {&kFrameRows, 103'955, kPerl},
    {&kFrameCommon, 24, kPerl},
    {&kEdgeBytes, 464'246, kPerl},
    {&kCsvRecord, 383, "the profiles of json"},
    {&kSourceBytes, 172'919, kPerl},
    {&kLibertyBytes, 266'035, "osu035"},
    {&kLibertyValues, 22'824, "osu035"},
    {&kVcdWord, 64, "strobe_profiler"},
    {&kVcdScopes, 8, "strobe_profiler"},
    {&kVcdBits, 20'000, "strobe_profiler"},
    {&kVcdNames, 1'200'000, "strobe_profiler"},
    {&kVcdChanges, 1'300'000, "strobe_profiler"},
};

/// @return whether each limit is at least ten times what is needed
constexpr bool all_are_generous() {
  for (const Need& need : kNeeds) {
    if (need.limit->most < 10 * need.most) return false;
  }
  return true;
}
static_assert(all_are_generous());

}  // namespace strobe::text::limits
