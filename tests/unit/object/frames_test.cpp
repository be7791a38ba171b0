// The descriptions of frames and of exception handlers, as gcc writes them.
#include "sw/object/file/frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/object/objects.h"

namespace strobe::object {
namespace {

using testing::HasSubstr;

const Frame* frame_of(const ObjectFile& file, const std::vector<Frame>& frames,
                      const std::string& function) {
  const Symbol& symbol = file.symbols[symbol_named(file, function)];
  for (const Frame& frame : frames) {
    if (frame.code == Location{symbol.section, symbol.value}) return &frame;
  }
  return nullptr;
}

TEST(Frames, EveryFunctionOfACompilerHasOne) {
  ObjectFile file = compiled("throwing_o2.o");
  const std::vector<Frame> frames = read_frames(file);
  unsigned functions = 0;
  for (const uint32_t section : code_sections(file)) {
    const Code code(&file, section);
    for (const Function& function : code.functions()) {
      ++functions;
      EXPECT_TRUE(std::any_of(frames.begin(), frames.end(), [&](const Frame& frame) {
        return frame.code == Location{section, function.start};
      })) << file.describe(section, function.start);
    }
  }
  EXPECT_GE(functions, 5u);
}

TEST(Frames, AFrameNamesItsHandlersOrHasNone) {
  const ObjectFile with = compiled("throwing_whole.o");
  const std::vector<Frame> frames = read_frames(with);
  const Frame* middle = frame_of(with, frames, "_Z6middlei");
  ASSERT_NE(middle, nullptr);
  EXPECT_TRUE(middle->has_handlers);
  EXPECT_EQ(with.sections[middle->handlers.section].name, ".gcc_except_table");

  const ObjectFile without = compiled("plain_whole.o");
  const std::vector<Frame> plain = read_frames(without);
  const Frame* ackermann = frame_of(without, plain, "ackermann");
  ASSERT_NE(ackermann, nullptr);
  EXPECT_FALSE(ackermann->has_handlers);
  EXPECT_TRUE(read_handlers(without, plain).empty());
}

TEST(Frames, LandingPadsAreInstructionsOfTheirFunction) {
  ObjectFile file = compiled("throwing_whole.o");
  const std::vector<Frame> frames = read_frames(file);
  const Frame* middle = frame_of(file, frames, "_Z6middlei");
  ASSERT_NE(middle, nullptr);
  const Code code(&file, middle->code.section);
  const uint64_t end = middle->code.offset + file.symbols[symbol_named(file, "_Z6middlei")].size;
  unsigned pads = 0;
  for (const Handlers& handlers : read_handlers(file, frames)) {
    if (!(handlers.begin == middle->handlers)) continue;
    EXPECT_EQ(handlers.code_section, middle->code.section);
    for (const uint32_t pad : handlers.landing_pads) {
      ++pads;
      EXPECT_NE(code.at(pad), code.instructions().size());
      EXPECT_GT(pad, middle->code.offset);
      EXPECT_LT(pad, end);
    }
  }
  EXPECT_GE(pads, 3u);
}

std::string refusal_of_frames(const ObjectFile& file) {
  try {
    read_handlers(file, read_frames(file));
  } catch (const ObjectError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Frames, ASectionThatIsCutOffIsRefusedWithThePlace) {
  const ObjectFile whole = compiled("throwing_whole.o");
  const uint32_t section = section_named(whole, ".eh_frame");
  const size_t size = whole.sections[section].bytes.size();
  unsigned accepted = 0;
  for (size_t cut = 0; cut < size; ++cut) {
    ObjectFile file = whole;
    file.sections[section].bytes.resize(cut);
    const std::string text = refusal_of_frames(file);
    if (text == "accepted") {
      ++accepted;  // between two entries
    } else {
      EXPECT_THAT(text, testing::StartsWith("throwing_whole.o: .eh_frame+0x"));
      EXPECT_THAT(text, HasSubstr("; compile the file again"));
    }
  }
  EXPECT_LE(accepted, read_frames(whole).size() + 3);
}

TEST(Frames, AHandlerTableThatIsCutOffIsRefused) {
  ObjectFile file = compiled("throwing_whole.o");
  const uint32_t section = section_named(file, ".gcc_except_table");
  file.sections[section].bytes.resize(2);
  EXPECT_THAT(refusal_of_frames(file), HasSubstr(".gcc_except_table+0x"));
  EXPECT_THAT(refusal_of_frames(file), HasSubstr("cut off"));
}

TEST(Frames, AHandlerTableOfAnotherFormIsRefused) {
  ObjectFile file = compiled("throwing_whole.o");
  const std::vector<Frame> frames = read_frames(file);
  const Frame* middle = frame_of(file, frames, "_Z6middlei");
  ASSERT_NE(middle, nullptr);
  file.sections[middle->handlers.section].bytes[middle->handlers.offset] = 0x1b;
  EXPECT_THAT(refusal_of_frames(file),
              HasSubstr("expected the encodings ff and 3 of gcc, got 1b and 3"));
}

TEST(Frames, AnEntryWithoutItsCommonEntryIsRefused) {
  ObjectFile file = compiled("plain_whole.o");
  const Frame frame = read_frames(file).front();
  file.sections[frame.section].bytes[frame.begin + 4] = 0x7f;
  EXPECT_THAT(refusal_of_frames(file), HasSubstr("a frame without its common entry"));
}

TEST(Frames, DescribeTheCodeAfterALargeInsertionToo) {
  // An entry counts small steps in six bits; the insertion makes one of them too long for that.
  const std::string expected = behavior(compiled("throwing_whole.o"));
  for (const unsigned count : {20u, 100u, 20000u}) {
    SCOPED_TRACE(std::to_string(count) + " no-ops");
    ObjectFile file = compiled("throwing_whole.o");
    const uint32_t section = file.symbols[symbol_named(file, "_Z6middlei")].section;
    const uint32_t start = value_of(file, "_Z6middlei");
    const Code code(&file, section);
    Editor editor(&file, code);
    editor.insert(start, Place::kAfterLabels, no_ops(count));
    editor.apply();
    EXPECT_EQ(behavior(file), expected);
  }
}

TEST(Frames, WhatStandsAtAnAdvanceStaysInOrderWhenItIsLonger) {
  ObjectFile file = compiled("throwing_whole.o");
  std::vector<Relocation>& relocations =
      file.sections[section_named(file, ".eh_frame")].relocations;
  for (size_t i = relocations.size(); i-- > 0;) {
    if (relocations[i].type != R_RISCV_SUB6) continue;
    relocations.insert(relocations.begin() + static_cast<ptrdiff_t>(i) + 1,
                       {relocations[i].offset, R_RISCV_NONE, 0, 0});
  }
  const Symbol middle = file.symbols[symbol_named(file, "_Z6middlei")];
  const Code code(&file, middle.section);
  Editor editor(&file, code);
  for (const Instruction& instruction : code.instructions()) {
    if (!instruction.glued) editor.insert(instruction.offset, Place::kAfterLabels, no_ops(20));
  }
  editor.apply();
  const std::vector<uint8_t> written = file.serialize();
  EXPECT_EQ(ObjectFile::parse(written, "again.o").serialize(), written);
}

TEST(Frames, ARelocationThatStandsAtNoAdvanceDoesNotMakeOneLonger) {
  ObjectFile file = compiled("throwing_whole.o");
  const uint32_t frames = section_named(file, ".eh_frame");
  const Symbol middle = file.symbols[symbol_named(file, "_Z6middlei")];
  ASSERT_GE(middle.size, 256u);
  const uint32_t begin = file.add_label(middle.section, middle.value);
  const uint32_t end = file.add_label(middle.section, middle.value + middle.size);
  std::vector<Relocation>& relocations = file.sections[frames].relocations;
  const uint64_t size = file.sections[frames].bytes.size();
  relocations.insert(relocations.begin(), {{0, R_RISCV_SET8, end, 0}, {0, R_RISCV_SUB8, begin, 0}});
  relocations.insert(relocations.end(),
                     {{size, R_RISCV_SET8, end, 0}, {size, R_RISCV_SUB8, begin, 0}});
  const std::vector<uint8_t> before = file.sections[frames].bytes;
  widen_advances(&file);
  EXPECT_EQ(file.sections[frames].bytes, before);
}

TEST(Frames, AnEntryOfCodeOutsideItsSectionIsLeftAsItIs) {
  ObjectFile file = compiled("throwing_whole.o");
  const Symbol middle = file.symbols[symbol_named(file, "_Z6middlei")];
  const std::vector<Frame> frames = read_frames(file);
  const Frame* frame = frame_of(file, frames, "_Z6middlei");
  ASSERT_NE(frame, nullptr);
  for (Relocation& relocation : file.sections[frame->section].relocations) {
    if (relocation.offset != frame->begin + 8) continue;
    const uint64_t value = file.symbols[relocation.symbol].value;
    relocation.addend = -1 - static_cast<int64_t>(value);  // one byte before the section
  }
  const Code code(&file, middle.section);
  Editor editor(&file, code);
  editor.insert(static_cast<uint32_t>(middle.value), Place::kAfterLabels, no_ops(1));
  const std::vector<uint8_t> before = file.sections[frame->section].bytes;
  EXPECT_NO_THROW(editor.apply());
  const std::vector<uint8_t>& after = file.sections[frame->section].bytes;
  const auto begin = static_cast<ptrdiff_t>(frame->begin), end = static_cast<ptrdiff_t>(frame->end);
  EXPECT_TRUE(std::equal(before.begin() + begin, before.begin() + end, after.begin() + begin));
}

TEST(Frames, ALengthWithoutRelocationsFollowsAnEdit) {
  ObjectFile file = compiled("plain_clang19.o");
  const auto fixed = [](const std::vector<Frame>& frames) {
    return std::count_if(frames.begin(), frames.end(),
                         [](const Frame& frame) { return frame.fixed_length.bytes != 0; });
  };
  const auto before = fixed(read_frames(file));
  ASSERT_GE(before, 1);
  for (const uint32_t section : code_sections(file)) {
    const Code code(&file, section);
    Editor editor(&file, code);
    for (const Function& function : code.functions()) {
      editor.insert(code.instructions()[code.at(function.start) + 1].offset, Place::kAfterLabels,
                    no_ops(2));
    }
    editor.apply();
  }
  file = ObjectFile::parse(file.serialize(), "again.o");
  const std::vector<Frame> frames = read_frames(file);
  EXPECT_EQ(fixed(frames), 0);
  unsigned functions = 0;
  for (const uint32_t section : code_sections(file)) {
    const Code code(&file, section);
    for (const Function& function : code.functions()) {
      const auto frame = std::find_if(frames.begin(), frames.end(), [&](const Frame& one) {
        return one.code == Location{section, function.start};
      });
      ASSERT_NE(frame, frames.end());
      EXPECT_EQ(frame->code_end, function.end);
      ++functions;
    }
  }
  EXPECT_GE(functions, 5u);
}

TEST(Frames, AFrameThatNamesNoCodeIsRefused) {
  ObjectFile file = compiled("throwing_o2.o");
  const Frame frame = read_frames(file).front();
  Section& section = file.sections[frame.section];
  section.relocations.erase(
      std::remove_if(section.relocations.begin(), section.relocations.end(),
                     [&](const Relocation& one) { return one.offset == frame.begin + 8; }),
      section.relocations.end());
  try {
    read_frames(file);
    FAIL() << "the frame was accepted";
  } catch (const ObjectError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected one that names its code, got none"));
  }
}

}  // namespace
}  // namespace strobe::object
