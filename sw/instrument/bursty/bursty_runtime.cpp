#include "sw/instrument/bursty/bursty_runtime.h"

#include <elf.h>
#include <fmt/format.h>

#include <stdexcept>

#include "sw/instrument/runtime_object.h"
#include "sw/object/edit/encode.h"

namespace strobe::instrument {
namespace {

using object::ObjectFile;
using object::Section;
using object::Snippet;
using object::Symbol;

constexpr const char* kFold = "__strobe_fold";
constexpr const char* kNextDistance = "__strobe_next_distance";    // its offset
constexpr const char* kFirstDistance = "__strobe_first_distance";  // the address of the first

constexpr int32_t kRecordBytes = 16;

/// A shift to the left by this leaves 0 of an address that is a multiple of `size`, a power of two.
unsigned shift_of(uint64_t size) {
  unsigned shift = 64;
  for (; size > 1; size /= 2) --shift;
  return shift;
}

/// Writes one routine after another into a section of code.
class RoutineWriter {
 public:
  RoutineWriter(ObjectFile* file, Globals* globals, uint32_t section, unsigned shift, bool jitter)
      : file_(file), globals_(globals), section_(section), shift_(shift), jitter_(jitter) {}

  /// Figure 3 from its fourth line on. Returns to its link to stay in, or go to, the checking copy,
  /// and four bytes further for the instrumented one. `reg` is the link and all that it may change.
  void check(unsigned reg) {
    const std::vector<unsigned> frame = {reg};
    const unsigned other = reg == object::kT0 ? object::kT1 : object::kT0;
    begin(check_routine(reg));
    push(&code_, frame);
    load(true, reg, kInstrumentedCount);
    const uint32_t was_instrumented = label(), to_checking = label(), to_instrumented = label();
    code_.add(object::bnez(reg), R_RISCV_BRANCH, was_instrumented);
    load(true, reg, kInstrumentedReload);
    store(true, reg, kInstrumentedCount);
    // A burst begins: its mark, and the fold if that fills the buffer.
    const uint32_t full = label(), marked = label();
    push(&code_, {other});
    load(false, reg, kNextEvent);
    code_.add(object::sd(object::kZero, reg, 0));
    code_.add(object::sd(object::kZero, reg, 8));
    advance(reg, other, full);
    place(marked);
    pop(&code_, {other});
    code_.add(object::jump(), R_RISCV_JAL, to_instrumented);
    place(full);
    add_call(&code_, globals_, reg, full_routine(reg));
    code_.add(object::jump(), R_RISCV_JAL, marked);
    place(was_instrumented);
    code_.add(object::addiw(reg, reg, -1));
    store(true, reg, kInstrumentedCount);
    code_.add(object::beqz(reg), R_RISCV_BRANCH, to_checking);
    place(to_instrumented);
    code_.add(object::addi(reg, object::kZero, 1));
    store(true, reg, kCheckCount);
    pop(&code_, frame);
    code_.add(object::encode_i(0x67, 0, object::kZero, reg, 4));
    place(to_checking);
    if (jitter_) {
      next_distance(reg, other);
    } else {
      load(true, reg, kCheckReload);
    }
    store(true, reg, kCheckCount);
    pop(&code_, frame);
    code_.add(object::jalr(object::kZero, reg));
    end(check_routine(reg));
  }

  /// Saves what a function may change, folds the buffer, returns to its link `reg`.
  void full(unsigned reg) {
    std::vector<unsigned> frame;
    for (unsigned n = 1; n < 32; ++n) {
      if (((object::kCallerSaved | object::x(reg)) & object::x(n)) != 0) frame.push_back(n);
    }
    begin(full_routine(reg));
    push(&code_, frame);
    add_call(&code_, globals_, object::kRa, kFold);
    pop(&code_, frame);
    code_.add(object::jalr(object::kZero, reg));
    end(full_routine(reg));
  }

  /// Appends {link, value} to the buffer, and folds it when it is full.
  void record(const Record& record) {
    begin(record_routine(record));
    const uint32_t full = label();
    load(false, record.next, kNextEvent);
    code_.add(object::sd(record.value, record.next, 8));
    code_.add(object::sd(kRecordLink, record.next, 0));
    advance(record.next, record.value, full);
    code_.add(object::jalr(object::kZero, kRecordLink));
    place(full);
    add_call(&code_, globals_, record.next, full_routine(record.next));
    code_.add(object::jalr(object::kZero, kRecordLink));
    end(record_routine(record));
  }

  void finish() {
    Section& section = file_->sections[section_];
    section.bytes = code_.bytes;
    section.relocations = code_.relocations;
  }

