#include "sw/strobe/program_file.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "sw/files/temporary.h"
#include "sw/text/shown.h"

namespace strobe {

namespace fs = std::filesystem;

void put_in_place(const fs::path& file, const std::string& text, bool executable) {
  const fs::path temporary = files::temporary_of(file);
  std::ofstream stream(temporary, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw std::runtime_error(fmt::format("cannot write {}", file.string()));
  if (executable) {
    fs::permissions(temporary,
                    fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add);
  }
  fs::rename(temporary, file);
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
