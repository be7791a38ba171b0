// A function that is too large to be shown is refused before any tool reads it.
#include "sw/answer/disassembly.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/answer/answer_error.h"

namespace strobe::answer {
namespace {

TEST(Disassembly, AFunctionBeyondTheLimitIsRefused) {
  EXPECT_THAT([] { disassemble("p.elf", 0x10000, 0x10000 + (1 << 20) + 2); },
              testing::ThrowsMessage<AnswerError>(
                  "p.elf: the function at 0x10000 is too large: expected at most 1048576 bytes of "
                  "a function that is shown, got 1048578; show another function"));
}

}  // namespace
}  // namespace strobe::answer
