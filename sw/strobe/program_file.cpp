#include "sw/strobe/program_file.h"

#include <fmt/format.h>

#include "sw/text/shown.h"

namespace strobe {

files::Content program_content(const std::string& file, const std::vector<uint8_t>& elf) {
  return {file, {reinterpret_cast<const char*>(elf.data()), elf.size()}, /*executable=*/true};
}

std::string left_alone_lines(const std::vector<object::LeftAlone>& places) {
  std::string lines;
  for (const object::LeftAlone& one : places) {
    lines += fmt::format("left alone    {}: {}\n", text::one_line(one.place),
                         text::one_line(one.reason));
  }
  return lines;
}

}  // namespace strobe
