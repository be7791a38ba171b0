// Figures 7 to 11 of ISCA 2001 from what was measured on our programs: compressors that watch the
// same windows of each program's stream, and a verdict on what sections 5 and 6 state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/reproduce/bootstrap.h"
#include "sw/reproduce/limits.h"
#include "sw/reproduce/reproduction.h"

namespace strobe::reproduce::isca2001 {

/// In the abstract.
inline constexpr double kPapersOverhead = 0.035;

/// The compressors of figures 7 and 8, by their place.
enum Compressor : uint8_t { kR, kP, kHp, kHp512, kT };
/// Those of figure 9, by the number of entries.
enum TableSize : uint8_t { k512, k1024, k2048, k4096 };
/// Those of figure 10: each first level without and then with A_16.
enum FirstLevel : uint8_t { kOnlyR = 0, kOnlyHp = 2, kOnlyT = 4 };

/// One compressor with one seed in one window.
struct Course {
  std::vector<std::optional<double>> errors;  // at each point; none while no load qualifies
  std::vector<uint64_t> messages;             // sent so far, at each point
};

/// A stretch of a program's stream that all compressors watch from its first event on.
struct Window {
  uint64_t start = 0;            // events before it
  uint64_t loads = 0;            // that qualify at its end (section 5.3.1)
  double top_share = 0;          // the share of its events that the most frequent tuple has
  std::vector<uint64_t> cycles;  // since the start, at each point
  std::vector<std::vector<Course>> courses;  // by compressor, then by seed
};

/// A program.
struct Raced {
  std::string program;
  std::vector<std::string> compressors;  // as the paper calls them
  uint64_t stream = 0;                   // events of the whole stream
  std::vector<uint64_t> events;          // since the start, at each point
  std::vector<Window> windows;           // by start; none when the stream has too few events
};

/// The mean over the events of a window of the error, from the first point that has one.
double mean_error(const Raced& program, const Course& course);
/// Overhead of the whole window by the paper's model (section 5.3.2).
double overhead(const Window& window, const Course& course);

/// A number of events that is known to be above `after` and not above `until`: the points of a
/// window are some way apart, and a window ends. `until` may be infinite.
struct Between {
  double after = 0, until = kUnbounded;
};
/// The events until the error is under the paper's 5 %, and until it stays there.
Between reaches(const Raced& program, const Course& course);
Between stays_below(const Raced& program, const Course& course);

/// value(window, course) of a compressor, by start and seed.
template <class Value>
Repeated repeated(const Raced& program, size_t compressor, Value value) {
  Repeated result{program.program, {}};
  for (const Window& window : program.windows) {
    std::vector<double>& of_start = result.by.emplace_back();
    for (const Course& course : window.courses[compressor]) {
      of_start.push_back(value(window, course));
    }
  }
  return result;
}
/// One number of every program over another one of it, start by start and seed by seed.
Repeated quotient(const Repeated& number, const Repeated& by);

/// How many times the mean error of `one` is that of `other`, program by program.
std::vector<Repeated> error_ratios(const std::vector<Raced>& programs, size_t one, size_t other);
/// The same of the messages of whole windows.
std::vector<Repeated> message_ratios(const std::vector<Raced>& programs, size_t one, size_t other);

/// "2.31 (1.80 to 4.02); least 0.50 of gzip, most 9.00 of lua": the median over the programs of
/// their medians, its interval, and the programs at both ends. @param percents  as fractions
std::string ratios_text(const std::vector<Repeated>& programs, bool percents = false);
/// A claim about that median.
Claim median_claim(std::string statement, const std::vector<Repeated>& programs, Range range,
                   std::string why, bool percents = false);
/// A claim about every program: it holds when the interval of each is within the range, and differs
/// when that of one is outside. The intervals are wider than those of one program alone, so that
/// one in twenty such claims has a program outside its interval (Bonferroni).
Claim every_claim(std::string statement, const std::vector<Repeated>& programs, Range range,
                  std::string why);
/// A claim about how many times longer `slow` takes until something than `fast`, from bounds of
/// both.
Claim sooner_claim(std::string statement, const std::vector<Raced>& programs, size_t slow,
                   size_t fast, Between (*until)(const Raced&, const Course&), Range range,
                   std::string why);

/// A curve a compressor: the medians of a program's errors over starts and seeds, in per cent.
Figure error_figure(const std::string& name, const std::string& title, const Raced& program);

/// The programs that can be judged. The others are named in `skipped` with what they have too few
/// of.
/// @param loads  also leave out those with too few loads for an error that says something
std::vector<Raced> qualified(std::vector<Raced> programs, bool loads,
                             std::vector<std::string>& skipped);

/// Each takes at least one program; the caller says what ran, in `setup`, and what was skipped.
Reproduction fig7(const std::vector<Raced>& programs);
Reproduction fig8(const std::vector<Raced>& programs);
Reproduction fig9(const std::vector<Raced>& programs);
Reproduction fig10(const std::vector<Raced>& programs);
Reproduction fig11(const std::vector<Raced>& programs);

}  // namespace strobe::reproduce::isca2001
