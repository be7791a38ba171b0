#include "sw/optimize/function_code.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sc_models/isa/decode/op.h"
#include "sw/object/file/relocation_kinds.h"
#include "sw/optimize/schedule/effects.h"

namespace strobe::optimize {
namespace {

using object::Flow;
using object::Instruction;

constexpr uint32_t kInvertLong = 0x1000, kInvertShort = 0x2000;  // beq, bne; c.beqz, c.bnez

void invert(Operation* branch) {
  branch->insn = isa::decode(branch->insn.insn ^ kInvertLong);
  branch->inverted = !branch->inverted;
}

}  // namespace

FunctionCode::FunctionCode(const object::Program& program, uint32_t function,
                           const std::vector<object::Frame>& frames, Registers expected)
    : file_(program.objects()[program.functions()[function].object].file),
      references_(program.objects()[program.functions()[function].object].references),
      code_(*program.objects()[program.functions()[function].object].code_of(
          program.functions()[function].function.section)),
      function_(program.functions()[function].function),
      graph_(code_, function_, references_) {
  find_labels();
  obstacle_ = find_obstacle();
  if (obstacle_.empty()) obstacle_ = take_frame(frames);
  if (!obstacle_.empty()) return;
  const uint32_t object = program.functions()[function].object;
  live_.emplace(code_, graph_, program.changed_by(function) | ~expected,
                [&program, object](const auto& call) { return program.changed_by(object, call); });
}

void FunctionCode::find_labels() {
  for (const auto* lists :
       {&references_.tables, &references_.taken, &references_.entered, &references_.landing_pads}) {
    const std::vector<uint32_t> found =
        object::References::inside((*lists)[code_.section()], function_);
    labels_.insert(labels_.end(), found.begin(), found.end());
  }
  std::sort(labels_.begin(), labels_.end());
}

std::string FunctionCode::find_obstacle() const {
  if (!graph_.obstacle().empty()) return graph_.obstacle();
  for (const object::Symbol& symbol : file_.symbols) {
    if (symbol.section != code_.section() || symbol.value <= function_.start ||
        symbol.value >= function_.end) {
      continue;
    }
    if (symbol.name.rfind("$d", 0) == 0) return "it has data between its instructions";
    if (!symbol.local() || symbol.type == STT_FUNC) return "another function begins inside it";
  }
  const Flow last = code_.instructions()[graph_.blocks().back().last].flow;
  if (last == Flow::kNext || last == Flow::kBranch) return "control runs off its end";
  for (uint32_t block = 0; block < graph_.blocks().size(); ++block) {
    for (uint32_t i = graph_.blocks()[block].first; i <= graph_.blocks()[block].last; ++i) {
      const uint32_t auipc = auipc_of(i);
      if (auipc == kNone) continue;
      if (auipc > i || auipc < graph_.blocks()[block].first) {
        return "it computes an address in two blocks";
      }
    }
  }
  return "";
}

/// @return why its frame cannot be described anew
std::string FunctionCode::take_frame(const std::vector<object::Frame>& frames) {
  for (const object::Frame& frame : frames) {
    if (frame.code.section != code_.section() || frame.code.offset < function_.start ||
        frame.code.offset >= function_.end) {
      continue;
    }
    const std::optional<object::FrameRows> rows = object::rows_of(file_, frame);
    if (frame_ || frame.code.offset != function_.start || !rows ||
        frame.code_end != function_.end) {
      return "the description of its frame is not one that gcc writes";
    }
    frame_ = frame;
    rows_ = *rows;
    keeps_order_ = frame.has_handlers;
  }
  return "";
}

/// The auipc of a low half, as an index of the Code; kNone of another instruction.
uint32_t FunctionCode::auipc_of(uint32_t instruction) const {
  const uint32_t index = code_.instructions()[instruction].relocation;
  if (index == kNone) return kNone;
  const object::Relocation& relocation = file_.sections[code_.section()].relocations[index];
  if (!object::is_low_half(relocation.type)) return kNone;
  const object::Symbol& symbol = file_.symbols[relocation.symbol];
  const bool here = symbol.section == code_.section();
  return static_cast<uint32_t>(here ? code_.at(symbol.value) : code_.instructions().size());
}

std::optional<StaticAddress> FunctionCode::static_address(uint32_t instruction) const {
  const std::vector<object::Relocation>& relocations = file_.sections[code_.section()].relocations;
  uint32_t index = code_.instructions()[instruction].relocation;
  if (index == kNone) return std::nullopt;
  if (object::is_low_half(relocations[index].type)) {
    index = code_.instructions()[auipc_of(instruction)].relocation;
    if (index == kNone || relocations[index].type != R_RISCV_PCREL_HI20) return std::nullopt;
  } else if (relocations[index].type != R_RISCV_LO12_I &&
             relocations[index].type != R_RISCV_LO12_S) {
    return std::nullopt;
  }
  const object::Relocation& relocation = relocations[index];
  const object::Location place = object::location_of(file_, relocation.symbol, relocation.addend);
  StaticAddress address;
  address.symbol = relocation.symbol;
  address.offset = relocation.addend;
  if (place.section == 0) return address;
  const object::Section& section = file_.sections[place.section];
  // What the linker merges lies elsewhere afterwards, and what is per thread in several places. A
  // weak definition may be replaced by another object's.
  if ((section.flags & SHF_ALLOC) == 0 || (section.flags & (SHF_MERGE | SHF_TLS)) != 0 ||
      file_.symbols[relocation.symbol].binding == STB_WEAK) {
    return address;
  }
  address.section = place.section;
  address.offset = static_cast<int64_t>(place.offset);
  address.section_size = section.type == SHT_NOBITS ? section.size : section.bytes.size();
  return address;
}

uint32_t FunctionCode::row_at(uint32_t offset) const {
  const auto next =
      std::upper_bound(rows_.rows.begin(), rows_.rows.end(), offset,
                       [](uint32_t at, const object::PlacedRow& row) { return at < row.offset; });
  return next == rows_.rows.begin() ? 0 : static_cast<uint32_t>(next - rows_.rows.begin()) - 1;
}

Registers FunctionCode::live_at(const FlowNode& node) const {
  return live_->before(graph_.blocks()[node.block].first);
}

/// The most that the function moves sp down at once.
uint64_t FunctionCode::frame_bytes() const {
  int64_t most = 0;
  for (uint32_t i = graph_.blocks().front().first; i <= graph_.blocks().back().last; ++i) {
    const isa::DecodedInsn& insn = code_.instructions()[i].insn;
    if (static_cast<isa::Op>(insn.op) == isa::Op::kAddi && insn.rd == 2 && insn.rs1 == 2) {
      most = std::max(most, -int64_t{insn.imm});
    }
  }
  return static_cast<uint64_t>(most);
}

Operation FunctionCode::operation_of(uint32_t instruction) const {
  const Instruction& original = code_.instructions()[instruction];
  Operation operation;
  operation.insn = original.insn;
  operation.from = instruction;
  operation.flow = original.flow;
  operation.row = row_at(original.offset);
  operation.address = static_address(instruction);
  return operation;
}

std::vector<Region> FunctionCode::regions(const Traces& traces) const {
  std::vector<Region> regions;
  for (const std::vector<uint32_t>& trace : traces.traces) {
    Region region;
    region.head = trace.front();
    region.frequency = traces.nodes[trace.front()].frequency;
    region.frame_bytes = frame_bytes();
    for (size_t i = 0; i < trace.size(); ++i) append_block(traces, trace, i, &region);
    regions.push_back(std::move(region));
  }
  return regions;
}

void FunctionCode::append_block(const Traces& traces, const std::vector<uint32_t>& trace,
                                size_t position, Region* region) const {
  const std::vector<Instruction>& instructions = code_.instructions();
  const std::vector<object::Relocation>& relocations = file_.sections[code_.section()].relocations;
  const object::Block& block = graph_.blocks()[traces.nodes[trace[position]].block];
  const auto first = static_cast<uint32_t>(region->operations.size());
  for (uint32_t i = block.first; i <= block.last; ++i) {
    const bool related = instructions[i].relocation != kNone;
    const uint32_t type = related ? relocations[instructions[i].relocation].type : R_RISCV_NONE;
    if (type == R_RISCV_ALIGN) {  // for speed alone: the order is another now
      while (i < block.last && instructions[i + 1].glued) ++i;
      continue;
    }
    Operation operation = operation_of(i);
    if (object::is_far_call(type) && i < block.last && instructions[i + 1].glued) {
      operation = operation_of(i + 1);
      operation.from = i;
      operation.pair = ++i;
    }
    const uint32_t auipc = auipc_of(operation.from);
    for (auto j = static_cast<uint32_t>(region->operations.size());
         auipc != kNone && j-- > first;) {
      if (region->operations[j].from == auipc) operation.auipc = j;
    }
    region->operations.push_back(operation);
  }
  end_block(traces, trace, position, region);
}

void FunctionCode::end_block(const Traces& traces, const std::vector<uint32_t>& trace,
                             size_t position, Region* region) const {
  const FlowNode& node = traces.nodes[trace[position]];
  const uint32_t on = position + 1 < trace.size() ? trace[position + 1] : kNone;
  const object::Block& block = graph_.blocks()[node.block];
  const Flow flow = code_.instructions()[block.last].flow;
  if (flow == Flow::kJump) region->operations.pop_back();
  if (flow == Flow::kBranch) {
    Operation& branch = region->operations.back();
    branch.target = node.taken;
    branch.leaving = node.to_taken;
    if (on != kNone && on == node.taken && on == node.next) {
      region->operations.pop_back();
      return;
    }
    if (on != kNone && on == node.taken) {
      invert(&branch);
      branch.target = node.next;
      branch.leaving = node.to_next;
    }
    branch.live_at_target =
        branch.target == kNone ? object::kAll : live_at(traces.nodes[branch.target]);
  }
  if (on != kNone) return;
  region->next = flow == Flow::kJump ? node.taken : node.next;
  region->completed = flow == Flow::kBranch ? node.to_next : node.frequency;
  const bool goes_on = flow == Flow::kJump || flow == Flow::kBranch || flow == Flow::kNext;
  region->live_at_end = goes_on ? live_at(traces.nodes[region->next]) : live_->before(block.last);
}

/// Puts the regions of a body one after the other.
class BodyMaker {
 public:
  BodyMaker(const object::Code& code, const object::ObjectFile& file,
            const std::vector<Region>& regions, object::NewBody* body)
      : code_(code), file_(file), regions_(regions), body_(body) {
    body->labels.resize(regions.size());
    for (uint32_t i = 0; i < regions.size(); ++i) region_of_[regions[i].head] = i;
  }