 private:
  /// From the event at `next` to the one after it; to the label `full` when there is none, and then
  /// the buffer's position stays. So every position in memory has room for an event, whichever
  /// thread stored it and however late: none writes outside of the buffer. `other` is changed.
  void advance(unsigned next, unsigned other, uint32_t full) {
    code_.add(object::addi(next, next, kRecordBytes));
    code_.add(object::slli(other, next, shift_));
    code_.add(object::beqz(other), R_RISCV_BRANCH, full);
    store(false, next, kNextEvent);
  }
  /// `reg` becomes the next of the distances; the first follows the last. The offset is cut off
  /// after it was loaded: two threads may take the same distance, and none from outside.
  void next_distance(unsigned reg, unsigned other) {
    constexpr unsigned kBytes = 4;
    const unsigned cut = shift_of(kDistanceCount * kBytes);
    push(&code_, {other});
    load(true, reg, kNextDistance);
    code_.add(object::addi(reg, reg, kBytes));
    code_.add(object::slli(reg, reg, cut));
    code_.add(object::srli(reg, reg, cut));
    store(true, reg, kNextDistance);
    load(false, other, kFirstDistance);
    code_.add(object::add(other, other, reg));
    code_.add(object::lw(reg, other, 0));
    pop(&code_, {other});
  }
  void load(bool word, unsigned reg, const char* symbol) {
    add_load(&code_, globals_, word, reg, symbol);
  }
  void store(bool word, unsigned reg, const char* symbol) {
    add_store(&code_, globals_, word, reg, symbol);
  }
  uint32_t label() { return file_->add_label(section_, 0); }
  void place(uint32_t symbol) { file_->symbols[symbol].value = code_.size(); }
  void begin(const std::string& name) {
    define(file_, globals_, name, section_, code_.size(), 0, STT_FUNC);
  }
  void end(const std::string& name) {
    Symbol& symbol = file_->symbols[(*globals_)[name]];
    symbol.size = code_.size() - symbol.value;
  }

  ObjectFile* file_;
  Globals* globals_;
  uint32_t section_;
  unsigned shift_;
  bool jitter_;
  Snippet code_;
};

}  // namespace

std::string check_routine(unsigned reg) { return fmt::format("__strobe_check_x{}", reg); }
std::string full_routine(unsigned reg) { return fmt::format("__strobe_full_x{}", reg); }
std::string record_routine(const Record& record) {
  return fmt::format("__strobe_record_x{}_x{}", record.value, record.next);
}

ObjectFile make_runtime(std::vector<uint8_t> fold, const Routines& used,
                        const BurstyOptions& options) {
  ObjectFile file = ObjectFile::parse(std::move(fold), "fold.o");
  Globals globals(&file);
  const uint64_t buffer = options.buffer_records * uint64_t{kRecordBytes};
  const uint32_t data = add_section(&file, ".sdata", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 8);
  struct Datum {
    const char* name;
    uint64_t size;
    uint64_t value;
  };
  constexpr uint64_t kNever = 0x7fffffff;
  std::vector<Datum> all = {{kCheckCount, 4, kNever},
                            {kInstrumentedCount, 4, 0},
                            {kCheckReload, 4, kNever},
                            {kInstrumentedReload, 4, 1},
                            {kNextEvent, 8, 0}};
  if (options.jitter) {
    all.push_back({kNextDistance, 8, 0});
    all.push_back({kFirstDistance, 8, 0});
  }
  for (const Datum& datum : all) {
    std::vector<uint8_t>& bytes = file.sections[data].bytes;
    define(&file, &globals, datum.name, data, bytes.size(), datum.size, STT_OBJECT);
    const char* const target = datum.name == kNextEvent       ? "__strobe_events"
                               : datum.name == kFirstDistance ? kDistances
                                                              : nullptr;
    if (target != nullptr) {
      file.sections[data].relocations.push_back({bytes.size(), R_RISCV_64, globals[target], 0});
    }
    for (unsigned i = 0; i < datum.size; ++i)
      bytes.push_back(static_cast<uint8_t>(datum.value >> (8 * i)));
  }
  const uint32_t events =
      add_section(&file, ".bss.strobe_events", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, buffer);
  file.sections[events].size = buffer;
  define(&file, &globals, "__strobe_events", events, 0, buffer, STT_OBJECT);
  define(&file, &globals, "__strobe_events_end", events, buffer, 0, STT_OBJECT);
  const uint32_t trace =
      add_section(&file, ".bss.strobe_trace", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 16);
  file.sections[trace].size = options.trace_records * kRecordBytes;
  define(&file, &globals, "__strobe_trace", trace, 0, options.trace_records * kRecordBytes,
         STT_OBJECT);
  define(&file, &globals, "__strobe_trace_end", trace, options.trace_records * kRecordBytes, 0,
         STT_OBJECT);
  if (options.jitter) {
    constexpr uint64_t kBytes = 4 * kDistanceCount;
    const uint32_t distances =
        add_section(&file, ".data.strobe_distances", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, kBytes);
    file.sections[distances].bytes.resize(kBytes);
    define(&file, &globals, kDistances, distances, 0, kBytes, STT_OBJECT);
  }
  const uint32_t text =
      add_section(&file, ".text.strobe", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 4);
  RoutineWriter routines(&file, &globals, text, shift_of(buffer), options.jitter);
  for (unsigned reg = 1; reg < 32; ++reg) {
    if ((used.links & object::x(reg)) == 0) continue;
    routines.full(reg);
    routines.check(reg);
  }
  for (const Record& record : used.records) routines.record(record);
  routines.finish();
  return file;
}

}  // namespace strobe::instrument
