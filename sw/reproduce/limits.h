// Every limit that decides a verdict, with its reason: the one table of all papers. It was fixed
// before the runs. `strobe reproduce --limits` prints it as docs/reproductions/limits.md.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace strobe::reproduce {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();
/// The least of what is more than nothing.
inline constexpr double kAboveZero = std::numeric_limits<double>::min();

/// A claim holds when its interval is within this, ends included.
struct Range {
  double least = -kUnbounded, most = kUnbounded;
};

/// What the numbers of a limit are.
enum class Unit : uint8_t {
  kNumber,   // a count, or a quotient of two measurements
  kPercent,  // a fraction, printed in per cent
  kPoints,   // a difference of two fractions, printed in points
  kOfPaper,  // multiples of the number that the paper states
};

struct Limit {
  const char* id;  // how the code names it
  const char* paper;
  const char* claim;  // what it is a limit of
  double least, most;
  Unit unit;
  const char* reason;

  constexpr Range range() const { return {least, most}; }
  /// The range around a number of the paper, which must be positive.
  constexpr Range of(double papers) const { return {least * papers, most * papers}; }
};

// A new limit is one row here.
inline constexpr Limit kLimits[] = {
    {"isca-crossing", "ISCA 2001",
     "the stream length at which the error of figure 4 gets under 4 %", 0.9, 1.1, Unit::kOfPaper,
     "the paper reads it from a curve"},
    {"isca-same-class", "ISCA 2001", "samplers of one class: quotient of their errors", 0.95, 1.05,
     Unit::kNumber, "the classes are 17 % apart by the closed form, and more"},
    {"isca-better-class", "ISCA 2001", "samplers of two classes: quotient of their errors",
     -kUnbounded, 0.95, Unit::kNumber, "the same twentieth"},
    {"isca-loads", "ISCA 2001", "loads that qualify in a program, for it to count", 20, kUnbounded,
     Unit::kNumber, "the error of fewer is that of a handful of loads"},
    {"isca-alike", "ISCA 2001", "\"almost identical\" errors: their quotient", 0.8, 1.25,
     Unit::kNumber, "two of the paper's curves are read as one within a fifth"},
    {"isca-sooner", "ISCA 2001", "quotient of the events until the error reaches 5 %", 2,
     kUnbounded, Unit::kNumber, "section 6: twice as fast"},
    {"isca-much-sooner", "ISCA 2001", "the same until it stays below 5 %", 0.5, kUnbounded,
     Unit::kOfPaper, "23 times, of one program: the size counts"},
    {"isca-as-accurate", "ISCA 2001", "\"similar\" accuracy: quotient of the errors", -kUnbounded,
     1.1, Unit::kNumber, "less is not worse; a tenth is not seen in the paper's curves"},
    {"isca-more-accurate", "ISCA 2001", "better accuracy: quotient of the errors", -kUnbounded, 1,
     Unit::kNumber, "the words of the paper"},
    {"isca-error", "ISCA 2001", "error (abstract, section 5.7)", -kUnbounded, 0.03, Unit::kPercent,
     "the words of the paper"},
    {"isca-overhead", "ISCA 2001", "overhead of the abstract, analytical and measured", -kUnbounded,
     1.25, Unit::kOfPaper, "other programs load at another rate; less is not worse"},
    {"isca-thrice", "ISCA 2001", "\"almost three times\" the messages", 2.5, 3.5, Unit::kNumber,
     "rounds to three"},
    {"isca-twice", "ISCA 2001", "twice the messages or more", 2, kUnbounded, Unit::kNumber,
     "the words of the paper"},
    {"isca-most", "ISCA 2001", "share of the programs: \"most\"", 0.5, kUnbounded, Unit::kPercent,
     "more than half"},
    {"isca-second-level", "ISCA 2001", "the factor by which A_16 lowers the overhead", 1.15, 2.5,
     Unit::kNumber, "the words of the paper"},
    {"isca-negligible", "ISCA 2001", "a negligible error", -kUnbounded, 0.005, Unit::kPercent,
     "bars of that height are not seen in figure 11"},
    {"isca-six-of-ten", "ISCA 2001", "share of the programs with a negligible error", 0.6,
     kUnbounded, Unit::kPercent, "the words of the paper"},
    {"isca-edge-overhead", "ISCA 2001",
     "overhead of edges and call targets, analytical and measured", -kUnbounded, 0.045,
     Unit::kPercent, "the words of the paper"},
    {"isca-nearly-all", "ISCA 2001", "share of the programs within a limit that is stated of all",
     0.75, kUnbounded, Unit::kPercent, "14 of 14 programs support no more"},
    {"isca-messages", "ISCA 2001", "messages of a program, for its overhead to count", 500,
     kUnbounded, Unit::kNumber, "the cost of fewer is mostly that of new entries in the table"},
    {"isca-model", "ISCA 2001", "(own aim) measured overhead over analytical", -kUnbounded, 1.3,
     Unit::kNumber, "the aim"},
    {"isca-model-most", "ISCA 2001", "(own aim) share of the programs within that", 10.0 / 14,
     kUnbounded, Unit::kPercent, "the aim: ten of fourteen"},

    {"hps-events", "HPS", "events that every program collects at a point", 500, kUnbounded,
     Unit::kNumber, "the overlap of a sample of fewer is mostly chance"},
    {"hps-mean", "HPS", "a mean that the paper gives as one number", 0.75, 1.25, Unit::kOfPaper,
     "\"about\": other programs and another core, the size counts"},
    {"hps-calls", "HPS", "accuracy of call pairs and methods at 1/500", 0.9, kUnbounded,
     Unit::kPercent, "the words of the paper"},
    {"hps-streams", "HPS", "accuracy of data streams at 1/500", 0.4, kUnbounded, Unit::kPercent,
     "the words of the paper"},
    {"hps-range", "HPS", "overhead of call pairs and methods of a program at 1/100", -0.001, 0.025,
     Unit::kPercent, "the words of the paper; two runs may differ by a thousandth by chance"},
    {"hps-event", "HPS", "(implied) cycles that a collected call costs at 1/500", 15, 59,
     Unit::kNumber, "0.2 % of 500 calls, each in 25 to 100 instructions, at an IPC of 1.7"},
    {"hps-nearly-all", "HPS", "share of the programs within a range that the paper states of all",
     0.75, kUnbounded, Unit::kPercent, "14 of 14 programs support no more"},
    {"hps-negligible", "HPS", "difference of two overheads that is negligible", -0.001, 0.001,
     Unit::kPoints, "half of the overhead that the paper calls negligible"},
    {"hps-more", "HPS", "more, better or dearer: the difference", kAboveZero, kUnbounded,
     Unit::kPoints, "no size is stated"},
    {"hps-memory", "HPS", "instructions to one memory operation", 2, 5, Unit::kNumber,
     "the words of the paper"},
    {"hps-call-density", "HPS", "instructions to one call", 25, 100, Unit::kNumber,
     "the words of the paper"},

    {"bursty-mean", "bursty tracing", "a mean that the paper gives as one number", 0.75, 1.25,
     Unit::kOfPaper, "other programs and another core: the size counts"},
    {"bursty-orig", "bursty tracing", "basic overhead of a program with every check", 0.056, 0.353,
     Unit::kPercent, "the words of the paper"},
    {"bursty-reduced", "bursty tracing", "the same with the checks of EC+L4", 0.03, 0.18,
     Unit::kPercent, "the words of the paper"},
    {"bursty-nearly-all", "bursty tracing",
     "share of the programs within a range that the paper states of all", 0.75, kUnbounded,
     Unit::kPercent, "14 of 14 programs support no more"},
    {"bursty-more", "bursty tracing", "less overhead, better overlap: the difference", kAboveZero,
     kUnbounded, Unit::kPoints, "no size is stated"},
    {"bursty-half", "bursty tracing", "(own aim) half of the overhead of orig, less that of EC+L4",
     0, kUnbounded, Unit::kPoints, "the aim"},
    {"bursty-equation", "bursty tracing", "overhead beside that of equation 4", -0.01, 0.01,
     Unit::kPoints, "the paper's overheads are whole per cents"},
    {"bursty-returns", "bursty tracing", "returns that change the copy", 0, 0.01, Unit::kPercent,
     "one in a hundred leaves the lengths of bursts as they are"},
    {"bursty-as-good", "bursty tracing", "overlap of EC+L4 beside that of orig", -0.05, kUnbounded,
     Unit::kPoints, "a difference of 5 points is not seen in figure 8"},

    {"ephemeral-saving", "ephemeral", "cycles saved by the complete profile", 0.75, 1.25,
     Unit::kOfPaper, "other programs, compiler and scheduler: only the size can be alike"},
    {"ephemeral-overhead", "ephemeral", "overhead, where a quarter of it is more than a point",
     0.75, 1.25, Unit::kOfPaper, "the same"},
    {"ephemeral-same", "ephemeral", "difference of normalized cycles or of overheads", -0.01, 0.01,
     Unit::kPoints, "the paper's equally good ones differ by 0.1; moved code makes up to 1"},
    {"ephemeral-low", "ephemeral", "low overhead", -kUnbounded, 0.05, Unit::kPercent,
     "the paper's abstract: 1-5 %"},
    {"ephemeral-complete", "ephemeral", "overhead of complete profiles", 0.163, 0.528,
     Unit::kPercent, "the paper's introduction, of QPT and PP"},
    {"ephemeral-kept", "ephemeral", "share of the complete profile's gain that is kept", 0.9,
     kUnbounded, Unit::kPercent,
     "the rest is 4 points of the paper's largest gain: what compress loses"},
    {"ephemeral-in-step", "ephemeral", "error of the share of a branch in step with the epochs",
     0.35, kUnbounded, Unit::kPercent,
     "one phase alone is wrong by 50; ticks may fall at the border of two"},
    {"ephemeral-mended", "ephemeral", "the same with jitter", -kUnbounded, 0.15, Unit::kPercent,
     "a walk of 800 ticks is wrong by 7 in the mean; twice that"},
    {"ephemeral-aim", "ephemeral", "(own aim) geometric mean of the normalized cycles", -kUnbounded,
     0.9, Unit::kPercent, "the aim"},
    {"ephemeral-faster", "ephemeral", "(own aim) share of the programs that get faster", 0.5,
     kUnbounded, Unit::kPercent, "the aim: six of twelve"},
    {"ephemeral-programs", "ephemeral", "programs measured, for a verdict on the own aims", 12,
     kUnbounded, Unit::kNumber, "the aims are about twelve"},

    {"shim-large", "SHIM", "a large overhead", 0.5, 1.5, Unit::kOfPaper,
     "other programs and another core: only the size can be alike"},
    {"shim-small", "SHIM", "a small overhead", -kUnbounded, 2, Unit::kOfPaper,
     "the same; less is not worse"},
    {"shim-nothing", "SHIM", "no overhead", -kUnbounded, 0.01, Unit::kPercent,
     "the paper's error bars are as long"},
    {"shim-valid", "SHIM", "valid samples", 0.9, kUnbounded, Unit::kPercent,
     "the words of the paper"},
    {"shim-fastest", "SHIM", "valid samples at the highest rate", -kUnbounded, 0.5, Unit::kPercent,
     "the paper: over half are discarded"},
    {"shim-band", "SHIM", "share of the range of rates that coarse samples show", -kUnbounded, 0.5,
     Unit::kPercent, "the paper's band is 0.3 wide, against 3.5"},
    {"shim-mode", "SHIM", "samples with the most frequent period", -kUnbounded, 0.05,
     Unit::kPercent, "the paper has 1 %; a regular observer has nearly all"},
    {"shim-own-rate", "SHIM", "samples near the observer's own rate, beside the paper's share",
     -0.05, kUnbounded, Unit::kPoints, "the paper gives the shares to the point"},
    {"shim-any", "SHIM", "a difference", kAboveZero, kUnbounded, Unit::kPoints,
     "the paper says which is more, not by how much"},
    {"shim-producer", "SHIM", "overhead of the producer", -kUnbounded, 0.05, Unit::kPercent,
     "the words of the paper"},
    {"shim-similar", "SHIM", "hot methods that another sample rate finds too", 0.8, kUnbounded,
     Unit::kPercent, "four of five"},
    {"shim-outside", "SHIM", "samples outside of what coarse ones show", 0.1, kUnbounded,
     Unit::kPercent, "half of the paper's, which are other programs'"},
    {"shim-truth", "SHIM", "error of the IPC by method", -kUnbounded, 0.1, Unit::kPercent, "ours"},
    {"shim-unchanged", "SHIM", "change of a bandwidth that does not change", -kUnbounded, 0.1,
     Unit::kPercent, "half of what the paper calls a change"},
    {"shim-requests", "SHIM", "requests of samples with a high rate", 0.9, kUnbounded,
     Unit::kPercent, "the paper has 95 %"},
    {"shim-correlated", "SHIM", "a strong correlation", -kUnbounded, -0.5, Unit::kNumber,
     "the usual word for half and more"},
};

/// The limit with this id; as a constant expression it fails to compile when there is none. Throws
/// std::invalid_argument otherwise.
constexpr const Limit& limit(std::string_view id) {
  for (const Limit& one : kLimits) {
    if (one.id == id) return one;
  }
  throw std::invalid_argument("no limit has this id");
}

/// "at most 3 %", "0.75 to 1.25 times the paper's".
std::string range_text(const Limit& limit);
/// The page with the table.
std::string limits_page();

}  // namespace strobe::reproduce
