// Is each format written as its description says? Its real readers are asked in tests/e2e/answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "sw/answer/answer_error.h"
#include "sw/answer/formats/format.h"
#include "sw/answer/formats/gzip.h"
#include "sw/answer/formats/protobuf.h"
#include "sw/answer/inline_stacks.h"
#include "tests/unit/answer/sample.h"

namespace strobe::answer {
namespace {

SeriesList all_of(const RunProfile& run) {
  SeriesList list;
  for (const Series& series : run.series) list.push_back(&series);
  return list;
}

TEST(Folded, HasALineForEachStackAndNoSeparatorInAFrame) {
  const RunProfile run = sample_run();
  EXPECT_EQ(write_folded(run, {&run.series[0]}), "f:g 4000\nmain 6000\n");
  EXPECT_EQ(write_folded(run, {&run.series[2]}), "main;f:g 5\n");
  EXPECT_EQ(write_folded(run, {&run.series[3]}), "[machine mode] 1\nmain 3\n");
}

TEST(Callgrind, HasEverySeriesAsAnEventAndTotalsThatAddUp) {
  const RunProfile run = sample_run();
  EXPECT_EQ(write_callgrind(run, all_of(run)),
            "# callgrind format\nversion: 1\ncreator: strobe\ncmd: sample.elf\n"
            "positions: instr line\n"
            "events: p_edge p_value calls_call_target truth_cycles\n"
            "summary: 10000 50 5 4\n"
            "\nfl=???\nfn=main\n"
            "0x100 0 0 40 0 3\n"
            "0x104 0 6000 0 5 0\n"
            "\nfl=???\nfn=f;g\n"
            "0x200 0 4000 10 0 0\n"
            "\nfl=???\nfn=[machine mode]\n"
            "0xffffffffffffffff 0 0 0 0 1\n"
            "\ntotals: 10000 50 5 4\n");
}

// "(N)" stands for a name in callgrind's format.
TEST(Callgrind, ANameThatBeginsWithAParenthesisHasANumber) {
  RunProfile run = sample_run();
  run.symbols[0x200] = "(7) odd\nname";
  run.symbols[0x300] = "(7) odd\nname";
  run.series[0].counts = profile::Profile({{{0x200, 0}, 2}, {{0x300, 0}, 3}});
  EXPECT_THAT(write_callgrind(run, {&run.series[0]}),
              testing::HasSubstr("\nfl=???\nfn=(1) (7) odd\\x0aname\n0x200 0 2\n"
                                 "\nfl=???\nfn=(1)\n0x300 0 3\n"));
}

TEST(Folded, ANameIsOneLine) {
  RunProfile run = sample_run();
  run.symbols[0x200] = "a;b\nc\x1b\xff";
  EXPECT_EQ(write_folded(run, {&run.series[0]}), "a:b\\x0ac\\x1b\\xff 4000\nmain 6000\n");
}

TEST(Formats, NameTheThreadOfASelector) {
  RunProfile run = sample_run();
  run.series[0].thread = "2";
  EXPECT_EQ(write_folded(run, {&run.series[0]}), "thread 2;f:g 4000\nthread 2;main 6000\n");
  EXPECT_THAT(write_callgrind(run, {&run.series[0]}), testing::HasSubstr("\nthread: 2\n"));
  EXPECT_THAT(write_callgrind(run, all_of(run)), testing::Not(testing::HasSubstr("thread: ")))
      << "of several";
}

TEST(Llvm, OfAProgramThatIsNotFoundIsAnError) {
  const RunProfile run = sample_run();
  try {
    write_llvm(run, {&run.series[0]});
    FAIL() << "no error";
  } catch (const AnswerError& error) {
    EXPECT_STREQ(error.what(),
                 "an LLVM profile is by source line, and no line of sample.elf is known: expected "
                 "the program, got none; name the file that ran with --program FILE");
  }
}

// The encoding of llvm/IR/DebugInfoMetadata.h: base, copies, and a copy's number.
TEST(Llvm, ADiscriminatorHasABaseAndANumberOfCopies) {
  EXPECT_EQ(base_discriminator(0), 0u);
  EXPECT_EQ(copies_of(0), 1u);
  EXPECT_EQ(base_discriminator(3 << 1), 3u);
  EXPECT_EQ(copies_of(3 << 1), 1u);
  EXPECT_EQ(base_discriminator(1 | 4 << 2), 0u);  // one bit for the base, then four copies
  EXPECT_EQ(copies_of(1 | 4 << 2), 4u);
  EXPECT_EQ(base_discriminator(3 << 1 | 8 << 8), 3u);
  EXPECT_EQ(copies_of(3 << 1 | 8 << 8), 8u);
  const unsigned forty = (40 & 0x1f) | 0x20 | (40 & 0xfe0) << 1;  // of 32 or more: fourteen bits
  EXPECT_EQ(base_discriminator(forty << 1), 40u);
  EXPECT_EQ(copies_of(forty << 1 | 2 << 15), 2u);
}

TEST(Bolt, OfAProgramThatIsNotFoundIsAnError) {
  const RunProfile run = sample_run();
  try {
    write_bolt(run, {&run.series[0]});
    FAIL() << "no error";
  } catch (const AnswerError& error) {
    EXPECT_STREQ(error.what(),
                 "a profile for BOLT names functions, and the symbols of sample.elf are not known: "
                 "expected the program, got none; name the file that ran with --program FILE");
  }
}

TEST(Perfetto, OfARunWithoutIntervalsIsAnError) {
  const RunProfile run = sample_run();
  EXPECT_THROW(write_perfetto(run, {}), AnswerError);
}

// The examples of protobuf.dev/programming-guides/encoding.
TEST(Protobuf, IsEncodedAsItsDescriptionShows) {
  WireMessage number, text, packed, nested;
  number.number(1, 150);
  EXPECT_EQ(number.text(), std::string("\x08\x96\x01", 3));
  text.bytes(2, "testing");
  EXPECT_EQ(text.text(), "\x12\x07testing");
  packed.packed(6, {3, 270, 86942});
  EXPECT_EQ(packed.text(), "\x32\x06\x03\x8e\x02\x9e\xa7\x05");
  nested.message(3, number);
  EXPECT_EQ(nested.text(), std::string("\x1a\x03\x08\x96\x01", 5));
}

TEST(Gzip, IsReadBackAndHasNoTime) {
  const std::string text(100000, 'x'), packed = gzip(text);
  EXPECT_EQ(packed.substr(0, 8), std::string("\x1f\x8b\x08\0\0\0\0\0", 8));
  std::string out(text.size() + 1, '\0');
  z_stream stream{};
  ASSERT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  EXPECT_EQ(out.substr(0, stream.total_out), text);
  inflateEnd(&stream);
}

}  // namespace
}  // namespace strobe::answer
