// Any bytes are a profile of LLVM or of pprof, or get one sentence.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sw/answer/answer_error.h"
#include "sw/answer/overlap.h"
#include "sw/answer/readers/foreign_profile.h"

namespace {

/// What must hold for every input; a fault stops the fuzzer.
void require(bool good) {
  if (!good) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace strobe::answer;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const auto read : {read_llvm, read_pprof}) {
    try {
      const ForeignProfile profile = read(bytes, "fuzz");
      require(!profile.functions.empty() && !profile.lines.empty());
      const double same = overlap(profile.lines, profile.lines);
      require(same >= 0 && same < 1 + 1e-9);
    } catch (const AnswerError& error) {
      require(error.what()[0] != '\0');
    }
  }
  return 0;
}
