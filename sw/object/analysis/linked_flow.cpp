#include "sw/object/analysis/linked_flow.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "sw/object/analysis/flow_graph.h"
#include "sw/object/file/frames.h"

namespace strobe::object {
namespace {

/// A function of the program, or a cold part of one.
struct Part {
  uint32_t index = 0;  // in the program
  uint64_t begin = 0, end = 0;
  FlowGraph graph;
  std::vector<FlowBlock> blocks;   // those of the graph that have bytes
  std::vector<uint32_t> block_of;  // by block of the graph; kOutside of an empty one at the end
};

/// Whether a function is a part of `of` that the compiler moved away: `of.cold` or `of.cold.1`.
bool is_cold_part(const std::string& name, const std::string& of) {
  const std::string cold = of + ".cold";
  return name == cold || name.rfind(cold + ".", 0) == 0;
}

class Linker {
 public:
  Linker(const Program& program, const AddressTable& addresses)
      : program_(program), addresses_(addresses) {}

  ControlFlow run() {
    for (uint32_t i = 0; i < program_.functions().size(); ++i) place(i);
    std::sort(parts_.begin(), parts_.end(),
              [](const Part& a, const Part& b) { return a.begin < b.begin; });
    gather();
    for (uint32_t i = 0; i < parts_.size(); ++i) connect(i);
    for (FlowFunction& function : flow_.functions) {
      std::sort(function.edges.begin(), function.edges.end(), [](const auto& a, const auto& b) {
        return std::tie(a.from, a.target, a.to) < std::tie(b.from, b.target, b.to);
      });
      std::sort(function.calls.begin(), function.calls.end(),
                [](const FlowCall& a, const FlowCall& b) { return a.block < b.block; });
    }
    return std::move(flow_);
  }

 private:
  const Code& code_of(uint32_t function) const {
    const ProgramFunction& f = program_.functions()[function];
    return *program_.objects()[f.object].code_of(f.function.section);
  }

  std::optional<uint64_t> address(uint32_t function, uint64_t offset) const {
    const ProgramFunction& f = program_.functions()[function];
    return addresses_.address({f.object, f.function.section, offset});
  }

  /// Adds the function as a part, when the linker kept it.
  void place(uint32_t index) {
    const ProgramFunction& f = program_.functions()[index];
    const auto begin = address(index, f.function.start), end = address(index, f.function.end);
    if (!begin || !end || *begin >= *end) return;
    const Code& code = code_of(index);
    Part part{index, *begin,
              *end,  FlowGraph(code, f.function, program_.objects()[f.object].references),
              {},    {}};
    const std::vector<Block>& blocks = part.graph.blocks();
    for (uint32_t i = 0; i < blocks.size(); ++i) {
      const Instruction& last = code.instructions()[blocks[i].last];
      const uint64_t after =
          i + 1 < blocks.size() ? code.instructions()[blocks[i + 1].first].offset : f.function.end;
      const FlowBlock block{*address(index, code.instructions()[blocks[i].first].offset),
                            *address(index, last.offset), *address(index, after)};
      part.block_of.push_back(static_cast<uint32_t>(part.blocks.size()));
      if (block.first < block.end) part.blocks.push_back(block);
    }
    // An empty block at the end has none after it that it could be one with.
    for (uint32_t& block : part.block_of) {
      if (block == part.blocks.size()) block = strobe::kOutside;
    }
    parts_.push_back(std::move(part));
  }

  /// Makes functions of the parts: which part belongs to which, and where its blocks are there.
  void gather() {
    std::map<std::pair<uint32_t, std::string>, uint32_t> by_name;  // by object
    for (uint32_t i = 0; i < parts_.size(); ++i) {
      const ProgramFunction& f = program_.functions()[parts_[i].index];
      by_name.emplace(std::pair(f.object, f.name), i);
    }
    function_of_.assign(parts_.size(), strobe::kOutside);
    first_block_.assign(parts_.size(), 0);
    std::vector<std::pair<uint32_t, uint32_t>> cold;  // {part, the part that it belongs to}
    for (uint32_t i = 0; i < parts_.size(); ++i) {
      const ProgramFunction& f = program_.functions()[parts_[i].index];
      const auto owner = by_name.find({f.object, f.name.substr(0, f.name.rfind(".cold"))});
      if (owner != by_name.end() && owner->second != i &&
          is_cold_part(f.name, owner->first.second)) {
        cold.emplace_back(i, owner->second);
        continue;
      }
      function_of_[i] = static_cast<uint32_t>(flow_.functions.size());
      FlowFunction function;
      function.name = f.name;
      function.blocks = parts_[i].blocks;
      function.address_taken = program_.calls().nodes[parts_[i].index].address_taken;
      flow_.functions.push_back(std::move(function));
    }
    for (const auto& [part, owner] : cold) {
      function_of_[part] = function_of_[owner];
      std::vector<FlowBlock>& blocks = flow_.functions[function_of_[owner]].blocks;
      first_block_[part] = static_cast<uint32_t>(blocks.size());
      blocks.insert(blocks.end(), parts_[part].blocks.begin(), parts_[part].blocks.end());
    }
  }

  /// The part that covers an address; kOutside if none does.
  uint32_t part_at(uint64_t address) const {
    const auto after =
        std::upper_bound(parts_.begin(), parts_.end(), address,
                         [](uint64_t at, const Part& part) { return at < part.begin; });
    if (after == parts_.begin() || address >= std::prev(after)->end) return strobe::kOutside;
    return static_cast<uint32_t>(std::prev(after) - parts_.begin());
  }

