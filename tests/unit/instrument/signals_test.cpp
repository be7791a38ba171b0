// Programs edited to write software signals: in every instruction of the original the words say the
// function that runs and none but its loops, and each write costs as few instructions as can be.
#include "sw/instrument/signals/signals.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <unordered_map>

#include "sw/instrument/signals/signal_words.h"
#include "sw/instrument/signals/signaled_program.h"
#include "tests/unit/instrument/signals_programs.h"
#include "tests/unit/instrument/stepped_program.h"

namespace strobe::instrument {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

using Write = std::pair<uint32_t, uint32_t>;  // {method, loop} after it

/// What happens from the entry of main to its return.
struct MainRun {
  std::vector<Write> writes;
  uint64_t inserted = 0;  // instructions that the original does not have
  uint64_t spills = 0;
};

/// @param at_end  is shown the program after its run
template <class AtEnd>
MainRun run_main(const SignaledProgram& program, AtEnd at_end) {
  const uint64_t method = address_in(program, kMethodSignal),
                 loop = address_in(program, kLoopSignal), entry = address_in(program, "main");
  SteppedProgram edited(program.elf, {});
  MainRun found;
  Write now;
  bool running = false;
  uint64_t back = 0;  // where main returns to
  edited.run([&](const RetireRecord& record) {
    running = running && record.pc_rdata != back;
    if (running) {
      const bool inserted = !program.map.original_code(record.pc_rdata);
      const bool stores = record.mem_wmask != 0;
      if (inserted) ++found.inserted;
      if (inserted && stores && record.mem_addr != method && record.mem_addr != loop) {
        ++found.spills;
      }
      if (stores && record.mem_addr == method) now.first = static_cast<uint32_t>(record.mem_wdata);
      if (stores && record.mem_addr == loop) now.second = static_cast<uint32_t>(record.mem_wdata);
      if (stores && (record.mem_addr == method || record.mem_addr == loop)) {
        found.writes.push_back(now);
      }
    }
    if (record.pc_wdata != entry) return;
    running = true;
    back = record.rd_wdata;
  });
  at_end(edited);
  return found;
}

MainRun run_main(const SignaledProgram& program) {
  return run_main(program, [](const SteppedProgram&) {});
}

/// By instruction of the edited program: the identifier of its function; 0 for inserted ones and
/// for functions without one.
class MethodOf {
 public:
  MethodOf(const SignaledProgram& program, const std::string& elf)
      : map_(program.map), original_(isa::ElfFile::open(elf, STROBE_USER_TOP)) {
    for (size_t i = 0; i < program.methods.size(); ++i) {
      if (program.methods[i].pc == 0) continue;  // the linker discarded it
      by_entry_[program.methods[i].pc] = static_cast<uint32_t>(i + 1);
    }
  }
  uint32_t at(uint64_t pc) {
    const auto [known, is_new] = by_pc_.try_emplace(pc, 0);
    if (!is_new) return known->second;
    const auto there = map_.original_code(pc);
    const isa::ElfSymbol* const symbol = there ? original_.symbol_at(*there) : nullptr;
    if (symbol == nullptr) return 0;
    const auto found = by_entry_.find(symbol->address);
    if (found != by_entry_.end()) known->second = found->second;
    return known->second;
  }

