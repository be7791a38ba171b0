// The extension of an instruction that the core does not execute: what the assembler makes of their
// mnemonics, and encodings of the specifications for those that it does not know.
#include "sc_models/isa/decode/extensions.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "sc_models/isa/decode/decoded.h"

namespace strobe::isa {
namespace {

/// The instructions of an assembly text.
std::vector<uint32_t> assembled(const std::string& march, const std::string& text) {
  const std::string object = testing::TempDir() + fmt::format("extensions-{}.o", getpid());
  const std::string code = object + ".bin";
  const std::string command = "printf '" + text + "\\n' | riscv64-linux-gnu-as -march=" + march +
                              " -o " + object + " - && riscv64-linux-gnu-objcopy -O binary " +
                              "-j .text " + object + " " + code;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream file(code, std::ios::binary);
  std::vector<uint32_t> found;
  for (uint16_t low = 0; file.read(reinterpret_cast<char*>(&low), sizeof low);) {
    uint16_t high = 0;
    if ((low & 3) == 3) file.read(reinterpret_cast<char*>(&high), sizeof high);
    EXPECT_TRUE(file.good()) << command;
    found.push_back(low | static_cast<uint32_t>(high) << 16);
  }
  std::remove(object.c_str());
  std::remove(code.c_str());
  return found;
}

struct Case {
  const char* extension;
  const char* march;
  const char* text;
};

// Without it the names of the tests have addresses, which differ from run to run.
void PrintTo(const Case& one, std::ostream* out) { *out << one.extension; }

const Case kCases[] = {
    {"Zba", "rv64g_zba",
     "sh1add a0,a1,a2;sh2add a0,a1,a2;sh3add a0,a1,a2;add.uw a0,a1,a2;sh1add.uw a0,a1,a2;"
     "sh2add.uw a0,a1,a2;sh3add.uw a0,a1,a2;slli.uw a0,a1,3"},
    {"Zbb", "rv64g_zbb",
     "andn a0,a1,a2;orn a0,a1,a2;xnor a0,a1,a2;clz a0,a1;ctz a0,a1;cpop a0,a1;clzw a0,a1;ctzw "
     "a0,a1;cpopw a0,a1;max a0,a1,a2;maxu a0,a1,a2;min a0,a1,a2;minu a0,a1,a2;sext.b a0,a1;sext.h "
     "a0,a1;zext.h a0,a1;rol a0,a1,a2;rolw a0,a1,a2;ror a0,a1,a2;rori a0,a1,35;rorw a0,a1,a2;roriw "
     "a0,a1,3;orc.b a0,a1;rev8 a0,a1"},
    {"Zbc", "rv64g_zbc", "clmul a0,a1,a2;clmulh a0,a1,a2;clmulr a0,a1,a2"},
    {"Zbs", "rv64g_zbs",
     "bclr a0,a1,a2;bclri a0,a1,40;bext a0,a1,a2;bexti a0,a1,40;binv a0,a1,a2;binvi "
     "a0,a1,40;bset a0,a1,a2;bseti a0,a1,40"},
    {"Zbkb", "rv64g_zbkb", "pack a0,a1,a2;packh a0,a1,a2;packw a0,a1,a2;brev8 a0,a1"},
    {"Zbkx", "rv64g_zbkx", "xperm4 a0,a1,a2;xperm8 a0,a1,a2"},
    {"Zknd", "rv64g_zknd", "aes64ds a0,a1,a2;aes64dsm a0,a1,a2;aes64im a0,a1"},
    {"Zkne", "rv64g_zkne",
     "aes64es a0,a1,a2;aes64esm a0,a1,a2;aes64ks1i a0,a1,4;aes64ks2 a0,a1,a2"},
    {"Zknh", "rv64g_zknh",
     "sha256sig0 a0,a1;sha256sig1 a0,a1;sha256sum0 a0,a1;sha256sum1 a0,a1;sha512sig0 "
     "a0,a1;sha512sig1 a0,a1;sha512sum0 a0,a1;sha512sum1 a0,a1"},
    {"Zksed", "rv64g_zksed", "sm4ed a0,a1,a2,2;sm4ks a0,a1,a2,3"},
    {"Zksh", "rv64g_zksh", "sm3p0 a0,a1;sm3p1 a0,a1"},
    {"Zfh", "rv64g_zfh",
     "flh fa0,2(a0);fsh fa0,2(a0);fadd.h fa0,fa1,fa2;fmadd.h fa0,fa1,fa2,fa3;fcvt.s.h "
     "fa0,fa1;fcvt.d.h fa0,fa1;fcvt.h.s fa0,fa1;fcvt.h.d fa0,fa1;fmv.x.h a0,fa1;fmv.h.x "
     "fa0,a1;feq.h a0,fa1,fa2;fcvt.h.l fa0,a1"},
    {"Q", "rv64gq", "flq fa0,16(a0);fsq fa0,16(a0);fadd.q fa0,fa1,fa2;fnmsub.q fa0,fa1,fa2,fa3"},
    {"V", "rv64gv",
     "vsetvli a0,a1,e32,m1,ta,ma;vle8.v v1,(a0);vse64.v v1,(a0);vadd.vv v1,v2,v3;vfadd.vf "
     "v1,v2,fa0;vlse32.v v1,(a0),a1;csrr a0,vlenb;csrr a0,vl;csrr a0,vstart;csrr a0,vxrm"},
    {"Zicbom", "rv64g_zicbom", "cbo.clean (a0);cbo.flush (a0);cbo.inval (a0)"},
    {"Zicboz", "rv64g_zicboz", "cbo.zero (a0)"},
    {"Zawrs", "rv64g_zawrs", "wrs.nto;wrs.sto"},
    {"Zihpm", "rv64g", "csrr a0,hpmcounter3;csrr a0,hpmcounter4;csrr a0,hpmcounter31"},
    {"Zkr", "rv64g", "csrrw a0,seed,x0"},
    // From here on by the tables of the specifications: the assembler is older.
    {"Zicond", "rv64g", ".word 0x0ec5d533, 0x0ec5f533"},
    {"Zfa", "rv64g",
     ".word 0xf01a0553, 0xf21a0553, 0x28c5a553, 0x2ac5b553, 0x4045f553, 0x4255f553, 0xc2859553, "
     "0xa0c5c553, 0xa2c5d553, 0xf41a0553"},
    {"Zfbfmin", "rv64g", ".word 0x4485f553, 0x4065f553"},
    {"Zacas", "rv64g", ".word 0x28c5a52f, 0x2ec5b52f, 0x28c5c52f"},
    {"Zabha", "rv64g", ".word 0x00c5852f, 0x08c5952f"},
    {"Zimop", "rv64g", ".word 0x81c5c573, 0xcdf5c573, 0x82c5c573, 0xcec5c573"},
    {"Zvk", "rv64g", ".word 0xa2862077"},
    {"a vendor's own extension", "rv64g", ".word 0x0000000b, 0x0000002b, 0x0000005b, 0x0000007b"},
    {"Zcb", "rv64gc", ".half 0x8188, 0x8588, 0x8988, 0x8d88, 0x9d61, 0x9d75, 0x9d4d"},
    {"Zcmop", "rv64gc", ".half 0x6081, 0x6781"},
};

class Extensions : public testing::TestWithParam<Case> {};

TEST_P(Extensions, IsNamedForEachOfItsInstructions) {
  const std::vector<uint32_t> words = assembled(GetParam().march, GetParam().text);
  const std::string text = GetParam().text;
  EXPECT_EQ(words.size(), 1u + std::count(text.begin(), text.end(), text[0] == '.' ? ',' : ';'));
  for (const uint32_t word : words) {
    EXPECT_EQ(foreign_extension(word), GetParam().extension) << std::hex << word;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Extensions, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& one) {
                           std::string name = one.param.extension;
                           return name[0] == 'a' ? "Vendor" : name;
                         });

TEST(ForeignExtension, NamesNoneForWhatIsNoInstruction) {
  for (const uint32_t word : {0u, 0xffffffffu, 0xffffu, 0x00000073u, 0x0000006bu}) {
    EXPECT_EQ(foreign_extension(word), "") << std::hex << word;
  }
  EXPECT_EQ(about_foreign_extension(0xffffffff), "");
}

TEST(ForeignExtension, NamesNoneForWhatTheCoreExecutes) {
  for (uint32_t seed = 1, i = 0; i < 4000000; ++i) {
    seed = seed * 1664525 + 1013904223;
    const uint32_t word = seed ^ seed >> 16;
    const bool executed = decode(word).op != 0;
    const bool accesses_csr = (word & 0x7f) == 0x73;  // its number decides when it executes
    if (executed && !accesses_csr) ASSERT_EQ(foreign_extension(word), "") << std::hex << word;
  }
}

TEST(ForeignExtension, TheSentenceSaysWhatToCompileWith) {
  EXPECT_EQ(about_foreign_extension(0x20c5e533),
            "; the instruction is of Zba, but the core executes rv64gc: compile the program and "
            "its libraries with -march=rv64gc");
}

TEST(ForeignExtensions, OfAnIsaStringAreThoseThatTheCoreLacks) {
  using testing::ElementsAre;
  using testing::IsEmpty;
  EXPECT_THAT(foreign_extensions("rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0_zmmul1p0"),
              IsEmpty());
  EXPECT_THAT(foreign_extensions("rv64imafdc_zba_zbb1p0_zicbop"), ElementsAre("zba", "zbb"));
  EXPECT_THAT(foreign_extensions("rv64i2p1_v1p0_zve64x1p0_zvl128b1p0_xtheadba1p0_sv39"),
              ElementsAre("v", "zve64x", "zvl128b", "xtheadba"));
  EXPECT_THAT(foreign_extensions("rv64gcv"), ElementsAre("v"));
  for (const char* damaged : {"", "rv32imv", "rv64\x1b[31m_zba", "x"}) {
    EXPECT_THAT(foreign_extensions(damaged), IsEmpty()) << damaged;
  }
}

}  // namespace
}  // namespace strobe::isa