  /// Where a direct branch, jump or call goes in the linked program.
  std::optional<uint64_t> target_of(uint32_t function, const Instruction& instruction) const {
    const uint32_t object = program_.functions()[function].object;
    if (instruction.target_symbol == kNone) return std::nullopt;
    const ObjectFile& file = program_.objects()[object].file;
    const uint32_t callee = program_.callee_of(object, instruction);
    if (instruction.target != kNone &&
        (callee == kNone || file.symbols[instruction.target_symbol].local())) {
      return address(function, instruction.target);
    }
    if (callee != kNone) {
      const ProgramFunction& f = program_.functions()[callee];
      return addresses_.address({f.object, f.function.section, f.function.start});
    }
    const Location place = location_of(file, instruction.target_symbol, instruction.target_addend);
    return addresses_.address({object, place.section, place.offset});
  }

  void connect(uint32_t part);
  void connect_block(uint32_t part, uint32_t block);
  /// From block `from` of a part; to the outside when no block of its function begins at `target`.
  void add_edge(uint32_t part, uint32_t from, FlowKind kind, uint64_t target);
  /// The same for a jump, which may leave the function, and is a tail call then.
  void add_jump(uint32_t part, uint32_t from, FlowKind kind, std::optional<uint64_t> target);
  void add_call(uint32_t part, uint32_t from, std::optional<uint64_t> target, bool tail);

  const Program& program_;
  const AddressTable& addresses_;
  std::vector<Part> parts_;            // by address
  std::vector<uint32_t> function_of_;  // by part
  std::vector<uint32_t> first_block_;  // by part: the number of its first block in its function
  ControlFlow flow_;
};

void Linker::connect(uint32_t part) {
  const std::vector<uint32_t>& block_of = parts_[part].block_of;
  for (uint32_t i = 0; i < block_of.size(); ++i) {
    // An empty block has the number of the one after it, which has the edges.
    const bool is_last = i + 1 == block_of.size() || block_of[i + 1] != block_of[i];
    if (block_of[i] != strobe::kOutside && is_last) connect_block(part, i);
  }
}

void Linker::connect_block(uint32_t part, uint32_t block) {
  const Part& its_part = parts_[part];
  const Instruction& last =
      code_of(its_part.index).instructions()[its_part.graph.blocks()[block].last];
  const uint32_t from = its_part.block_of[block];
  const uint64_t next = its_part.blocks[from].end;
  switch (last.flow) {
    case Flow::kNext:
      add_edge(part, from, FlowKind::kNext, next);
      break;
    case Flow::kBranch:
      add_jump(part, from, FlowKind::kTaken, target_of(its_part.index, last));
      add_edge(part, from, FlowKind::kNotTaken, next);
      break;
    case Flow::kJump:
    case Flow::kTailCall:
    case Flow::kOtherPart:
      add_jump(part, from, FlowKind::kJump, target_of(its_part.index, last));
      break;
    case Flow::kCall:
    case Flow::kIndirectCall:
      add_call(part, from, target_of(its_part.index, last), /*tail=*/false);
      add_edge(part, from, FlowKind::kReturned, next);
      break;
    case Flow::kIndirectJump:
      for (const uint32_t successor : its_part.graph.blocks()[block].successors) {
        const uint32_t to = its_part.block_of[successor];
        if (to != strobe::kOutside) {
          add_edge(part, from, FlowKind::kTable, its_part.blocks[to].first);
        }
      }
      add_jump(part, from, FlowKind::kLeaves, std::nullopt);
      break;
    case Flow::kReturn:
      add_edge(part, from, FlowKind::kReturn, 0);
      break;
    case Flow::kStop:
      add_edge(part, from, FlowKind::kStop, 0);
      break;
  }
}

void Linker::add_edge(uint32_t part, uint32_t from, FlowKind kind, uint64_t target) {
  FlowFunction& function = flow_.functions[function_of_[part]];
  FlowEdge edge{first_block_[part] + from, strobe::kOutside, kind, target};
  const uint32_t there = part_at(target);
  if (there != strobe::kOutside && function_of_[there] == function_of_[part]) {
    const std::vector<FlowBlock>& blocks = parts_[there].blocks;
    const auto block = std::lower_bound(
        blocks.begin(), blocks.end(), target,
        [](const FlowBlock& each, uint64_t address) { return each.first < address; });
    if (block != blocks.end() && block->first == target) {
      edge.to = first_block_[there] + static_cast<uint32_t>(block - blocks.begin());
    }
  }
  if (edge.to == strobe::kOutside && (kind == FlowKind::kNext || kind == FlowKind::kJump)) {
    edge.kind = FlowKind::kLeaves;
  }
  for (auto other = function.edges.rbegin();
       other != function.edges.rend() && other->from == edge.from; ++other) {
    if (other->target == target) return;
  }
  function.edges.push_back(edge);
}

void Linker::add_jump(uint32_t part, uint32_t from, FlowKind kind, std::optional<uint64_t> target) {
  add_edge(part, from, kind, target.value_or(0));
  const uint32_t there = target ? part_at(*target) : strobe::kOutside;
  const bool inside = there != strobe::kOutside && function_of_[there] == function_of_[part];
  if (!inside) add_call(part, from, target, /*tail=*/true);
}

void Linker::add_call(uint32_t part, uint32_t from, std::optional<uint64_t> target, bool tail) {
  FlowCall call{first_block_[part] + from, strobe::kOutside, tail};
  const uint32_t there = target ? part_at(*target) : strobe::kOutside;
  if (there != strobe::kOutside && parts_[there].begin == *target && first_block_[there] == 0) {
    call.callee = function_of_[there];
  }
  flow_.functions[function_of_[part]].calls.push_back(call);
}

}  // namespace

ControlFlow linked_flow(const Program& program, const AddressTable& addresses) {
  return Linker(program, addresses).run();
}

}  // namespace strobe::object
