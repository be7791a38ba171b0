// Programs with threads, signal handlers, exceptions and long jumps that are edited, written and
// run by themselves, where nothing keeps a thread or a signal out of the inserted code: they do
// what they did, every time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "sc_models/isa/decode/decoded.h"
#include "sw/files/scratch_folder.h"
#include "sw/instrument/bursty/bursts.h"
#include "sw/instrument/bursty/instrumented_program.h"
#include "sw/instrument/ephemeral/hooked_program.h"
#include "sw/instrument/signals/signaled_program.h"
#include "sw/object/file/link_record.h"
#include "tests/security/nightly.h"
#include "tests/tree.h"
#include "tests/unit/instrument/stepped_program.h"
#include "tests/whole_programs.h"

namespace strobe::instrument {
namespace {

struct Concurrent {
  const char* name;
  const char* driver;
};

void PrintTo(const Concurrent& program, std::ostream* out) { *out << program.name; }

class ConcurrentPrograms : public testing::TestWithParam<Concurrent> {
 protected:
  ConcurrentPrograms() {
    std::ofstream(folder_ / "program.link")
        << GetParam().driver << "\n-static\n-pthread\n"
        << in_build(std::string("tests/unit/instrument/") + GetParam().name + ".o") << "\n";
    linked_.record = object::LinkRecord::read(folder_ / "program.link");
    linked_.elf = folder_ / "original";
    object::link_inputs(linked_.record, linked_.elf);
    expected_ = under_qemu(linked_.elf.string(), subject_);
  }

  /// Runs the file often under qemu, where threads are in parallel, and under strobe, where they
  /// change after a few instructions.
  void expect_unchanged(const std::vector<uint8_t>& elf, const std::string& how) {
    const std::string edited = (folder_ / "edited").string();
    put(edited, elf);
    const uint64_t times = security::rounds(/*brief=*/3, /*whole=*/100);
    uint64_t wrong = 0;
    std::string first;
    for (uint64_t i = 0; i < times; ++i) {
      const std::string found = behavior("timeout 60 qemu-riscv64", edited, subject_);
      if (found == expected_) continue;
      if (wrong++ == 0) first = found;
    }
    EXPECT_EQ(wrong, 0u) << how << ": of " << times << " runs under qemu; the first one: " << first;
    for (const char* quantum : {"50000", "211"}) {
      EXPECT_EQ(under_strobe(edited, subject_, folder_.path(),
                             std::string("--set workload.scheduler.quantum=") + quantum),
                expected_)
          << how << ": under strobe, which changes threads after " << quantum << " instructions";
    }
  }

  files::ScratchFolder folder_;
  const Subject subject_ = {GetParam().name, "", "", ""};
  LinkedProgram linked_;
  std::string expected_;
};

TEST_P(ConcurrentPrograms, BurstsDoNotDisturbThreadsAndHandlers) {
  ASSERT_THAT(expected_, testing::EndsWith("exit 0\n"));
  BurstyOptions options = variant("orig");
  options.events = {EventKind::kData, EventKind::kEdge, EventKind::kCall, EventKind::kValue};
  options.buffer_records = 64;  // it is full all the time
  options.jitter = true;
  InstrumentedProgram program =
      instrument_program(linked_, in_build("guest/bursty/fold.o"), options);
  for (const auto& [checks, instrumented] : {std::pair(3u, 2u), {1000u, 50u}, {3u, 0x7fffffffu}}) {
    set_bursts(&program.elf, checks, instrumented);
    set_distances(&program.elf, checks, 2, 1);
    expect_unchanged(program.elf, std::to_string(checks) + ":" + std::to_string(instrumented));
  }
}

TEST_P(ConcurrentPrograms, HooksDoNotDisturbThreadsAndHandlers) {
  const HookedProgram made = make_hooked_program(linked_, in_build("guest/ephemeral/unhook.o"), {});
  for (const uint64_t persistence : {1, 50}) {
    HookedProgram program = made;
    hook_all(&program, persistence);
    expect_unchanged(program.elf, "persistence " + std::to_string(persistence));
  }
  HookedProgram by_page = made;
  hook_pages(&by_page, 50);
  expect_unchanged(by_page.elf, "by page");
}

TEST_P(ConcurrentPrograms, SignalWordsDoNotDisturbThreadsAndHandlers) {
  expect_unchanged(make_signaled_program(linked_, {}).elf, "signals");
}

INSTANTIATE_TEST_SUITE_P(Each, ConcurrentPrograms,
                         testing::Values(Concurrent{"sorting_threads", "riscv64-linux-gnu-gcc"},
                                         Concurrent{"working_handlers", "riscv64-linux-gnu-gcc"},
                                         Concurrent{"long_jumps", "riscv64-linux-gnu-gcc"},
                                         Concurrent{"throwing_threads", "riscv64-linux-gnu-g++"}),
                         [](const auto& one) { return std::string(one.param.name); });

/// Runs a program. @return instructions that were inserted and are executed before the C library
/// sets tp
template <class Program>
uint64_t inserted_without_tp(const Program& program) {
  constexpr unsigned kTp = 4;
  uint64_t inserted = 0;
  bool is_set = false, named = false;
  SteppedProgram edited(program.elf, {"tiny"});
  edited.run([&](const RetireRecord& record) {
    if (program.map.original_code(record.pc_rdata)) {
      is_set = is_set || (record.rd_addr == kTp && record.rd_wdata != 0);
      return;
    }
    if (is_set) return;  // the address of an access through tp is an event
    const isa::DecodedInsn insn = isa::decode(record.insn);
    named = named || insn.dst == kTp ||
            std::find(std::begin(insn.src), std::end(insn.src), kTp) != std::end(insn.src);
    ++inserted;
  });
  EXPECT_TRUE(is_set);
  EXPECT_FALSE(named) << "inserted code depends on tp";
  return inserted;
}

// The start-up code of the C library is edited too, and a thread's data is not there yet.
TEST(InsertedCode, RunsBeforeThreadsHaveDataAndDoesNotAskForIt) {
  const LinkedProgram linked = linked_program(in_build("guest/workloads/lz.elf"), "");
  BurstyOptions options = variant("orig");
  options.jitter = true;
  InstrumentedProgram bursty = instrument_program(linked, in_build("guest/bursty/fold.o"), options);
  set_bursts(&bursty.elf, 3, 2);
  set_distances(&bursty.elf, 3, 2, 1);
  EXPECT_GT(inserted_without_tp(bursty), 1000u);
  HookedProgram hooked = make_hooked_program(linked, in_build("guest/ephemeral/unhook.o"), {});
  hook_all(&hooked, 1);
  EXPECT_GT(inserted_without_tp(hooked), 1000u);
  EXPECT_GT(inserted_without_tp(make_signaled_program(linked, {})), 100u);
}

}  // namespace
}  // namespace strobe::instrument
