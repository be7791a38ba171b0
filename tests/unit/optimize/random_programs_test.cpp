// Random programs do what they did, whatever the profile says.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "sc_models/isa/decode/op.h"
#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/port/address_map.h"
#include "sw/files/scratch_folder.h"
#include "sw/optimize/optimized_program.h"
#include "tests/unit/object/objects.h"
#include "tests/unit/optimize/random_program.h"
#include "tests/whole_programs.h"

namespace strobe::optimize {
namespace {

/// Random counts for every branch of a program: often one way, sometimes none. The first one, of
/// _start, is always counted.
profile::Profile random_counts(const isa::ElfFile& elf, std::mt19937* random) {
  isa::GuestMemory memory;
  elf.load(memory, /*firmware=*/false);
  profile::Entries entries;
  const uint64_t begin = elf.symbol("_start")->address, end = begin + 200'000;
  for (uint64_t pc = begin; pc < end;) {
    uint32_t word = 0;
    if (elf.symbol_at(pc) == nullptr || !memory.read(pc, &word, sizeof word)) break;
    const isa::DecodedInsn insn = isa::decode(word);
    if (insn.length == 0) break;
    if (isa::info(static_cast<isa::Op>(insn.op)).kind == isa::Kind::kBranch &&
        ((*random)() % 9 != 0 || entries.empty())) {
      const uint64_t ways[] = {pc + insn.length, pc + static_cast<uint64_t>(int64_t{insn.imm})};
      const unsigned likely = (*random)() % 2;
      entries.emplace_back(Tuple{pc, ways[likely], 0}, (*random)() % 1000 + 1);
      entries.emplace_back(Tuple{pc, ways[1 - likely], 0}, (*random)() % 200);
    }
    pc += insn.length;
  }
  return profile::Profile(std::move(entries));
}

class RandomPrograms : public testing::TestWithParam<unsigned> {};

TEST_P(RandomPrograms, DoWhatTheyDid) {
  constexpr unsigned kFunctions = 40;
  const unsigned seed = GetParam();
  SCOPED_TRACE("seed " + std::to_string(seed));
  const files::ScratchFolder folder;
  const std::string elf = (folder / "program.elf").string();
  object::write_bytes(folder / "program.o",
                      object::assembled(RandomProgram(seed).text(kFunctions)).serialize());
  std::ofstream(folder / "program.link")
      << "riscv64-linux-gnu-gcc\n-static\n-nostdlib\nprogram.o\n";
  ASSERT_EQ(object::run("cd " + folder.path().string() +
                        " && riscv64-linux-gnu-gcc -static -nostdlib program.o -o program.elf")
                .code,
            0);
  const object::Ran expected = object::run("timeout 20 qemu-riscv64 " + elf);
  ASSERT_EQ(expected.code, 0);
  ASSERT_EQ(expected.out.size(), 65536u);
  std::mt19937 random(seed);
  EdgeCounts counts;
  const isa::ElfFile file = isa::ElfFile::open(elf, STROBE_USER_TOP);
  counts.program = file.sha256();
  counts.profile = random_counts(file, &random);
  ASSERT_GT(counts.profile.size(), 200u);
  Options local;
  local.local = true;
  Options strict;
  strict.traces.threshold = 0.9;
  strict.traces.most_unrolled = 2;
  strict.traces.most_peeled = 1;
  for (const Options& options : {local, Options(), strict}) {
    const OptimizedProgram optimized =
        optimize_program(instrument::linked_program(elf, ""), counts, core::CoreParams(), options);
    EXPECT_GT(optimized.counts.functions, kFunctions / 2);
    EXPECT_EQ(optimized.counts.superblocks > 0, !options.local);
    ASSERT_EQ(optimized.left_alone.size(), 1u);
    EXPECT_EQ(optimized.left_alone[0].reason, "control runs off its end") << "of _start";
    const std::string edited = (folder / "edited.elf").string();
    put(edited, optimized.elf);
    const object::Ran found = object::run("timeout 20 qemu-riscv64 " + edited);
    EXPECT_EQ(found.code, 0) << "threshold " << options.traces.threshold;
    EXPECT_TRUE(found.out == expected.out)
        << "threshold " << options.traces.threshold << (options.local ? ", local" : "");
  }
}

INSTANTIATE_TEST_SUITE_P(Short, RandomPrograms, testing::Range(1u, 4u));
INSTANTIATE_TEST_SUITE_P(Long, RandomPrograms, testing::Range(4u, 100u));

}  // namespace
}  // namespace strobe::optimize
