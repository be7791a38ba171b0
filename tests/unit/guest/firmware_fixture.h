// The built firmware.elf on Strobe's hart, with a device of a few lines in place of the profiling
// path.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/memory/guest_memory.h"
#include "sc_models/port/address_map.h"
#include "sw/guest/include/strobe/abi.h"
#include "sw/guest/include/strobe/profile_reader.h"
#include "sw/guest/include/strobe/registers.h"
#include "tests/tree.h"

namespace strobe::guest {

using isa::StopReason;
using Entry = std::vector<uint64_t>;  // an entry of the profile: pc, value, tag, count

struct Message {
  uint64_t pc, value, tag, count;
};

/// Registers that hold what was written, a buffer of messages, and a table to read out.
class Device : public isa::Environment {
 public:
  isa::EcallResult ecall(isa::Hart&) override { return isa::EcallResult::kStop; }
  uint64_t cycle() override { return 0; }
  uint64_t time() override { return 0; }

  bool mmio_read(uint64_t address, unsigned size, uint64_t& value) override {
    if (size != 8 || address < STROBE_PROFILER_BASE) return false;
    ++reads;
    uint64_t offset = address - STROBE_PROFILER_BASE;
    switch (offset) {
      case STROBE_REG_STATUS: {
        bool init = cleared && init_reads > 0;
        if (init) --init_reads;
        // While it is not idle every look finds one more message in the buffer.
        if (!late.empty()) {
          buffer.push_back(late.front());
          late.pop_front();
        }
        value = (init ? STROBE_STATUS_INIT_MASK : 0) |
                (late.empty() ? STROBE_STATUS_IDLE_MASK : 0) |
                buffer.size() << STROBE_STATUS_LEVEL_SHIFT;
        break;
      }
      case STROBE_REG_MSG_PC:
        shown = !buffer.empty();
        value = shown ? buffer.front().pc : 0;
        break;
      case STROBE_REG_MSG_VALUE:
        value = shown ? buffer.front().value : 0;
        break;
      case STROBE_REG_MSG_META: {
        if (!shown) return true;  // MSG_PC showed none: reads 0, takes none
        shown = false;
        Message m = buffer.front();
        buffer.pop_front();
        if (buffer.size() < 2 && hart != nullptr) {
          hart->set_interrupt(Interrupt::kProfiler, false);
        }
        value = m.count | m.tag << STROBE_MSG_META_TAG_SHIFT | STROBE_MSG_META_VALID_MASK;
        break;
      }
      case STROBE_REG_TABLE_DATA:
        // Good from the third cycle after the write; every access takes one.
        value = accesses_since_index >= 2 ? table_data(registers[STROBE_REG_TABLE_INDEX]) : 0xdead;
        break;
      case STROBE_REG_TABLE_PC:
        value = 0x10000 + 4 * (registers[STROBE_REG_TABLE_INDEX] & 0x7fff);
        break;
      case STROBE_REG_TABLE_VALUE:
        value = 7;
        break;
      default:
        value = registers[offset];
    }
    ++accesses_since_index;
    return true;
  }

  bool mmio_write(uint64_t address, unsigned size, uint64_t value) override {
    if (size != 8) return false;
    if (address < STROBE_PROFILER_BASE) {
      host_stores.emplace_back(address - STROBE_HOST_BASE, value);
      hart->request_halt();
      return true;
    }
    if (address == STROBE_TIMER_BASE + STROBE_TIMER_COMPARE) {
      hart->set_interrupt(Interrupt::kMachineTimer, false);
    }
    uint64_t offset = address - STROBE_PROFILER_BASE;
    registers[offset] = value;
    writes.push_back(offset);
    if (offset == STROBE_REG_TABLE_INDEX) accesses_since_index = 0;
    if (offset == STROBE_REG_CTRL && (value & STROBE_CTRL_CLEAR_MASK) != 0) cleared = true;
    if (offset == STROBE_REG_CTRL && value == STROBE_CTRL_ENABLE_MASK) {
      enabled_while_init = cleared && init_reads > 0;
    }
    return true;
  }