  /// @param following  the region after it; kNone of the last one
  void append(uint32_t number, const Schedule& schedule, uint32_t following) {
    const Region& region = regions_[number];
    body_->labels[number] = size();
    std::vector<uint32_t> places(region.operations.size());
    uint32_t next = region.next;
    for (const uint32_t index : schedule.order) {
      Operation operation = region.operations[index];
      const bool last = index + 1 == region.operations.size();
      if (last && operation.flow == Flow::kBranch && following != kNone && next != kNone &&
          operation.target == regions_[following].head && operation.target != next) {
        invert(&operation);
        std::swap(operation.target, next);
      }
      set_row(operation.row);
      places[index] = size();
      object::NewInstruction made;
      made.from = operation.from;
      made.word = word_of(operation);
      if (operation.target != kNone) made.target = region_of_.at(operation.target);
      if (operation.auipc != kNone) made.auipc = places[operation.auipc];
      body_->instructions.push_back(made);
      if (operation.pair == kNone) continue;
      made = object::NewInstruction();
      made.from = operation.pair;
      body_->instructions.push_back(made);
    }
    if (next == kNone || (following != kNone && next == regions_[following].head)) return;
    set_row(row_of_head(region_of_.at(next)));
    object::NewInstruction jump;
    jump.target = region_of_.at(next);
    body_->instructions.push_back(jump);
  }

