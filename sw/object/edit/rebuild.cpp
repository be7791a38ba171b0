#include "sw/object/edit/rebuild.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "sw/object/edit/editor.h"
#include "sw/object/edit/encode.h"
#include "sw/object/file/relocation_kinds.h"

namespace strobe::object {
namespace {

constexpr uint16_t kShortJump = 0xa001;  // c.j

constexpr bool is_long(uint32_t word) { return (word & 3) == 3; }

/// Makes the code of one new body.
class BodyWriter {
 public:
  BodyWriter(ObjectFile* file, const Code& code, const NewBody& body)
      : file_(file), code_(code), body_(body) {
    for (size_t i = 0; i < body.labels.size(); ++i) {
      labels_.push_back(file->add_label(code.section(), 0));
    }
  }

  Snippet write() {
    for (uint32_t i = 0; i < body_.instructions.size(); ++i) {
      starts_.push_back(snippet_.size());
      add(body_.instructions[i]);
    }
    starts_.push_back(snippet_.size());
    for (size_t i = 0; i < labels_.size(); ++i) {
      snippet_.labels.emplace_back(labels_[i], starts_[body_.labels[i]]);
    }
    for (const auto& [auipc, label] : of_instruction_)
      snippet_.labels.emplace_back(label, starts_[auipc]);
    return std::move(snippet_);
  }

  /// Whether a place is inside the old body, after its first instruction's beginning.
  bool had(const Location& place) const {
    return place.section == code_.section() && place.offset > body_.function.start &&
           place.offset < body_.function.end;
  }

  /// What referred to a place inside the old body refers to the label of its block. A pointer keeps
  /// the tag in its lowest bit.
  void retarget(Relocation* relocation, uint64_t place) const {
    const auto next = body_.references.upper_bound(static_cast<uint32_t>(place));
    if (next == body_.references.begin()) return;
    relocation->symbol = labels_[std::prev(next)->second];
    relocation->addend = place % 2 != 0 ? 1 : 0;
  }

  /// Once, before write().
  NewFrame frame(const std::vector<Frame>& frames) {
    NewFrame frame;
    frame.frame = *std::find_if(frames.begin(), frames.end(), [&](const Frame& one) {
      return one.code == Location{code_.section(), body_.function.start};
    });
    frame.initial = body_.initial_row;
    frame.start = body_.function.symbols.front();
    for (const auto& [index, row] : body_.rows) {
      frame.rows.emplace_back(index == 0 ? frame.start : label_at(index), row);
    }
    return frame;
  }

 private:
  uint32_t label_at(uint32_t index) {
    const auto [known, is_new] = of_instruction_.try_emplace(index, 0);
    if (is_new) known->second = file_->add_label(code_.section(), 0);
    return known->second;
  }

  void add(const NewInstruction& instruction) {
    if (instruction.from == kNone) {
      add_short_jump(labels_[instruction.target]);
      return;
    }
    const Instruction& original = code_.instructions()[instruction.from];
    const uint32_t at = snippet_.size();
    snippet_.starts.push_back(at);
    const std::vector<uint8_t>& bytes = file_->sections[code_.section()].bytes;
    if (instruction.word != 0) {
      const unsigned size = is_long(instruction.word) ? 4 : 2;
      snippet_.bytes.resize(at + size);
      std::memcpy(snippet_.bytes.data() + at, &instruction.word, size);
    } else {
      snippet_.bytes.insert(snippet_.bytes.end(), bytes.begin() + original.offset,
                            bytes.begin() + original.offset + original.size);
    }
    const std::vector<Relocation>& all = file_->sections[code_.section()].relocations;
    auto found =
        std::lower_bound(all.begin(), all.end(), original.offset,
                         [](const Relocation& r, uint64_t offset) { return r.offset < offset; });
    for (; found != all.end() && found->offset < original.offset + original.size; ++found) {
      snippet_.relocations.push_back(relocation_of(*found, instruction, original, at));
    }
  }