  /// The first level holds 10 + index in each entry, with tuples where tuples_from says; position i
  /// of the second level holds i of the tuple whose tag is i.
  uint64_t table_data(uint64_t index) const {
    const bool second = (index & 0x8000) != 0;
    index &= 0x7fff;
    if (second) return index | index << STROBE_TABLE_DATA_TAG_SHIFT | STROBE_TABLE_DATA_TUPLE_MASK;
    return (10 + index) | (index >= tuples_from ? STROBE_TABLE_DATA_TUPLE_MASK : 0);
  }

  isa::Hart* hart = nullptr;
  uint64_t tuples_from = ~uint64_t{0};
  std::map<uint64_t, uint64_t> registers;
  std::vector<uint64_t> writes;
  std::vector<std::pair<uint64_t, uint64_t>> host_stores;
  std::deque<Message> buffer, late;
  bool cleared = false, enabled_while_init = false, shown = false;
  int init_reads = 3, accesses_since_index = 0;
  uint64_t reads = 0;
};

class FirmwareTest : public testing::Test {
 protected:
  explicit FirmwareTest(const std::string& firmware = "guest/firmware.elf")
      : elf_(isa::ElfFile::open(in_build(firmware), STROBE_DEVICE_BASE)), hart_(memory_, device_) {
    device_.hart = &hart_;
    device_.registers[STROBE_REG_ID] = STROBE_ID_RESET;
    device_.registers[STROBE_REG_CAP0] = uint64_t{4} << STROBE_CAP0_SELECTORS_SHIFT |
                                         uint64_t{256} << STROBE_CAP0_BUFFER_DEPTH_SHIFT;
    device_.registers[STROBE_REG_CAP1] =
        uint64_t{4} << STROBE_CAP1_STRATA_SHIFT | uint64_t{8} << STROBE_CAP1_COUNTER_BITS_SHIFT;
    elf_.load(memory_, /*firmware=*/true);
    boot_.magic = STROBE_ABI_MAGIC;
    boot_.user_entry = kProgram;
    boot_.user_sp = kStack;
    boot_.profiler_active = 1;
    boot_.period = 256;
    boot_.threshold = 0x123456;
    boot_.seed = 0xfedcba9876543210;
    boot_.settings[0] = 0x80080;
    boot_.watermark = 2;
    boot_.selector_count = 2;
    boot_.selectors[0] = {0x401, 0, ~uint64_t{0}};
    boot_.selectors[1] = {0x813, 0x1000, 0x2000};
    memory_.protect(kProgram, 4096, isa::GuestMemory::kRead | isa::GuestMemory::kExecute,
                    isa::GuestMemory::kRead);
    const uint32_t program[] = {0x00128293, 0xffdff06f};  // 1: addi t0, t0, 1; j 1b
    memory_.write(kProgram, program, sizeof program);
  }

  StopReason start(uint64_t instructions = 20000) {
    memory_.write(elf_.symbol(STROBE_BOOT_BLOCK_SYMBOL)->address, &boot_, sizeof boot_);
    hart_.state().pc = elf_.entry();
    return hart_.run(instructions);
  }

  StopReason finish() {
    hart_.state().pc = elf_.symbol("strobe_firmware_exit")->address;
    hart_.state().mode = PrivilegeMode::kMachine;
    return hart_.run(1000000);
  }

  strobe_boot_block_t boot_block() {
    strobe_boot_block_t block;
    memory_.read(elf_.symbol(STROBE_BOOT_BLOCK_SYMBOL)->address, &block, sizeof block);
    return block;
  }

  std::vector<Entry> profile() {
    std::vector<Entry> entries;
    const uint8_t* table = memory_.data() + elf_.symbol(STROBE_TABLE_SYMBOL)->address;
    ProfileReader(table, kProfileTableBytes)
        .for_each([&entries](uint64_t pc, uint64_t value, unsigned tag, uint64_t count) {
          entries.push_back({pc, value, tag, count});
        });
    return entries;
  }

  static constexpr uint64_t kProgram = 0x10000, kStack = 0x70000000;

  isa::GuestMemory memory_;
  Device device_;
  isa::ElfFile elf_;
  isa::Hart hart_;
  strobe_boot_block_t boot_ = {};
};

}  // namespace strobe::guest