  /// By number, where each begins.
  const std::vector<std::pair<uint32_t, uint32_t>>& rows() const { return rows_; }

 private:
  uint32_t size() const { return static_cast<uint32_t>(body_->instructions.size()); }

  void set_row(uint32_t row) {
    if (rows_.empty() || rows_.back().second != row) rows_.emplace_back(size(), row);
  }

  uint32_t row_of_head(uint32_t region) const {
    const std::vector<Operation>& operations = regions_[region].operations;
    return operations.empty() ? (rows_.empty() ? 0 : rows_.back().second) : operations.front().row;
  }

  uint32_t word_of(const Operation& operation) const {
    if (operation.renamed) return operation.insn.insn;
    if (!operation.inverted) return 0;
    const Instruction& original = code_.instructions()[operation.from];
    if (original.size == 4) return operation.insn.insn;
    uint16_t half = 0;
    std::memcpy(&half, file_.sections[code_.section()].bytes.data() + original.offset, sizeof half);
    return half ^ kInvertShort;
  }

  const object::Code& code_;
  const object::ObjectFile& file_;
  const std::vector<Region>& regions_;
  object::NewBody* body_;
  std::map<uint32_t, uint32_t> region_of_;  // by head
  std::vector<std::pair<uint32_t, uint32_t>> rows_;
};

object::NewBody FunctionCode::body(const std::vector<Region>& regions,
                                   const std::vector<Schedule>& schedules,
                                   const std::vector<uint32_t>& layout) const {
  object::NewBody body;
  body.function = function_;
  BodyMaker maker(code_, file_, regions, &body);
  for (size_t i = 0; i < layout.size(); ++i) {
    maker.append(layout[i], schedules[layout[i]], i + 1 < layout.size() ? layout[i + 1] : kNone);
  }
  for (uint32_t i = 0; i < regions.size(); ++i) {
    const object::Block& block = graph_.blocks()[regions[i].head];
    body.references[code_.instructions()[block.first].offset] = i;
  }
  if (!frame_) return body;
  body.has_frame = true;
  body.initial_row = rows_.initial;
  for (const auto& [index, row] : maker.rows()) {
    body.rows.emplace_back(index, rows_.rows[row].row);
  }
  return body;
}

}  // namespace strobe::optimize
