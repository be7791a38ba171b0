// Where an instruction is in the source, with the functions that were inlined there: by libdw.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace strobe::answer {

struct InlineFrame {
  std::string function;  // the linker's name, as in the debug information
  int start = 0;         // the line of the function's declaration
  int line = 0;          // where the instruction is or, in a caller, the inlined call
  /// LLVM's base discriminator, which tells blocks of one line apart; 0 in code of other compilers.
  unsigned discriminator = 0;
};

struct InlineStack {
  std::vector<InlineFrame> frames;  // the outermost first; empty: there is no debug information
  /// How often LLVM has copied the instruction, as by unrolling; its count stands for one copy.
  unsigned copies = 1;
};

class InlineStacks {
 public:
  /// A file that cannot be read, or has no debug information, has no stacks.
  explicit InlineStacks(const std::string& elf);
  ~InlineStacks();

  InlineStack at(uint64_t pc) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The first component of a discriminator as LLVM packs three of them (llvm/IR/
/// DebugInfoMetadata.h), and the second, the number of copies.
unsigned base_discriminator(unsigned packed);
unsigned copies_of(unsigned packed);

}  // namespace strobe::answer
