// The rows of a frame's description: what is read, and that what is written reads the same.
#include "sw/object/file/frame_rows.h"

#include <gtest/gtest.h>

#include "tests/unit/object/objects.h"

namespace strobe::object {
namespace {

/// A function of eight instructions of four bytes, with `between` after the first four.
ObjectFile described(const std::string& between) {
  return assembled(
      ".option norvc\n.globl f\n.type f,@function\nf:\n.cfi_startproc\n"
      " addi sp,sp,-32\n.cfi_def_cfa_offset 32\n"
      " sd ra,24(sp)\n.cfi_offset ra,-8\n nop\n beqz a0,1f\n" +
      between +
      " ld ra,24(sp)\n.cfi_restore ra\n addi sp,sp,32\n.cfi_def_cfa_offset 0\n ret\n"
      "1: ret\n.cfi_endproc\n.size f,.-f\n");
}

FrameRows rows_of_first(const ObjectFile& file) {
  const std::optional<FrameRows> rows = rows_of(file, read_frames(file).front());
  if (!rows) throw std::runtime_error("the description is not understood");
  return *rows;
}

std::vector<uint64_t> offsets(const FrameRows& rows) {
  std::vector<uint64_t> found;
  for (const PlacedRow& row : rows.rows) found.push_back(row.offset);
  return found;
}

constexpr uint64_t kReturnAddress = 1;

TEST(FrameRows, HoldFromTheInstructionAfterTheirDirective) {
  const FrameRows rows = rows_of_first(described(""));
  EXPECT_EQ(offsets(rows), (std::vector<uint64_t>{0, 4, 8, 20, 24}));
  EXPECT_EQ(rows.rows[0].row, rows.initial);
  EXPECT_NE(rows.rows[1].row.frame_address, rows.initial.frame_address);
  EXPECT_EQ(rows.rows[1].row.rules.count(kReturnAddress), 0u);
  EXPECT_EQ(rows.rows[2].row.rules.count(kReturnAddress), 1u);
  EXPECT_EQ(rows.rows[3].row, rows.rows[1].row) << "ra is restored";
  EXPECT_EQ(rows.rows[4].row, rows.initial);
}

TEST(FrameRows, ARestoredStateIsTheRememberedOne) {
  const FrameRows rows = rows_of_first(
      described(".cfi_remember_state\n nop\n.cfi_def_cfa_offset 64\n nop\n.cfi_restore_state\n"));
  EXPECT_EQ(offsets(rows), (std::vector<uint64_t>{0, 4, 8, 16, 20, 24, 28, 32}));
  EXPECT_EQ(rows.rows[3].row, rows.rows[2].row) << "remembering changes nothing";
  EXPECT_NE(rows.rows[4].row, rows.rows[2].row);
  EXPECT_EQ(rows.rows[5].row, rows.rows[2].row);
}

TEST(FrameRows, AnOperationThatGccDoesNotWriteGivesNone) {
  const ObjectFile file = described(".cfi_escape 0x2e,0x10\n");
  EXPECT_FALSE(rows_of(file, read_frames(file).front()).has_value());
}

TEST(FrameRows, AStateThatWasNotRememberedGivesNone) {
  const ObjectFile file = described(".cfi_escape 0x0b\n");
  EXPECT_FALSE(rows_of(file, read_frames(file).front()).has_value());
}

TEST(FrameRows, TheCodeEndsWhereTheFunctionEnds) {
  const ObjectFile file = described("");
  EXPECT_EQ(read_frames(file).front().code_end, 32u);
}

/// The descriptions of all frames with the rows that they have.
std::vector<NewFrame> same_frames(ObjectFile* file) {
  std::vector<NewFrame> frames;
  for (const Frame& frame : read_frames(*file)) {
    const std::optional<FrameRows> rows = rows_of(*file, frame);
    if (!rows) continue;
    NewFrame made;
    made.frame = frame;
    made.initial = rows->initial;
    made.start = file->add_label(frame.code.section, frame.code.offset);
    for (const PlacedRow& row : rows->rows) {
      made.rows.emplace_back(row.offset == frame.code.offset
                                 ? made.start
                                 : file->add_label(frame.code.section, row.offset),
                             row.row);
    }
    frames.push_back(std::move(made));
  }
  return frames;
}

class WrittenFrames : public testing::TestWithParam<const char*> {};

TEST_P(WrittenFrames, ReadAsTheyWere) {
  ObjectFile file = compiled(GetParam());
  const ObjectFile before = file;
  const std::vector<NewFrame> frames = same_frames(&file);
  ASSERT_GE(frames.size(), 4u);
  rewrite_frames(&file, frames);
  const std::vector<Frame> old = read_frames(before), now = read_frames(file);
  ASSERT_EQ(old.size(), now.size());
  for (size_t i = 0; i < old.size(); ++i) {
    EXPECT_EQ(old[i].code, now[i].code);
    EXPECT_EQ(old[i].handlers, now[i].handlers);
    const auto one = rows_of(before, old[i]), other = rows_of(file, now[i]);
    ASSERT_EQ(one.has_value(), other.has_value());
    if (!one) continue;
    ASSERT_EQ(offsets(*one), offsets(*other));
    for (size_t j = 0; j < one->rows.size(); ++j) EXPECT_EQ(one->rows[j].row, other->rows[j].row);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, WrittenFrames,
                         testing::Values("plain_whole.o", "throwing_o0.o", "throwing_o2.o"),
                         [](const auto& one) {
                           const std::string name = one.param;
                           return name.substr(0, name.size() - 2);
                         });

}  // namespace
}  // namespace strobe::object
