#include "sw/object/analysis/program.h"

#include <elf.h>

#include <algorithm>

#include "sc_models/isa/decode/op.h"
#include "sw/object/analysis/liveness.h"

namespace strobe::object {
namespace {

uint64_t place(uint32_t object, uint32_t section, uint32_t offset) {
  return uint64_t{object} << 48 | uint64_t{section} << 32 | offset;
}

/// Whether an indirect jump adds up its target, as a jump by a table of distances does. One that
/// loads it may be a tail call.
bool adds_up_its_target(const Code& code, size_t jump) {
  const std::vector<Instruction>& instructions = code.instructions();
  for (size_t i = jump; i-- > 0 && instructions[i].flow == Flow::kNext;) {
    if (instructions[i].insn.dst != instructions[jump].insn.rs1) continue;
    return static_cast<isa::Op>(instructions[i].insn.op) == isa::Op::kAdd;
  }
  return false;
}

}  // namespace

ProgramObject::ProgramObject(ObjectFile object) : file(std::move(object)) { refresh(); }

void ProgramObject::refresh() {
  codes.clear();
  for (uint32_t i = 1; i < file.sections.size(); ++i) {
    if (file.sections[i].is_code() && !file.sections[i].bytes.empty()) codes.emplace_back(&file, i);
  }
  handlers = read_handlers(file, read_frames(file));
  references = find_references(file, codes, handlers);
}

void ProgramObject::forget_code() {
  codes = {};
  handlers = {};
  references = {};
}

const Code* ProgramObject::code_of(uint32_t section) const {
  const auto found = std::find_if(codes.begin(), codes.end(),
                                  [&](const Code& code) { return code.section() == section; });
  return found == codes.end() ? nullptr : &*found;
}

Program::Program(std::vector<LinkInput> inputs) {
  for (LinkInput& input : inputs) {
    objects_.emplace_back(ObjectFile::parse(std::move(input.bytes), input.name));
  }
  find_functions();
  connect();
  find_changes();
}

void Program::find_functions() {
  for (uint32_t object = 0; object < objects_.size(); ++object) {
    const ObjectFile& file = objects_[object].file;
    for (const Code& code : objects_[object].codes) {
      for (const Function& function : code.functions()) {
        const auto index = static_cast<uint32_t>(functions_.size());
        functions_.push_back({object, function, file.symbols[function.symbols.front()].name});
        by_place_[place(object, function.section, function.start)] = index;
        for (const uint32_t symbol : function.symbols) {
          const Symbol& s = file.symbols[symbol];
          if (s.local()) continue;
          // The linker takes a strong definition, else the first.
          const auto [known, is_new] = by_name_.try_emplace(s.name, index);
          if (!is_new && s.binding == STB_GLOBAL) known->second = index;
        }
      }
    }
  }
}

uint32_t Program::function_at(uint32_t object, uint32_t section, uint32_t offset) const {
  const auto found = by_place_.find(place(object, section, offset));
  return found == by_place_.end() ? kNone : found->second;
}

uint32_t Program::function_of(uint32_t object, uint32_t symbol) const {
  const Symbol& s = objects_[object].file.symbols[symbol];
  if (!s.local()) {
    const auto found = by_name_.find(s.name);
    return found == by_name_.end() ? kNone : found->second;
  }
  return s.value > UINT32_MAX ? kNone
                              : function_at(object, s.section, static_cast<uint32_t>(s.value));
}

uint32_t Program::callee_of(uint32_t object, const Instruction& instruction) const {
  return instruction.target_symbol == kNone || instruction.target_addend != 0
             ? kNone
             : function_of(object, instruction.target_symbol);
}

uint32_t Program::function_around(uint32_t object, const Location& place) const {
  const Code* const code = objects_[object].code_of(place.section);
  if (code == nullptr) return kNone;
  const std::vector<Function>& functions = code->functions();
  const auto next = std::upper_bound(functions.begin(), functions.end(), place.offset,
                                     [](uint64_t at, const Function& f) { return at < f.start; });
  if (next == functions.begin() || place.offset >= std::prev(next)->end) return kNone;
  return function_at(object, place.section, std::prev(next)->start);
}

void Program::connect() {
  calls_.nodes.resize(functions_.size());
  for (uint32_t i = 0; i < functions_.size(); ++i) {
    const ProgramFunction& caller = functions_[i];
    CallNode& node = calls_.nodes[i];
    node.name = caller.name;
    const Code& code = *objects_[caller.object].code_of(caller.function.section);
    for (size_t j = code.at(caller.function.start);
         j < code.instructions().size() && code.instructions()[j].offset < caller.function.end;
         ++j) {
      const Instruction& instruction = code.instructions()[j];
      switch (instruction.flow) {
        case Flow::kIndirectCall:
          node.calls_indirectly = true;
          break;
        case Flow::kIndirectJump:
          // With no label to go to it is a tail call.
          node.calls_indirectly |=
              !adds_up_its_target(code, j) ||
              (References::inside(
                   objects_[caller.object].references.tables[caller.function.section],
                   caller.function)
                   .empty() &&
               References::inside(objects_[caller.object].references.taken[caller.function.section],
                                  caller.function)
                   .empty());
          break;
        case Flow::kCall:
        case Flow::kTailCall:
        case Flow::kOtherPart:
        case Flow::kBranch: {
          if (instruction.target_symbol == kNone) break;
          uint32_t callee = callee_of(caller.object, instruction);
          if (callee == kNone) {
            callee = function_around(
                caller.object, location_of(objects_[caller.object].file, instruction.target_symbol,
                                           instruction.target_addend));
          }
          const bool itself =
              callee == i && instruction.flow != Flow::kCall && instruction.flow != Flow::kTailCall;
          if (callee != kNone && !itself) node.callees.push_back(callee);
          break;
        }
        default:
          break;
      }
    }
    std::sort(node.callees.begin(), node.callees.end());
    node.callees.erase(std::unique(node.callees.begin(), node.callees.end()), node.callees.end());
  }
  for (uint32_t object = 0; object < objects_.size(); ++object) {
    for (const uint32_t symbol : objects_[object].references.functions) {
      const uint32_t function = function_of(object, symbol);
      if (function != kNone) calls_.nodes[function].address_taken = true;
    }
  }
}

void Program::find_changes() {
  changed_.assign(functions_.size(), 0);
  for (uint32_t i = 0; i < functions_.size(); ++i) {
    const ProgramFunction& function = functions_[i];
    const Code& code = *objects_[function.object].code_of(function.function.section);
    Registers& changed = changed_[i];
    for (size_t j = code.at(function.function.start);
         j < code.instructions().size() && code.instructions()[j].offset < function.function.end;
         ++j) {
      const Instruction& instruction = code.instructions()[j];
      changed |= written_by(instruction);
      if (instruction.flow == Flow::kIndirectCall || instruction.flow == Flow::kIndirectJump ||
          instruction.flow == Flow::kOtherPart) {
        changed |= kCallerSaved;
      }
      if (instruction.target_symbol == kNone) continue;
      const bool call = instruction.flow == Flow::kCall || instruction.flow == Flow::kTailCall;
      const uint32_t callee = call ? callee_of(function.object, instruction) : kNone;
      if (call && (callee == kNone || functions_[callee].object != function.object)) {
        changed |= kCallerSaved;
      }
    }
    changed &= kCallerSaved;
  }
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < functions_.size(); ++i) {
      for (const uint32_t callee : calls_.nodes[i].callees) {
        if (functions_[callee].object != functions_[i].object) continue;
        const Registers more = changed_[i] | changed_[callee];
        again |= more != changed_[i];
        changed_[i] = more;
      }
    }
  }
}

Registers Program::changed_by(uint32_t object, const Instruction& call) const {
  if (call.flow != Flow::kCall) return kCallerSaved;
  const uint32_t callee = callee_of(object, call);
  if (callee == kNone || functions_[callee].object != object) return kCallerSaved;
  return changed_[callee] | x(1);
}

}  // namespace strobe::object