 private:
  const AddressMap& map_;
  isa::ElfFile original_;
  std::unordered_map<uint64_t, uint32_t> by_entry_, by_pc_;
};

class SignalsOf : public testing::TestWithParam<const char*> {};

TEST_P(SignalsOf, EveryInstructionSeesItsFunctionAndNoLoopButItsOwn) {
  const std::string elf = workload(GetParam());
  const SignaledProgram program = make_signaled_program(linked_program(elf, ""), {});
  const uint64_t method = address_in(program, kMethodSignal),
                 loop = address_in(program, kLoopSignal);
  MethodOf method_of(program, elf);
  uint64_t instructions = 0, checked = 0, in_loops = 0;
  std::map<uint64_t, std::pair<uint32_t, uint32_t>> wrong;  // {method, loop} that were seen, by pc
  SteppedProgram edited(program.elf, {"tiny"});
  edited.run([&](const RetireRecord& record) {
    ++instructions;
    const uint32_t expected = method_of.at(record.pc_rdata);
    if (expected == 0) return;
    ++checked;
    const auto seen = edited.read<uint32_t>(method), of_loop = edited.read<uint32_t>(loop);
    in_loops += of_loop != 0 ? 1 : 0;
    if (seen == expected && (of_loop == 0 || program.loops.at(of_loop - 1).method == expected)) {
      return;
    }
    wrong[record.pc_rdata] = {seen, of_loop};
  });
  for (const auto& [pc, seen] : wrong) {
    ADD_FAILURE() << fmt::format("{:#x} of {} saw {} and {}, one of {} such instructions", pc,
                                 program.methods.at(method_of.at(pc) - 1).name, seen.first,
                                 seen.second, wrong.size());
    break;
  }
  SteppedProgram before(content_of(elf), {"tiny"});
  uint64_t instructions_before = 0;
  before.run([&](const RetireRecord&) { ++instructions_before; });
  EXPECT_EQ(edited.output(), before.output());
  EXPECT_GT(static_cast<double>(checked), 0.99 * static_cast<double>(instructions_before));
  EXPECT_GT(in_loops * 10, checked);
  std::cout << instructions << " instructions for " << instructions_before << "; " << checked
            << " are in functions with an identifier, " << in_loops << " in loops\n";
}

INSTANTIATE_TEST_SUITE_P(Program, SignalsOf, testing::Values("lz", "json"));

TEST(Signals, AWriteFollowsEachEntryReturnAndBackEdge) {
  const Assembled nested(kNestedLoops);
  const uint32_t main = nested.method("main"), leaf = nested.method("leaf"),
                 outer = nested.loop("outer"), inner = nested.loop("inner");
  ASSERT_NE(outer, 0u);
  ASSERT_NE(inner, 0u);
  const MainRun run = run_main(nested.program());
  EXPECT_THAT(run.writes,
              ElementsAre(Pair(main, 0), Pair(main, 0),          // entry
                          Pair(leaf, 0), Pair(leaf, 0),          // entry of leaf
                          Pair(leaf, inner), Pair(leaf, inner),  // its iterations
                          Pair(main, inner), Pair(main, outer),  // return to main
                          Pair(main, outer),                     // its iteration
                          Pair(leaf, outer), Pair(leaf, 0), Pair(leaf, inner), Pair(leaf, inner),
                          Pair(main, inner), Pair(main, outer), Pair(main, outer)));
}

TEST(Signals, AWriteOfOneWordTakesTwoInstructionsWhereARegisterIsFree) {
  // Three at an entry, where the loop word becomes 0, four after a call, two at a back-edge.
  EXPECT_EQ(run_main(Assembled(kNestedLoops).program()).inserted, 3u + 2 * (3 + 4 + 2 * 2 + 2));
  // Two at an entry, and two after a call.
  EXPECT_EQ(run_main(Assembled(kNestedLoops, kMethodsOnly).program()).inserted, 2u + 2 * (2 + 2));
  // One at an entry, two after a call and at a back-edge.
  EXPECT_EQ(run_main(Assembled(kNestedLoops, kLoopsOnly).program()).inserted,
            1u + 2 * (1 + 2 + 2 * 2 + 2));
}

TEST(Signals, ALoopBackToTheFirstInstructionIsNoEntry) {
  const Assembled loop(
      function("main", "  li a0, 3\n  mv t6, ra\n  call count\n  mv ra, t6\n  ret") +
      function("count", "  addi a0, a0, -1\n  bnez a0, count\n  ret"));
  const uint32_t main = loop.method("main"), count = loop.method("count"),
                 counting = loop.loop("count");
  ASSERT_NE(counting, 0u);
  EXPECT_THAT(run_main(loop.program()).writes,
              ElementsAre(Pair(main, 0), Pair(main, 0), Pair(count, 0), Pair(count, 0),
                          Pair(count, counting), Pair(count, counting), Pair(count, counting),
                          Pair(main, counting), Pair(main, 0)));
}

TEST(Signals, WhereNoRegisterIsFreeOneIsSaved) {
  // gcc knows of a local function which registers it changes, and keeps values in all others.
  std::string keep, check;
  for (const char* reg :
       {"t0", "t1", "t2", "t3", "t4", "t5", "t6", "a1", "a2", "a3", "a4", "a5", "a6", "a7"}) {
    keep += std::string("  li ") + reg + ", 5\n";
    check += std::string("  add a0, a0, ") + reg + "\n";
  }
  const Assembled kept(
      function("main", "  addi sp, sp, -16\n  sd ra, 8(sp)\n" + keep +
                           "  call quiet\n  li a0, 0\n" + check +
                           "  la t0, sum\n  sd a0, 0(t0)\n  li a0, 0\n  ld ra, 8(sp)\n"
                           "  addi sp, sp, 16\n  ret") +
      ".type quiet, @function\nquiet:\n  ret\n.size quiet, . - quiet\n"
      ".data\n.globl sum\n.type sum, @object\n.size sum, 8\nsum: .dword 0\n");
  uint64_t sum = 0;
  const MainRun run = run_main(kept.program(), [&](const SteppedProgram& edited) {
    sum = edited.read<uint64_t>(address_in(kept.program(), "sum"));
  });
  EXPECT_EQ(sum, 14u * 5);
  EXPECT_EQ(run.spills, 1u) << "at the entry of quiet";
  EXPECT_GE(kept.program().counts.spills, 1u);
}

TEST(Signals, NothingIsWrittenBetweenALoadReservedAndItsStoreConditional) {
  const Assembled atomics(
      function("main", "  li a0, 0\n  ret") +
      function("waits", "1:\n  lr.w a5, (a0)\n  bnez a5, 1b\n  sc.w a5, a4, (a0)\n  ret") +
      function("retries", "1:\n  lr.w a5, (a0)\n  sc.w a5, a4, (a0)\n  bnez a5, 1b\n  ret"));
  std::string left;
  for (const object::LeftAlone& one : atomics.program().left_alone) {
    if (one.place.find("one.o: ") != std::string::npos)
      left += one.place + ": " + one.reason + "\n";
  }
  EXPECT_THAT(left, HasSubstr("one.o: waits+0x4: it is between a load-reserved and its "
                              "store-conditional"));
  EXPECT_THAT(left, testing::Not(HasSubstr("retries")));
}

}  // namespace
}  // namespace strobe::instrument
