// Hostile objects: each step of an edit either throws ObjectError or gives what the headers of
// sw/object promise, and what is written is read again.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "sw/object/analysis/code.h"
#include "sw/object/edit/duplicate.h"
#include "sw/object/file/frames.h"
#include "sw/object/file/object_file.h"

namespace {

void require(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "a promise is broken: %s\n", promise);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace strobe::object;
  try {
    ObjectFile file = ObjectFile::parse(std::vector<uint8_t>(data, data + size), "fuzz");
    std::vector<Function> functions;
    for (uint32_t section = 1; section < file.sections.size(); ++section) {
      if (!file.sections[section].is_code()) continue;
      const Code code(&file, section);
      uint64_t end = 0;
      for (const Instruction& instruction : code.instructions()) {
        require(instruction.offset == end && instruction.size > 0,
                "instructions follow each other");
        end += instruction.size;
        require(!file.describe(section, instruction.offset).empty(), "each place has a name");
      }
      require(end == file.sections[section].bytes.size(), "the instructions cover the section");
      for (const Function& function : code.functions()) {
        require(function.start < function.end && function.end <= end,
                "a function is inside its section");
        require(code.at(function.start) < code.instructions().size(),
                "a function begins at an instruction");
        functions.push_back(function);
      }
    }
    read_handlers(file, read_frames(file));
    const std::vector<Copy> copies = duplicate(&file, functions, ".copy");
    require(copies.size() == functions.size(), "each function has a copy");
    for (const Copy& copy : copies) {
      require(copy.end - copy.start == copy.original.end - copy.original.start,
              "a copy is as long as the original");
      require(copy.end <= file.sections[copy.original.section].bytes.size(),
              "a copy is inside its section");
    }
    const std::vector<uint8_t> written = file.serialize();
    require(ObjectFile::parse(written, "again").serialize() == written,
            "what is written is read again");
  } catch (const ObjectError& error) {
    require(error.what()[0] != '\0', "an error has a message");
  }
  return 0;
}
