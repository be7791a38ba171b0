// A profile that another tool wrote, in the form in which two of them can be compared.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

#include "sw/text/limits.h"

namespace strobe::answer {

using Counts = std::map<std::string, uint64_t>;

/// A profile is beyond one of the limits of sw/text/limits.h: says which.
class TooLarge : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ForeignProfile {
 public:
  bool pprof = false;  // else LLVM's
  std::string events;  // what is counted, as the file says
  Counts functions;
  /// LLVM: the functions that are inlined in one another, each with its line's offset from the
  /// function's beginning and its discriminator, "main>11:compress>3.1". pprof: "FUNCTION lz.c:12".
  Counts lines;

  /// Adds to a count, at most up to the largest number. Throws TooLarge: a small file can repeat a
  /// long name in many lines.
  void add(Counts ForeignProfile::*counts, const std::string& name, uint64_t count);

 private:
  text::Budget entries_{text::limits::kProfileEntries}, names_{text::limits::kProfileNames};
};

/// LLVM's sample profile in its text form (llvm/ProfileData/SampleProfReader.h). A function's count
/// is the sum of its lines and of those inlined in it; the file's own totals are not used. The
/// contexts of a context-sensitive profile are added up.
/// @param name  stands in messages
/// Throws AnswerError, one sentence with the line.
ForeignProfile read_llvm(const std::string& text, const std::string& name);

/// pprof's profile.proto, with or without gzip (github.com/google/pprof, proto/profile.proto): the
/// default type of sample or, without one, the last, at the innermost place of each stack.
/// Throws AnswerError, one sentence.
ForeignProfile read_pprof(const std::string& bytes, const std::string& name);

/// Reads a file in one of the two formats: pprof if it begins as gzip does or is
/// no text. Throws AnswerError.
ForeignProfile read_foreign(const std::string& path);

}  // namespace strobe::answer