  Relocation relocation_of(Relocation relocation, const NewInstruction& instruction,
                           const Instruction& original, uint32_t at) {
    relocation.offset += at;
    relocation.offset -= original.offset;
    if (is_long(instruction.word) && relocation.type == R_RISCV_RVC_BRANCH) {
      relocation.type = R_RISCV_BRANCH;
    }
    if (instruction.target != kNone && (is_branch(relocation.type) || is_jump(relocation.type))) {
      relocation.symbol = labels_[instruction.target];
      relocation.addend = 0;
    }
    if (instruction.auipc != kNone && is_low_half(relocation.type)) {
      relocation.symbol = label_at(instruction.auipc);
    }
    return relocation;
  }

  void add_short_jump(uint32_t symbol) {
    const uint32_t at = snippet_.size();
    snippet_.starts.push_back(at);
    snippet_.relocations.push_back({at, R_RISCV_RVC_JUMP, symbol, 0});
    snippet_.bytes.push_back(kShortJump & 0xff);
    snippet_.bytes.push_back(kShortJump >> 8);
  }

  ObjectFile* file_;
  const Code& code_;
  const NewBody& body_;
  Snippet snippet_;
  std::vector<uint32_t> labels_, starts_;
  std::map<uint32_t, uint32_t> of_instruction_;  // labels of instructions of the body, by index
};

using Writers = std::map<uint32_t, const BodyWriter*>;  // by the starts of their functions

/// The writer of the body that had a place; nullptr if none had it.
const BodyWriter* writer_of(const Writers& writers, const Location& place) {
  if (place.offset > UINT32_MAX) return nullptr;
  const auto next = writers.upper_bound(static_cast<uint32_t>(place.offset));
  if (next == writers.begin() || !std::prev(next)->second->had(place)) return nullptr;
  return std::prev(next)->second;
}

/// What an exception table of the bodies says as a number, because nothing between two places could
/// be relaxed, it says by relocations.
void relate_handlers(ObjectFile* file, const Writers& writers, const std::vector<Frame>& frames) {
  for (const Handlers& table : read_handlers(*file, frames)) {
    Section& section = file->sections[table.begin.section];
    for (const FixedField& field : table.fixed) {
      if (writer_of(writers, {table.code_section, field.from}) == nullptr &&
          writer_of(writers, {table.code_section, field.to}) == nullptr) {
        continue;
      }
      relate_field(&section, field, file->add_label(table.code_section, field.from),
                   file->add_label(table.code_section, field.to));
    }
    sort_relocations(&section);
  }
}

/// What refers to the old bodies refers to the new ones.
void retarget(ObjectFile* file, const Writers& writers) {
  for (Section& section : file->sections) {
    if ((section.flags & SHF_ALLOC) == 0 || section.name == ".eh_frame") continue;
    for (Relocation& relocation : section.relocations) {
      if (relocation.symbol == 0 || is_low_half(relocation.type)) continue;
      const Location place = location_of(*file, relocation.symbol, relocation.addend);
      const BodyWriter* const writer = writer_of(writers, place);
      if (writer != nullptr) writer->retarget(&relocation, place.offset);
    }
  }
}

}  // namespace

void rebuild(ObjectFile* file, const Code& code, const std::vector<NewBody>& bodies) {
  std::vector<BodyWriter> writers;
  writers.reserve(bodies.size());
  for (const NewBody& body : bodies) writers.emplace_back(file, code, body);
  // As they are now: another section of the file may have been rebuilt before.
  const std::vector<Frame> known = read_frames(*file);
  std::vector<NewFrame> frames;
  for (size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].has_frame) frames.push_back(writers[i].frame(known));
  }
  rewrite_frames(file, frames);
  Writers by_start;
  for (size_t i = 0; i < bodies.size(); ++i) by_start[bodies[i].function.start] = &writers[i];
  relate_handlers(file, by_start, known);
  retarget(file, by_start);
  Editor editor(file, code);
  for (size_t i = 0; i < bodies.size(); ++i) {
    const Function& function = bodies[i].function;
    const Snippet snippet = writers[i].write();
    for (size_t j = code.at(function.start);
         j < code.instructions().size() && code.instructions()[j].offset < function.end; ++j) {
      const uint32_t offset = code.instructions()[j].offset;
      editor.replace(offset, offset == function.start ? snippet : Snippet());
    }
  }
  editor.apply();
}

}  // namespace strobe::object
