// Call-pair and method profiles of a retire stream.
#include "sw/profile/reports/call_profiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sw/profile/accuracy/metrics.h"
#include "sw/profile/reports/reports.h"

namespace strobe::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

RetireRecord jump(OpClass opclass, uint64_t pc, uint64_t target) {
  RetireRecord record;
  record.opclass = opclass;
  record.pc_rdata = pc;
  record.pc_wdata = target;
  record.mode = PrivilegeMode::kUser;
  return record;
}

RetireRecord branch(uint64_t pc, uint32_t insn) {
  RetireRecord record = jump(OpClass::kBranch, pc, pc + 4);
  record.insn = insn;
  return record;
}

TEST(BackwardTarget, IsTheTargetOfABranchThatDoesNotGoForward) {
  EXPECT_EQ(backward_target(branch(0x1000, 0xfe000ee3)), 0x1000u - 4);     // beq x0, x0, -4
  EXPECT_EQ(backward_target(branch(0x2000, 0x80000063)), 0x2000u - 4096);  // beq x0, x0, -4096
  EXPECT_EQ(backward_target(branch(0x1000, 0x00000063)), 0x1000u);         // beq x0, x0, 0
  EXPECT_EQ(backward_target(branch(0x1000, 0xd4b512e3)), 0x1000u - 700);   // bne a0, a1, -700
  EXPECT_EQ(backward_target(branch(0x1000, 0x00000263)), std::nullopt);    // beq x0, x0, 4
  EXPECT_EQ(backward_target(branch(0x1000, 0x7e000fe3)), std::nullopt);    // beq x0, x0, 4094
  EXPECT_EQ(backward_target(jump(OpClass::kJump, 0x1000, 0x800)), std::nullopt);
}

TEST(CallProfiler, CountsCallsAndLoopHeadsOfUserMode) {
  CallProfiler profiler;
  for (int i = 0; i < 3; ++i) profiler.record(jump(OpClass::kCall, 0x1000, 0x2000));
  profiler.record(jump(OpClass::kCallIndirect, 0x1010, 0x2000));
  profiler.record(branch(0x2010, 0xfe000ee3));
  profiler.record(branch(0x2010, 0x00000263));
  profiler.record(jump(OpClass::kReturn, 0x2020, 0x1004));
  RetireRecord trapped = jump(OpClass::kCall, 0x1000, 0x2000);
  trapped.trap = 1;
  profiler.record(trapped);
  RetireRecord firmware = jump(OpClass::kCall, 0x1000, 0x2000);
  firmware.mode = PrivilegeMode::kMachine;
  profiler.record(firmware);
  EXPECT_THAT(profiler.call_pairs().by_count(),
              ElementsAre(Pair(call_pair(0x1000, 0x2000), 3), Pair(call_pair(0x1010, 0x2000), 1)));
  EXPECT_THAT(profiler.methods().by_count(),
              ElementsAre(Pair(method_entry(0x2000), 4), Pair(method_entry(0x200c), 1)));
}

TEST(CallProfiler, ByFunctionJoinsTheCallsOfAPairAndTheLoopsOfAMethod) {
  CallProfiler profiler;
  profiler.record(jump(OpClass::kCall, 0x1000, 0x2000));
  profiler.record(jump(OpClass::kCall, 0x1010, 0x2000));
  profiler.record(branch(0x2010, 0xfe000ee3));
  const FunctionOf page = [](uint64_t pc) { return pc & ~uint64_t{0xfff}; };
  EXPECT_THAT(by_function(profiler.call_pairs(), page).entries(),
              ElementsAre(Pair(call_pair(0x1000, 0x2000), 2)));
  EXPECT_THAT(by_function(profiler.methods(), page).entries(),
              ElementsAre(Pair(method_entry(0x2000), 3)));
}

TEST(CallProfiler, ProfilesAreScoredAsAnyOther) {
  CallProfiler exhaustive, sampled;
  for (int i = 0; i < 6; ++i) exhaustive.record(jump(OpClass::kCall, 0x1000, 0x2000));
  for (int i = 0; i < 4; ++i) exhaustive.record(jump(OpClass::kCall, 0x1000, 0x3000));
  sampled.record(jump(OpClass::kCall, 0x1000, 0x2000));
  EXPECT_DOUBLE_EQ(overlap(exhaustive.call_pairs(), sampled.call_pairs()), 0.6);
  EXPECT_DOUBLE_EQ(overlap_truncated(exhaustive.methods(), sampled.methods()), 0.6);
}

TEST(CallReport, NamesBothEndsOfAPairAndTheMethod) {
  const ProgramNames names{[](uint64_t pc) { return pc == 0x1000 ? "main+0x8" : "visit"; },
                           [](uint64_t pc) { return pc == 0x1000 ? "tree.c:12" : ""; }};
  CallProfiler profiler;
  for (int i = 0; i < 3; ++i) profiler.record(jump(OpClass::kCall, 0x1000, 0x2000));
  std::ostringstream pairs, methods, json;
  write_calls_text(profiler.call_pairs(), pairs, names);
  write_calls_text(profiler.methods(), methods, names);
  write_calls_json(profiler.call_pairs(), json, names);
  EXPECT_EQ(pairs.str(), "3 100.00 % main+0x8 tree.c:12 -> visit\n");
  EXPECT_EQ(methods.str(), "3 100.00 % visit\n");
  const auto read = nlohmann::json::parse(json.str());
  EXPECT_EQ(read["total"], 3);
  EXPECT_EQ(read["entries"].at(0)["caller"]["line"], "tree.c:12");
  EXPECT_EQ(read["entries"].at(0)["callee"]["symbol"], "visit");
  std::ostringstream method_json, empty;
  write_calls_json(profiler.methods(), method_json, names);
  write_calls_json(Profile(), empty, names);
  EXPECT_EQ(nlohmann::json::parse(method_json.str())["entries"].at(0)["method"]["pc"], "0x2000");
  EXPECT_THAT(nlohmann::json::parse(empty.str())["entries"], IsEmpty());
}

}  // namespace
}  // namespace strobe::profile
