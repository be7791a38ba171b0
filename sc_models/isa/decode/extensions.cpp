#include "sc_models/isa/decode/extensions.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace strobe::isa {
namespace {

struct Row {
  uint32_t mask, match;
  const char* extension;
};

// Parts of masks: opcode, funct3, funct7, funct6 of a shift by 6 bits, funct5 of an AMO, rs2.
constexpr uint32_t kMajor = 0x7f, kF3 = 0x7000, kF7 = 0xfe000000, kF6 = 0xfc000000,
                   kF5 = 0xf8000000, kRs2 = 0x01f00000;
constexpr uint32_t kMajorOp = 0x33, kMajorOp32 = 0x3b, kMajorImm = 0x13, kMajorImm32 = 0x1b,
                   kMajorFp = 0x53, kMajorAmo = 0x2f, kMajorMisc = 0x0f, kMajorSystem = 0x73,
                   kMajorLoadFp = 0x07, kMajorStoreFp = 0x27;

constexpr Row r_type(uint32_t opcode, uint32_t funct7, uint32_t funct3, const char* extension) {
  return {kMajor | kF3 | kF7, opcode | funct3 << 12 | funct7 << 25, extension};
}
constexpr Row shift(uint32_t funct6, uint32_t funct3, const char* extension) {
  return {kMajor | kF3 | kF6, kMajorImm | funct3 << 12 | funct6 << 26, extension};
}
constexpr Row unary(uint32_t opcode, uint32_t funct7, uint32_t rs2, uint32_t funct3,
                    const char* extension) {
  return {kMajor | kF3 | kF7 | kRs2, opcode | funct3 << 12 | rs2 << 20 | funct7 << 25, extension};
}
/// Any rounding mode.
constexpr Row fp_unary(uint32_t funct7, uint32_t rs2, const char* extension) {
  return {kMajor | kF7 | kRs2, kMajorFp | rs2 << 20 | funct7 << 25, extension};
}
/// In each format.
constexpr Row fp_funct5(uint32_t funct5, uint32_t funct3, const char* extension) {
  return {kMajor | kF3 | kF5, kMajorFp | funct3 << 12 | funct5 << 27, extension};
}
constexpr Row width(uint32_t opcode, uint32_t funct3, const char* extension) {
  return {kMajor | kF3, opcode | funct3 << 12, extension};
}
constexpr Row amo(uint32_t funct5, uint32_t funct3, const char* extension) {
  return {kMajor | kF3 | kF5, kMajorAmo | funct3 << 12 | funct5 << 27, extension};
}
constexpr Row csr(uint32_t number, uint32_t mask, const char* extension) {
  return {kMajor | mask << 20, kMajorSystem | number << 20, extension};
}

/// The first row that matches counts.
constexpr Row kRows[] = {
    r_type(kMajorOp, 0x10, 2, "Zba"),
    r_type(kMajorOp, 0x10, 4, "Zba"),
    r_type(kMajorOp, 0x10, 6, "Zba"),
    r_type(kMajorOp32, 0x10, 2, "Zba"),
    r_type(kMajorOp32, 0x10, 4, "Zba"),
    r_type(kMajorOp32, 0x10, 6, "Zba"),
    r_type(kMajorOp32, 0x04, 0, "Zba"),       // add.uw
    {kMajor | kF3 | kF6, 0x0800101b, "Zba"},  // slli.uw
    r_type(kMajorOp, 0x20, 7, "Zbb"),
    r_type(kMajorOp, 0x20, 6, "Zbb"),
    r_type(kMajorOp, 0x20, 4, "Zbb"),
    unary(kMajorImm, 0x30, 0, 1, "Zbb"),
    unary(kMajorImm, 0x30, 1, 1, "Zbb"),
    unary(kMajorImm, 0x30, 2, 1, "Zbb"),
    unary(kMajorImm, 0x30, 4, 1, "Zbb"),
    unary(kMajorImm, 0x30, 5, 1, "Zbb"),
    unary(kMajorImm32, 0x30, 0, 1, "Zbb"),
    unary(kMajorImm32, 0x30, 1, 1, "Zbb"),
    unary(kMajorImm32, 0x30, 2, 1, "Zbb"),
    r_type(kMajorOp, 0x05, 4, "Zbb"),
    r_type(kMajorOp, 0x05, 5, "Zbb"),
    r_type(kMajorOp, 0x05, 6, "Zbb"),
    r_type(kMajorOp, 0x05, 7, "Zbb"),      // min to maxu
    unary(kMajorOp32, 0x04, 0, 4, "Zbb"),  // zext.h
    r_type(kMajorOp, 0x30, 1, "Zbb"),
    r_type(kMajorOp, 0x30, 5, "Zbb"),
    r_type(kMajorOp32, 0x30, 1, "Zbb"),
    r_type(kMajorOp32, 0x30, 5, "Zbb"),
    r_type(kMajorImm32, 0x30, 5, "Zbb"),
    shift(0x18, 5, "Zbb"),
    unary(kMajorImm, 0x14, 7, 5, "Zbb"),
    unary(kMajorImm, 0x35, 0x18, 5, "Zbb"),  // orc.b, rev8
    r_type(kMajorOp, 0x05, 1, "Zbc"),
    r_type(kMajorOp, 0x05, 2, "Zbc"),
    r_type(kMajorOp, 0x05, 3, "Zbc"),
    r_type(kMajorOp, 0x24, 1, "Zbs"),
    r_type(kMajorOp, 0x24, 5, "Zbs"),
    r_type(kMajorOp, 0x34, 1, "Zbs"),
    r_type(kMajorOp, 0x14, 1, "Zbs"),
    shift(0x12, 1, "Zbs"),
    shift(0x12, 5, "Zbs"),
    shift(0x1a, 1, "Zbs"),
    shift(0x0a, 1, "Zbs"),
    r_type(kMajorOp, 0x04, 4, "Zbkb"),
    r_type(kMajorOp, 0x04, 7, "Zbkb"),
    r_type(kMajorOp32, 0x04, 4, "Zbkb"),
    unary(kMajorImm, 0x34, 7, 5, "Zbkb"),  // brev8
    r_type(kMajorOp, 0x14, 2, "Zbkx"),
    r_type(kMajorOp, 0x14, 4, "Zbkx"),
    r_type(kMajorOp, 0x1d, 0, "Zknd"),
    r_type(kMajorOp, 0x1f, 0, "Zknd"),
    unary(kMajorImm, 0x18, 0, 1, "Zknd"),
    {kMajor | kF3 | kF7 | 0x01000000, 0x31001013, "Zkne"},  // aes64ks1i
    r_type(kMajorOp, 0x3f, 0, "Zkne"),
    r_type(kMajorOp, 0x19, 0, "Zkne"),
    r_type(kMajorOp, 0x1b, 0, "Zkne"),
    {kMajor | kF3 | kF7 | 0x01800000, 0x10001013, "Zknh"},
    {kMajor | kF3 | kF7 | 0x01e00000, 0x10801013, "Zksh"},
    {kMajor | kF3 | 0x3e000000, 0x30000033, "Zksed"},
    {kMajor | kF3 | 0x3e000000, 0x34000033, "Zksed"},
    r_type(kMajorOp, 0x07, 5, "Zicond"),
    r_type(kMajorOp, 0x07, 7, "Zicond"),
    // Before Zfh, whose format they have in part.
    fp_unary(0x22, 8, "Zfbfmin"),
    fp_unary(0x20, 6, "Zfbfmin"),
    {kMajor | kF3 | kF5 | kRs2, 0xf0100053, "Zfa"},  // fli
    fp_funct5(0x05, 2, "Zfa"),
    fp_funct5(0x05, 3, "Zfa"),
    fp_funct5(0x14, 4, "Zfa"),
    fp_funct5(0x14, 5, "Zfa"),
    {kMajor | kF5 | kRs2, 0x40400053, "Zfa"},
    {kMajor | kF5 | kRs2, 0x40500053, "Zfa"},
    unary(kMajorFp, 0x61, 8, 1, "Zfa"),  // fcvtmod.w.d
    width(kMajorLoadFp, 1, "Zfh"),
    width(kMajorStoreFp, 1, "Zfh"),
    fp_unary(0x20, 2, "Zfh"),
    fp_unary(0x21, 2, "Zfh"),
    {0x06000073, 0x04000043, "Zfh"},  // the four fused operations
    {kMajor | 0x06000000, kMajorFp | 0x04000000, "Zfh"},
    width(kMajorLoadFp, 4, "Q"),
    width(kMajorStoreFp, 4, "Q"),
    {0x06000073, 0x06000043, "Q"},
    {kMajor | 0x06000000, kMajorFp | 0x06000000, "Q"},
    width(kMajorLoadFp, 0, "V"),
    width(kMajorLoadFp, 5, "V"),
    width(kMajorLoadFp, 6, "V"),
    width(kMajorLoadFp, 7, "V"),
    width(kMajorStoreFp, 0, "V"),
    width(kMajorStoreFp, 5, "V"),
    width(kMajorStoreFp, 6, "V"),
    width(kMajorStoreFp, 7, "V"),
    {kMajor, 0x57, "V"},
    {kMajor, 0x77, "Zvk"},
    {0xffffffff, 0x00d00073, "Zawrs"},
    {0xffffffff, 0x01d00073, "Zawrs"},
    {kMajor | kF3 | 0xfff00f80, kMajorMisc | 0x2000, "Zicbom"},
    {kMajor | kF3 | 0xfff00f80, kMajorMisc | 0x00102000, "Zicbom"},
    {kMajor | kF3 | 0xfff00f80, kMajorMisc | 0x00202000, "Zicbom"},
    {kMajor | kF3 | 0xfff00f80, kMajorMisc | 0x00402000, "Zicboz"},
    amo(0x05, 2, "Zacas"),
    amo(0x05, 3, "Zacas"),
    amo(0x05, 4, "Zacas"),
    amo(0x09, 2, "Zicfiss"),
    amo(0x09, 3, "Zicfiss"),
    width(kMajorAmo, 0, "Zabha"),
    width(kMajorAmo, 1, "Zabha"),
    {0xb3c0707f, 0x81c04073, "Zimop"},
    {0xb200707f, 0x82004073, "Zimop"},
    csr(0x008, 0xffc, "V"),
    csr(0x00f, 0xfff, "V"),
    csr(0xc20, 0xffc, "V"),
    csr(0x011, 0xfff, "Zicfiss"),
    csr(0x015, 0xfff, "Zkr"),
    csr(0x017, 0xfff, "Zcmt"),
    csr(0xc03, 0xfff, "Zihpm"),
    csr(0xc04, 0xffc, "Zihpm"),
    csr(0xc08, 0xff8, "Zihpm"),
    csr(0xc10, 0xff0, "Zihpm"),
    {0x5f, 0x0b, "a vendor's own extension"},
    {0x5f, 0x5b, "a vendor's own extension"},  // custom-0 to custom-3
};

/// Instructions of 16 bits.
constexpr Row kCompressedRows[] = {
    {0xfc03, 0x8000, "Zcb"},   {0xfc03, 0x8400, "Zcb"}, {0xfc03, 0x8800, "Zcb"},
    {0xfc43, 0x8c00, "Zcb"},   {0xfc63, 0x9c61, "Zcb"}, {0xfc63, 0x9c41, "Zcb"},
    {0xf8ff, 0x6081, "Zcmop"},
};

/// What the core executes, and extensions that promise something but have no instruction.
constexpr std::string_view kExecuted[] = {
    "i",        "m",           "a",         "f",       "d",       "c",       "g",
    "zicsr",    "zifencei",    "zicntr",    "zmmul",   "zaamo",   "zalrsc",  "zca",
    "zcd",      "zihintpause", "zihintntl", "zicbop",  "zicfilp", "ziccif",  "ziccrse",
    "ziccamoa", "zicclsm",     "za64rs",    "za128rs", "zic64b",  "zama16b", "zkt"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "zba" of "zba1p0", "zvl128b" of "zvl128b1p0".
std::string_view without_version(std::string_view name) {
  size_t end = name.size();
  const auto skip_digits = [&] {
    const size_t before = end;
    while (end > 0 && is_digit(name[end - 1])) --end;
    return end != before;
  };
  const bool versioned = skip_digits() && end > 1 && name[end - 1] == 'p' && (--end, skip_digits());
  return versioned && end > 0 ? name.substr(0, end) : name;
}

/// The length of the first extension of a part of one-letter names: "i2p1", "m".
size_t letter_length(std::string_view part) {
  size_t length = 1;
  while (length < part.size() && (is_digit(part[length]) || (part[length] == 'p' && length > 1))) {
    ++length;
  }
  return length;
}

}  // namespace

std::string foreign_extension(uint32_t insn) {
  const auto find = [insn](const auto& rows) -> std::string {
    const auto row = std::find_if(std::begin(rows), std::end(rows), [insn](const Row& one) {
      return (insn & one.mask) == one.match;
    });
    return row == std::end(rows) ? "" : row->extension;
  };
  return (insn & 3) == 3 ? find(kRows) : find(kCompressedRows);
}

std::string about_foreign_extension(uint32_t insn) {
  const std::string extension = foreign_extension(insn);
  if (extension.empty()) return "";
  return "; the instruction is of " + extension + ", but the core executes " + kExecutedIsa +
         ": compile the program and its libraries with -march=" + kExecutedIsa;
}

std::vector<std::string> foreign_extensions(const std::string& isa) {
  std::vector<std::string> names;
  const auto add = [&names](std::string_view name) {
    if (std::find(std::begin(kExecuted), std::end(kExecuted), name) == std::end(kExecuted)) {
      names.emplace_back(name);
    }
  };
  std::string_view rest = isa;
  const bool known = std::all_of(isa.begin(), isa.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || c == '_';
  });
  if (!known || rest.substr(0, 4) != "rv64") return names;
  rest.remove_prefix(4);
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('_'), rest.size());
    std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    while (!part.empty()) {
      const bool one_letter = part[0] != 'z' && part[0] != 's' && part[0] != 'x';
      const size_t length = one_letter ? letter_length(part) : part.size();
      // What begins with s is for a supervisor: a user program has no instruction of it.
      if (part[0] != 's') add(one_letter ? part.substr(0, 1) : without_version(part));
      part.remove_prefix(length);
    }
  }
  return names;
}

}  // namespace strobe::isa
