// The decoder compared with GNU binutils, an independent decoder of the same encodings: objdump
// names every instruction, and disassembles each 16-bit encoding and its expansion in the same way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "sc_models/isa/decode/decoded.h"
#include "sc_models/isa/decode/op.h"
#include "tests/unit/isa/machine.h"

namespace strobe::isa {
namespace {

// The disassembly of 32-bit slots, "mnemonic operands" a slot; a 16-bit encoding is followed by
// c.nop.
std::vector<std::string> disassemble(const std::vector<uint32_t>& slots, const std::string& name,
                                     const std::string& options) {
  const std::string path = testing::TempDir() + name;
  std::ofstream file(path, std::ios::binary);
  for (uint32_t slot : slots) {
    for (unsigned b = 0; b < 4; ++b) file.put(static_cast<char>(slot >> (8 * b)));
  }
  file.close();
  const std::string command = fmt::format("{} -D -b binary -m riscv:rv64 {} '{}' 2>&1",
                                          STROBE_RISCV_OBJDUMP, options, path);
  FILE* pipe = popen(command.c_str(), "r");
  std::vector<std::string> lines(slots.size());
  char buffer[512];
  while (pipe != nullptr && std::fgets(buffer, sizeof buffer, pipe) != nullptr) {
    unsigned long long address = 0;
    char bits[32] = "", mnemonic[64] = "", operands[256] = "";
    if (std::sscanf(buffer, " %llx: %31s %63s %255[^\n#<]", &address, bits, mnemonic, operands) <
        3) {
      continue;
    }
    if (address % 4 != 0 || address / 4 >= lines.size()) continue;
    std::string text = std::string(mnemonic) + " " + operands;
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
    lines[address / 4] = text;
  }
  if (pipe != nullptr) pclose(pipe);
  std::remove(path.c_str());
  return lines;
}

constexpr uint32_t kCompressedNop = 0x00010000;  // in the upper half of a slot

TEST(Decoder, ExpandsEveryCompressedEncodingAsObjdumpReadsIt) {
  std::vector<uint32_t> compressed, expanded;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 3) == 3) continue;
    const uint32_t expansion = expand_compressed(static_cast<uint16_t>(bits));
    compressed.push_back(bits | kCompressedNop);
    expanded.push_back(expansion == 0 ? 0 : expansion);
  }
  auto wanted = disassemble(compressed, "compressed.bin", "");
  const auto got = disassemble(expanded, "expanded.bin", "");
  unsigned legal = 0, failures = 0;
  for (size_t i = 0; i < wanted.size() && failures < 10; ++i) {
    const uint32_t bits = compressed[i] & 0xffff;
    if (expanded[i] == 0) {
      if (bits == 0x6101) continue;  // c.addi16sp with 0 is reserved; objdump prints it
      EXPECT_TRUE(wanted[i].rfind(".2byte", 0) == 0 || wanted[i].rfind("unimp", 0) == 0 ||
                  wanted[i].rfind("c.unimp", 0) == 0)
          << std::hex << bits << " is illegal here, objdump: " << wanted[i] << " " << ++failures;
      continue;
    }
    ++legal;
    if (wanted[i].rfind("c.", 0) == 0) {
      // objdump names HINTs only: they expand to what writes x0 or shifts by 0.
      const DecodedInsn d = decode(expanded[i]);
      EXPECT_TRUE(d.dst == kNoRegister || d.imm == 0) << std::hex << bits << " " << wanted[i];
      continue;
    }
    // objdump writes c.mv as mv, but its expansion (add rd, x0, rs2) as add; and the other way
    // round for the HINT c.addi with 0.
    static const std::regex move("^add ([a-z0-9]+),zero,"), hint("^add ([a-z0-9]+),\\1,0$");
    const std::string text = std::regex_replace(got[i], move, "mv $1,");
    wanted[i] = std::regex_replace(wanted[i], hint, "mv $1,$1");
    EXPECT_EQ(text, wanted[i]) << std::hex << bits << " " << (text == wanted[i] ? 0 : ++failures);
  }
  EXPECT_GT(legal, 40000u);
}

