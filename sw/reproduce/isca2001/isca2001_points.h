// What figures 7 to 11 of ISCA 2001 have in common: their compressors, and their curves from the
// points of a progress series.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sc_models/machine/outcome/outcome.h"
#include "sw/reproduce/million.h"
#include "sw/reproduce/program_streams.h"
#include "sw/reproduce/reproduction.h"

namespace strobe::isca2001 {

using reproduce::claim;
using reproduce::percent;

constexpr uint64_t kEvery = 100'000;                    // events between two points
constexpr uint64_t kValueInstructions = 70 * kMillion;  // the paper's, for 16M load values of gcc
constexpr uint64_t kEdgeInstructions = 30 * kMillion;

inline constexpr const char* kValues = "[{profile: value}]";
inline constexpr const char* kEdgesAndCalls =
    "[{profile: edge, tag: 0}, {profile: call_target, tag: 1}]";

inline constexpr Contender kR256{"R_256", "name: R_256, kind: random, rate: 256"};
inline constexpr Contender kP256{"P_256", "name: P_256, kind: periodic, rate: 256"};
inline constexpr Contender kHp256{"H[P_256]_2048",
                                  "name: HP_256, kind: stratified, rate: 256, strata: 2048"};
inline constexpr Contender kHp512{
    "H[P_512]_2048", "name: HP_512, kind: stratified, rate: 512, strata: 2048, counter_width: 9"};
inline constexpr Contender kTagged{
    "T", "name: T, kind: tagged, rate: 256, strata: 2048, ways: 2, tag_bits: 2"};

/// Overhead so far by the paper's model.
double overhead(const profile::ProgressPoint& point);
/// The invariance error; 1 where no load qualifies yet.
double error_of(const profile::ProgressPoint& point);
/// The points up to so many events. Throws std::runtime_error when there are none.
std::vector<profile::ProgressPoint> until(const platform::ProfilerOutcome& profiler,
                                          uint64_t events);
double mean_error(const std::vector<profile::ProgressPoint>& points);

/// A curve a contender; `profilers` has them first, in their order.
reproduce::Figure figure_of(const std::string& name, const std::string& title,
                            const std::string& y_label, const std::vector<Contender>& contenders,
                            const std::vector<platform::ProfilerOutcome>& profilers,
                            uint64_t events, double (*value)(const profile::ProgressPoint&));

std::string events_text(const std::optional<uint64_t>& events);
std::string setup_text(const std::string& what, const std::string& selectors,
                       uint64_t instructions);

}  // namespace strobe::isca2001
