// The program that software signals were linked into: its words, what their identifiers mean, the
// cache, and what is refused.
#include "sw/instrument/signals/signaled_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "sw/files/scratch_folder.h"
#include "sw/instrument/signals/signal_words.h"
#include "tests/unit/instrument/signals_programs.h"

namespace strobe::instrument {
namespace {

using object::ObjectError;
using testing::HasSubstr;

const SignaledProgram& signaled_lz() {
  static const SignaledProgram kProgram =
      make_signaled_program(linked_program(workload("lz"), ""), {});
  return kProgram;
}

TEST(SignaledProgram, EachWordHasACacheLineToItself) {
  const uint64_t method = address_in(signaled_lz(), kMethodSignal),
                 loop = address_in(signaled_lz(), kLoopSignal);
  EXPECT_EQ(method % kSignalLine, 0u);
  EXPECT_EQ(loop % kSignalLine, 0u);
  EXPECT_NE(method, loop);
  for (const DataRange& range : signaled_lz().map.data()) {
    for (const uint64_t word : {method, loop}) {
      EXPECT_TRUE(range.edited + range.bytes <= word || range.edited >= word + kSignalLine)
          << std::hex << range.edited;
    }
  }
}

TEST(SignaledProgram, AWordThatIsNotAskedForIsNotThere) {
  const SignaledProgram methods = Assembled(kNestedLoops, kMethodsOnly).program(),
                        loops = Assembled(kNestedLoops, kLoopsOnly).program();
  EXPECT_NE(address_in(methods, kMethodSignal), 0u);
  EXPECT_EQ(address_in(methods, kLoopSignal), 0u);
  EXPECT_EQ(methods.counts.back_edges, 0u);
  EXPECT_EQ(address_in(loops, kMethodSignal), 0u);
  EXPECT_NE(address_in(loops, kLoopSignal), 0u);
}

TEST(SignaledProgram, AnIdentifierLeadsBackToItsNameAndAddress) {
  const isa::ElfFile original = isa::ElfFile::open(workload("lz"), STROBE_USER_TOP);
  for (const LinkedMethod& method : signaled_lz().methods) {
    const isa::ElfSymbol* const symbol = original.symbol_at(method.pc);
    ASSERT_NE(symbol, nullptr) << method.name;
    ASSERT_EQ(symbol->address, method.pc) << method.name;
  }
  for (const LinkedLoop& loop : signaled_lz().loops) {
    ASSERT_EQ(original.symbol_at(loop.pc)->address, signaled_lz().methods.at(loop.method - 1).pc)
        << std::hex << loop.pc;
  }
}

TEST(SignaledProgram, TheProgramIsTheSameFromItsDocument) {
  const nlohmann::json document = to_json(Assembled(kNestedLoops).program());
  EXPECT_TRUE(to_json(signaled_program_from_json(document)) == document);
  EXPECT_THROW(signaled_program_from_json(nlohmann::json::object()), std::runtime_error);
}

TEST(SignaledProgram, TheCacheGivesTheSame) {
  const files::ScratchFolder cache;
  ASSERT_EQ(setenv("STROBE_CACHE", cache.path().c_str(), 1), 0);
  const Assembled nested(kNestedLoops);
  const LinkedProgram program = nested.linked();
  const SignaledProgram made = find_or_signal(program, kMethodsOnly),
                        found = find_or_signal(program, kMethodsOnly),
                        other = find_or_signal(program, kLoopsOnly);
  EXPECT_TRUE(made.elf == found.elf);
  EXPECT_TRUE(to_json(made) == to_json(found));
  EXPECT_FALSE(made.elf == other.elf);
}

TEST(SignaledProgram, AnObjectThatHasSignalsIsRefused) {
  EXPECT_THAT(
      [] {
        Assembled(function("main", "  li a0, 0\n  ret") +
                  ".data\n.globl strobe_signal_loop\nstrobe_signal_loop: .word 0\n");
      },
      testing::ThrowsMessage<ObjectError>(
          testing::AllOf(HasSubstr("one.o: it defines strobe_signal_loop"),
                         HasSubstr("expected an object without software signals"))));
}

TEST(SignaledProgram, AnEditedProgramHasNoObjectsToEdit) {
  const files::ScratchFolder folder;
  write_content(folder / "edited.elf", Assembled(kNestedLoops).program().elf);
  EXPECT_THAT([&] { linked_program(folder / "edited.elf", ""); },
              testing::ThrowsMessage<ObjectError>(HasSubstr("its link command is needed")));
}

}  // namespace
}  // namespace strobe::instrument
