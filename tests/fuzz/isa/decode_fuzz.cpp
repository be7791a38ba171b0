// libFuzzer target: any 32 bits decode without a crash, and what comes out is consistent.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "sc_models/isa/decode/decoded.h"
#include "sc_models/isa/decode/op.h"

namespace {

using namespace strobe;
using namespace strobe::isa;

void require(bool condition) {
  if (!condition) std::abort();
}

void check(uint32_t bits) {
  const DecodedInsn d = decode(bits);
  const bool compressed = (bits & 3) != 3;
  require(d.length == (compressed ? 2 : 4));
  require(d.insn == (compressed ? expand_compressed(static_cast<uint16_t>(bits)) : bits));
  require(d.op < kOpCount);
  require(static_cast<unsigned>(d.opclass) < kOpClassCount);
  require(d.rd < 32 && d.rs1 < 32 && d.rs2 < 32 && d.rs3 < 32);
  require(d.dst == kNoRegister || (d.dst < kRegisterCount && d.dst != 0));
  for (uint8_t source : d.src)
    require(source == kNoRegister || (source < kRegisterCount && source != 0));
  const bool memory = (d.flags & (kReadsMemory | kWritesMemory)) != 0;
  require(memory == (d.mem_size != 0));
  require(!memory || d.mem_size == 1 || d.mem_size == 2 || d.mem_size == 4 || d.mem_size == 8);
  if (d.op == 0) {
    require(d.flags == 0 && d.dst == kNoRegister);
    return;
  }
  require((d.insn & kOps[d.op].mask) == kOps[d.op].match);
  // An expansion is an instruction of its own that decodes alike.
  const DecodedInsn again = decode(d.insn);
  require(again.op == d.op && again.imm == d.imm && again.length == 4);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (size_t at = 0; at + 4 <= size; at += 4) {
    uint32_t bits = 0;
    std::memcpy(&bits, data + at, sizeof bits);
    check(bits);
  }
  return 0;
}
