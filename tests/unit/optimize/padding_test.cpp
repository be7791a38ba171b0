// Where the data of an optimized program lie.
#include "sw/optimize/padding.h"

#include <gtest/gtest.h>

#include "tests/unit/object/objects.h"

namespace strobe::optimize {
namespace {

using object::ObjectFile;

/// Code of so many bytes, with read-only data, descriptions of frames and data after it.
ObjectFile program_with(unsigned bytes) {
  return object::assembled(".globl _start\n_start: nop\n.fill " + std::to_string(bytes / 4) +
                           ",4,0x13\n.section .rodata\n.dword 1\n.section "
                           ".eh_frame,\"a\"\n.word 0\n.fill " +
                           std::to_string(bytes / 8) + ",4,0\n.data\n.dword 2\n");
}

std::vector<uint8_t> linked(const ObjectFile& file) {
  const object::Folder folder;
  object::link(file.serialize(), folder / "program", object::kAlone);
  return object::bytes_of_file(folder / "program");
}

TEST(Padding, PutsReadOnlyDataAndDataWhereTheCachesHaveThem) {
  core::CoreParams core;
  core.memory.l1d.size = 8192;
  core.memory.l1d.ways = 1;
  core.memory.l2.size = 98304;
  core.memory.l2.ways = 3;
  const std::vector<uint8_t> original = linked(program_with(400));
  ObjectFile edited = program_with(5000);
  const Padding needed = padding_of(original, linked(edited), core);
  EXPECT_LT(needed.code, 32768u);
  EXPECT_LT(needed.read_only, 32768u);
  EXPECT_GT(needed.code + needed.read_only, 0u);
  append(needed, &edited);
  const Padding left = padding_of(original, linked(edited), core);
  EXPECT_EQ(left.code, 0u);
  EXPECT_EQ(left.read_only, 0u);
}

TEST(Padding, AFileWithoutItsHeadersIsRefused) {
  EXPECT_THROW(padding_of({1, 2, 3}, {1, 2, 3}, core::CoreParams()), object::ObjectError);
}

}  // namespace
}  // namespace strobe::optimize