TEST(Decoder, NamesEveryInstructionAsObjdumpDoes) {
  std::mt19937_64 rng(1);
  std::vector<uint32_t> insns;
  std::vector<Op> ops;
  for (unsigned round = 0; round < 40; ++round) {
    for (unsigned op = 1; op < kOpCount; ++op) {
      const OpInfo& row = kOps[op];
      uint32_t insn = row.match | (static_cast<uint32_t>(rng()) & ~row.mask);
      if (row.has_rounding_mode())
        insn = (insn & ~0x7000u) | static_cast<uint32_t>(rng() % 5) << 12;
      // Exact conversions: binutils only knows them with mode 0.
      const Op exact[] = {Op::kFcvtDW, Op::kFcvtDWu, Op::kFcvtDS};
      for (Op e : exact) {
        if (static_cast<Op>(op) == e) insn &= ~0x7000u;
      }
      if (static_cast<Op>(op) == Op::kFence) insn = 0x0ff0000f;
      if (static_cast<Op>(op) == Op::kFenceI) insn = 0x0000100f;
      insns.push_back(insn);
      ops.push_back(static_cast<Op>(op));
    }
  }
  const auto lines = disassemble(insns, "named.bin", "-M no-aliases,numeric");
  for (size_t i = 0; i < insns.size(); ++i) {
    std::string mnemonic = lines[i].substr(0, lines[i].find_first_of(" \t"));
    mnemonic = std::regex_replace(mnemonic, std::regex("\\.(aqrl|aq|rl)$"), "");
    // SYSTEM's custom range is ours to name: binutils knows no dret.
    const std::string wanted = ops[i] == Op::kDret ? ".4byte" : info(ops[i]).mnemonic;
    EXPECT_EQ(mnemonic, wanted) << std::hex << insns[i];
    EXPECT_EQ(decode(insns[i]).op, static_cast<uint16_t>(ops[i])) << std::hex << insns[i];
  }
}

TEST(Decoder, RefusesWhatIsNotRv64gc) {
  const uint32_t illegal[] = {
      0x00000000,  // defined illegal
      0xffffffff,
      0x0000006b,               // custom
      0x02005013 | 0x04000000,  // srli with a funct6 that does not exist
      0x0200101b,               // slliw with shamt[5]
      0x00007063 & ~0x5000u,    // branch funct3 2
      0x0000705f,
      0x00005053 | 0x02000000,  // fadd.d with rm 5
      0x06000053,               // fadd.q
      0x04000053,               // fadd.h
      0x10200073,               // sret: no S-mode
      0x00200073,               // uret
      0x12000073,               // sfence.vma
      0x0000007f & ~0x0u,
      0x00104073,               // SYSTEM funct3 4
      0x1010202f | 0x00100000,  // lr.w with rs2
  };
  for (uint32_t insn : illegal) EXPECT_EQ(decode(insn).op, 0) << std::hex << insn;
}

TEST(Decoder, FillsWhatTheTimingModelNeeds) {
  const DecodedInsn fma = decode(encode(Op::kFmaddD, Fields{1, 2, 3, 4, 0, 0}));
  EXPECT_EQ(fma.dst, 33);
  EXPECT_EQ(fma.src[0], 34);
  EXPECT_EQ(fma.src[1], 35);
  EXPECT_EQ(fma.src[2], 36);
  EXPECT_EQ(fma.opclass, OpClass::kFp);
  const DecodedInsn store = decode(encode(Op::kFsd, Fields{0, 10, 0, 0, -8, 0}));
  EXPECT_EQ(store.dst, kNoRegister);
  EXPECT_EQ(store.src[0], 10);
  EXPECT_EQ(store.src[1], 32);
  EXPECT_EQ(store.flags, kWritesMemory);
  EXPECT_EQ(store.mem_size, 8);
  EXPECT_EQ(store.imm, -8);
  const DecodedInsn nop = decode(0x00000013);
  EXPECT_EQ(nop.dst, kNoRegister);
  EXPECT_EQ(nop.src[0], kNoRegister);
  EXPECT_EQ(decode(encode(Op::kDivw)).opclass, OpClass::kDiv);
  EXPECT_EQ(decode(encode(Op::kMulhu)).opclass, OpClass::kMul);
  EXPECT_EQ(decode(encode(Op::kFsqrtS)).opclass, OpClass::kFpDivSqrt);
  EXPECT_EQ(decode(encode(Op::kFdivD)).opclass, OpClass::kFpDivSqrt);
  EXPECT_EQ(decode(encode(Op::kLrW)).flags, kReadsMemory | kOrdering);
  EXPECT_EQ(decode(encode(Op::kScW)).flags, kWritesMemory | kOrdering);
  EXPECT_EQ(decode(encode(Op::kAmoaddD)).flags, kReadsMemory | kWritesMemory | kOrdering);
  EXPECT_EQ(decode(encode(Op::kCsrrs)).flags, kSerializing);
  EXPECT_EQ(decode(encode(Op::kFence)).flags, kOrdering);
  EXPECT_EQ(decode(encode(Op::kFence)).opclass, OpClass::kFence);
}

}  // namespace
}  // namespace strobe::isa
