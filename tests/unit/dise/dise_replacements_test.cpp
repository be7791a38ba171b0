#include "sc_models/profiling/reference/dise/dise_replacements.h"

#include <gtest/gtest.h>

#include "tests/unit/dise/productions.h"

namespace strobe::profiling {
namespace {

constexpr uint32_t kAddEncoding = 0x00000033;  // add x0, x0, x0
constexpr uint32_t kStore = 0xfeb6bc23;        // sd a1, -8(a3)
constexpr uint32_t kBranch = 0x00000063;

DecodeLane store_at(uint64_t pc, uint8_t length = 4) {
  DecodeLane trigger;
  trigger.pc = pc;
  trigger.insn = kStore;
  trigger.length = length;
  return trigger;
}

InstantiatedInstruction made(uint64_t entry, const DecodeLane& trigger) {
  DiseReplacementTable table(4);
  table.write(1, entry);
  return table.instantiate(trigger, 1);
}

constexpr uint32_t registers(uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return rd << 7 | rs1 << 15 | rs2 << 20;
}

TEST(Instantiation, ATemplateStandsAsItIs) {
  const InstantiatedInstruction i = made(plain(kAddEncoding | registers(1, 2, 3)), store_at(0));
  EXPECT_EQ(i.kind, ReplacementKind::kInstruction);
  EXPECT_EQ(i.insn, kAddEncoding | registers(1, 2, 3));
  EXPECT_FALSE(i.dise_rd || i.dise_rs1 || i.dise_rs2 || i.last);
}

TEST(Instantiation, FieldsAreTakenFromTheTriggersFields) {
  const InstantiatedInstruction i =
      made(plain(kAddEncoding, From::kRs1, From::kRs2, From::kRd), store_at(0));
  EXPECT_EQ(i.insn,
            kAddEncoding | registers(13, 11, 24));  // 24: the low bits of the store's immediate
  EXPECT_FALSE(i.dise_rd || i.dise_rs1 || i.dise_rs2);
}

TEST(Instantiation, ADiseRegisterIsMarkedAndHasThreeBits) {
  const InstantiatedInstruction i =
      made(plain(kAddEncoding | registers(7, 31, 9), From::kDise, From::kDise, From::kTemplate),
           store_at(0));
  EXPECT_EQ(i.insn, kAddEncoding | registers(7, 7, 9));
  EXPECT_TRUE(i.dise_rd);
  EXPECT_TRUE(i.dise_rs1);
  EXPECT_FALSE(i.dise_rs2);
}

TEST(Instantiation, TheTriggersImmediateGoesWhereTheTemplatesFormatHasIt) {
  const uint32_t addi = 0x00000013 | registers(5, 6, 0), sb = 0x00000023 | registers(0, 6, 5);
  EXPECT_EQ(made(plain(addi) | kTriggerImmediate, store_at(0)).insn, addi | 0xff8u << 20);
  EXPECT_EQ(made(plain(sb) | kTriggerImmediate, store_at(0)).insn, sb | 0x7fu << 25 | 24u << 7);
}

TEST(Instantiation, TheTriggerIsItself) {
  const InstantiatedInstruction i = made(the_trigger() | kLastEntry, store_at(0));
  EXPECT_EQ(i.kind, ReplacementKind::kTrigger);
  EXPECT_EQ(i.insn, kStore);
  EXPECT_TRUE(i.last);
}

TEST(Instantiation, TheTriggersRegistersCanBeOthers) {
  const uint64_t with_d2 =
      entry(ReplacementKind::kTrigger, registers(0, 2, 0), From::kTemplate, From::kDise);
  const InstantiatedInstruction i = made(with_d2, store_at(0));
  EXPECT_EQ(i.insn, (kStore & ~registers(0, 31, 0)) | registers(0, 2, 0));
  EXPECT_TRUE(i.dise_rs1);
  EXPECT_FALSE(i.dise_rs2);
}

TEST(Instantiation, ValuesOfTheTrigger) {
  DecodeLane jump;
  jump.pc = 0x4000;
  jump.insn = 0x8010006f;  // bit 31 is set
  jump.length = 2;
  jump.target = 0x3000;
  EXPECT_EQ(made(value_load(3, 0), jump).value, 0x4000u);
  EXPECT_EQ(made(value_load(3, 1), jump).value, 0x4002u);
  EXPECT_EQ(made(value_load(3, 2), jump).value, 0x3000u);
  EXPECT_EQ(made(value_load(3, 4), jump).value, 0xffffffff8010006fu);
  EXPECT_EQ(made(value_load(3, 3), store_at(0)).value, ~uint64_t{0} - 7);
  const InstantiatedInstruction i = made(value_load(3, 0), jump);
  EXPECT_EQ(i.kind, ReplacementKind::kValueLoad);
  EXPECT_TRUE(i.dise_rd);
  EXPECT_EQ(i.insn >> 7 & 31, 3u);
}

TEST(Instantiation, ImmediatesOfEveryFormat) {
  EXPECT_EQ(immediate_of(0xfff50513), -1);    // addi a0, a0, -1
  EXPECT_EQ(immediate_of(0x7ff5b503), 2047);  // ld a0, 2047(a1)
  EXPECT_EQ(immediate_of(kStore), -8);
  EXPECT_EQ(immediate_of(0xfe000ee3), -4);                   // beq x0, x0, -4
  EXPECT_EQ(immediate_of(0x7e000fe3), 4094);                 // beq x0, x0, 4094
  EXPECT_EQ(immediate_of(0x80000537), -(int64_t{1} << 31));  // lui a0, 0x80000
  EXPECT_EQ(immediate_of(0xffdff06f), -4);                   // jal x0, -4
  EXPECT_EQ(immediate_of(0x7ffff06f), 0xffffe);              // jal x0, 0xffffe
  EXPECT_EQ(immediate_of(0xe0b5a52f), 0);                    // amomaxu.w
  EXPECT_EQ(immediate_of(0xfff02573), 0);                    // csrr
}

TEST(Instantiation, BranchesAndCallsCarryWhereTheyGo) {
  const InstantiatedInstruction branch = made(dise_branch(kBranch, 1234), store_at(0));
  EXPECT_EQ(branch.kind, ReplacementKind::kDiseBranch);
  EXPECT_EQ(branch.go_to, 1234);
  EXPECT_TRUE(branch.dise_rs1 && branch.dise_rs2);
  const InstantiatedInstruction call = made(dcall(0x80001234), store_at(0));
  EXPECT_EQ(call.kind, ReplacementKind::kCall);
  EXPECT_EQ(call.value, 0x80001234u);
}

TEST(Instantiation, TheTablesEndEndsASequence) {
  DiseReplacementTable table(4);
  EXPECT_FALSE(table.instantiate(store_at(0), 2).last);
  EXPECT_TRUE(table.instantiate(store_at(0), 3).last);
}

}  // namespace
}  // namespace strobe::profiling
