#include "sw/instrument/ephemeral/hooked_program.h"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sc_models/isa/decode/decoded.h"
#include "sc_models/isa/decode/op.h"
#include "sw/guest/include/strobe/ephemeral_abi.h"
#include "sw/instrument/kept_program.h"
#include "sw/instrument/linked_data.h"
#include "sw/object/edit/encode.h"

namespace strobe::instrument {
namespace {

namespace fs = std::filesystem;

using object::ObjectError;

constexpr int64_t kJumpReach = int64_t{1} << 20;

/// `jal link` over `distance` bytes (RISC-V unprivileged ISA, section 2.5).
uint32_t jump_over(int64_t distance, unsigned link) {
  const auto bits = static_cast<uint32_t>(distance);
  return (bits >> 20 & 1) << 31 | (bits >> 1 & 0x3ff) << 21 | (bits >> 11 & 1) << 20 |
         (bits >> 12 & 0xff) << 12 | link << 7 | object::jump();
}

/// Whether no branch of the same page is executed before this one for certain.
template <class PlaceOf>
bool is_first_of_page(const std::vector<Hook>& hooks, const Hook& hook, const HookedBranch& branch,
                      PlaceOf place_of) {
  for (uint32_t above = hook.dominator; above != object::kNone; above = hooks[above].dominator) {
    if (place_of(hooks[above]) / kHookedPage == branch.page()) return false;
  }
  return true;
}

/// The hooks in addresses; where a branch goes is read from the original program.
std::vector<HookedBranch> linked(const std::vector<Hook>& hooks, const LinkedEdit& edit,
                                 const LinkedProgram& program) {
  std::vector<uint8_t> bytes = content_of(program.elf);
  const LinkedData original(&bytes, program.elf.string());
  const auto place_of = [&](const Hook& hook) {
    return edit.address_of_symbol(hook.branch.object, hook.branch_symbol);
  };
  std::vector<HookedBranch> branches;
  for (const Hook& hook : hooks) {
    HookedBranch branch;
    branch.pc = edit.address_in_original(hook.branch);
    branch.branch = place_of(hook);
    branch.code = edit.address_of_symbol(hook.branch.object, hook.code_symbol);
    branch.data = edit.address_of_symbol(hook.branch.object, hook.data_symbol);
    if (branch.pc == 0 || branch.branch == 0) continue;  // the linker discarded its section
    const isa::DecodedInsn insn = isa::decode(original.instruction(branch.pc));
    branch.targets = hook.targets;
    const isa::Kind expected = branch.is_jump() ? isa::Kind::kJump : isa::Kind::kBranch;
    if (isa::info(static_cast<isa::Op>(insn.op)).kind != expected) {
      throw ObjectError(fmt::format(
          "{}: expected the branch or jump of its objects at {:#x}, got {:#010x}; build the "
          "program again",
          program.elf.string(), branch.pc, insn.insn));
    }
    if (!branch.is_jump()) {
      branch.target = branch.pc + static_cast<uint64_t>(int64_t{insn.imm});
      branch.next = branch.pc + insn.length;
    }
    const auto distance = static_cast<int64_t>(branch.code - branch.branch);
    if (distance < -kJumpReach || distance >= kJumpReach) {
      throw ObjectError(fmt::format(
          "{}: the branch at {:#x} is {} bytes from its stub: expected at most {}, which a jump "
          "reaches; split its function, or leave its object out with instrument.objects: program",
          program.elf.string(), branch.pc, distance, kJumpReach));
    }
    branch.first = is_first_of_page(hooks, hook, branch, place_of);
    branches.push_back(branch);
  }
  return branches;
}

/// A program whose code changes, or may, is out of reach: its words are not what was linked.
void expect_constant_code(const LinkedProgram& program, const object::Program& objects) {
  std::vector<uint8_t> bytes = content_of(program.elf);
  if (LinkedData(&bytes, program.elf.string()).has_writable_code()) {
    throw ObjectError(fmt::format(
        "{}: its code is writable: expected a program that does not change its own code, because "
        "ephemeral instrumentation does; link it without -N",
        program.elf.string()));
  }
  for (const object::ProgramObject& object : objects.objects()) {
    for (const object::Code& code : object.codes) {
      for (const object::Instruction& instruction : code.instructions()) {
        if (static_cast<isa::Op>(instruction.insn.op) != isa::Op::kFenceI) continue;
        throw ObjectError(fmt::format(
            "{}: {}: expected no fence.i, because a program that changes its own code cannot be "
            "instrumented ephemerally; leave it out of the measurement",
            object.file.name, object.file.describe(code.section(), instruction.offset)));
      }
    }
  }
}

/// The program with writable code, and told how many stubs it has, and for how long they stay.
LinkedData writable_program(HookedProgram* program, uint64_t persistence) {
  if (persistence == 0 || persistence > STROBE_TAKEN_MASK) {
    throw std::invalid_argument(
        fmt::format("persistence: expected 1 to {}, got {}", STROBE_TAKEN_MASK, persistence));
  }
  LinkedData data(&program->elf, "the edited program");
  data.make_code_writable();
  data.set_word(data.address_of(STROBE_PERSISTENCE_SYMBOL), static_cast<uint32_t>(persistence));
  data.set_word(data.address_of(STROBE_STUBS_SYMBOL),
                static_cast<uint32_t>(program->branches.size()));
  return data;
}

/// @return the jump to the stub, which hooks the branch. That of a call links as the call does.
uint32_t fill_stub(const HookedBranch& branch, uint64_t count, uint64_t next, LinkedData* data) {
  const auto set = [&](size_t member, uint64_t value, size_t size) {
    for (size_t at = 0; at < size; at += sizeof(uint32_t), value >>= 32) {
      data->set_word(branch.data + member + at, static_cast<uint32_t>(value));
    }
  };
  const uint32_t word = data->word(branch.branch);
  const unsigned link = branch.is_jump() ? isa::decode(word).rd : object::kZero;
  const uint32_t jump = jump_over(static_cast<int64_t>(branch.code - branch.branch), link);
  set(offsetof(strobe_stub_t, count), count, sizeof count);
  set(offsetof(strobe_stub_t, next), next, sizeof next);
  set(offsetof(strobe_stub_t, branch_word), word, sizeof word);
  set(offsetof(strobe_stub_t, jump_word), jump, sizeof jump);
  set(offsetof(strobe_stub_t, branch), branch.branch - branch.data, sizeof(uint32_t));
  return jump;
}

}  // namespace

HookedProgram make_hooked_program(const LinkedProgram& program, const fs::path& runtime,
                                  const EphemeralOptions& options) {
  HookedProgram result;
  std::vector<Hook> hooks;
  LinkedEdit edit = link_edit(program, [&](object::Program* objects) {
    expect_constant_code(program, *objects);
    Ephemeral made = make_ephemeral(objects, content_of(runtime), options);
    hooks = std::move(made.hooks);
    result.counts = made.counts;
    result.left_alone = std::move(made.left_alone);
    return std::move(made.edit);
  });
  result.branches = linked(hooks, edit, program);
  result.elf = std::move(edit.elf);
  result.map = std::move(edit.map);
  return result;
}

HookedProgram find_or_hook(const LinkedProgram& program, const fs::path& runtime,
                           const EphemeralOptions& options) {
  const std::string text = fmt::format("ephemeral {} {}", options.library, options.island_bytes);
  KeptProgram kept = find_or_make(program, runtime, text, [&] {
    HookedProgram made = make_hooked_program(program, runtime, options);
    return KeptProgram{std::move(made.elf), to_json(made)};
  });
  HookedProgram found = hooked_program_from_json(kept.document);
  found.elf = std::move(kept.elf);
  return found;
}

void hook_all(HookedProgram* program, uint64_t persistence) {
  LinkedData data = writable_program(program, persistence);
  const uint64_t count = (persistence - 1) << STROBE_LEFT_SHIFT;
  for (const HookedBranch& branch : program->branches) {
    const uint32_t jump = fill_stub(branch, count, /*next=*/0, &data);
    data.set_word(branch.branch, jump);
  }
}

void hook_pages(HookedProgram* program, uint64_t persistence) {
  LinkedData data = writable_program(program, persistence);
  std::map<uint64_t, std::vector<const HookedBranch*>> pages;
  for (const HookedBranch& branch : program->branches) pages[branch.page()].push_back(&branch);
  for (const auto& [page, branches] : pages) {
    for (size_t i = 0; i < branches.size(); ++i) {
      // The first execution makes a count of 0 negative, which calls the routine.
      const uint64_t next = branches[(i + 1) % branches.size()]->data;
      const uint32_t jump = fill_stub(*branches[i], /*count=*/0, next, &data);
      if (branches[i]->first) data.set_word(branches[i]->branch, jump);
    }
  }
}

nlohmann::json to_json(const HookedProgram& program) {
  nlohmann::json document;
  nlohmann::json& branches = document["branches"];
  branches = nlohmann::json::array();
  for (const HookedBranch& one : program.branches) {
    branches.push_back(
        {one.pc, one.target, one.next, one.branch, one.code, one.data, one.targets, one.first});
  }
  put_map(program.map, program.left_alone, &document);
  for (const auto& [name, count] : kEphemeralCountNames) {
    document["counts"][name] = program.counts.*count;
  }
  return document;
}

HookedProgram hooked_program_from_json(const nlohmann::json& document) {
  try {
    HookedProgram program;
    for (const nlohmann::json& one : document.at("branches")) {
      program.branches.push_back(
          {one.at(0), one.at(1), one.at(2), one.at(3), one.at(4), one.at(5), one.at(6), one.at(7)});
    }
    program.map = map_from(document);
    program.left_alone = left_alone_from(document);
    for (const auto& [name, count] : kEphemeralCountNames) {
      document.at("counts").at(name).get_to(program.counts.*count);
    }
    return program;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("the map of an instrumented program: {}", error.what()));
  }
}

}  // namespace strobe::instrument
