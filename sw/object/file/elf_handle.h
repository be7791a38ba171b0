// libelf's handle of a file, closed with its owner.
#pragma once

#include <libelf.h>

#include <memory>

namespace strobe::object {

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

}  // namespace strobe::object
