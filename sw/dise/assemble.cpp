#include "sw/dise/assemble.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw/dise/link.h"
#include "sw/dise/unit.h"
#include "sw/files/regular_file.h"

namespace strobe::dise {
namespace {

constexpr size_t kLargestSource = 1 << 16;  // bytes

// Several files may declare the same name, if they give it the same register and value.
void add_registers(const std::vector<NamedRegister>& declared, const SourceFile& file, Image& image,
                   Faults& faults) {
  for (const NamedRegister& added : declared) {
    const auto known =
        std::find_if(image.registers.begin(), image.registers.end(),
                     [&](const NamedRegister& have) { return have.name == added.name; });
    if (known == image.registers.end()) {
      image.registers.push_back(added);
    } else if (known->number != added.number || known->value != added.value) {
      faults.add({file.name, 1, 1}, fmt::format("register {} is d{} and starts with {} here, but "
                                                "is d{} and starts with {} in another file",
                                                text::in_quotes(added.name), added.number,
                                                added.value, known->number, known->value));
    }
  }
}

void show_lines(const std::vector<SourceFile>& files, text::Diagnostics& faults) {
  for (text::Diagnostic& fault : faults) {
    for (const SourceFile& file : files) {
      if (file.name != fault.file) continue;
      size_t start = 0;
      for (int line = 1; line < fault.line && start < file.text.size(); ++line) {
        start = std::min(file.text.find('\n', start), file.text.size() - 1) + 1;
      }
      fault.source_line = text::shown_line(file.text, start,
                                           std::min(file.text.find('\n', start), file.text.size()));
      break;
    }
  }
}

}  // namespace

Assembled assemble(const std::vector<SourceFile>& files, const Limits& limits) {
  Faults faults;
  Assembled result;
  for (const SourceFile& file : files) {
    if (file.text.size() <= kLargestSource) continue;
    faults.add({file.name, 0, 0},
               fmt::format("expected a production file of at most {} bytes, got {}", kLargestSource,
                           file.text.size()));
  }
  if (!faults.none()) return {{}, {}, faults.take()};
  std::vector<Unit> units;
  units.reserve(files.size());
  std::vector<Candidate> candidates;
  for (const SourceFile& file : files) {
    units.emplace_back(file, units.size(), limits, faults);
    units.back().compile(candidates);
  }
  result.image = link(std::move(candidates), limits, faults);
  for (size_t i = 0; i < files.size(); ++i) {
    add_registers(units[i].declared(), files[i], result.image, faults);
  }
  result.faults = faults.take();
  show_lines(files, result.faults);
  return result;
}

Assembled assemble_files(const std::vector<std::string>& paths, const Limits& limits) {
  constexpr uint64_t kLargestFile = uint64_t{1} << 24;  // bytes; no sensible file is larger
  std::vector<SourceFile> sources;
  for (const std::string& path : paths) {
    SourceFile file = {path, ""};
    std::string why;
    if (!files::read_whole(path, kLargestFile, &file.text, &why)) {
      Faults faults;
      faults.add({path, 0, 0}, "cannot be read: expected a production file, got: " + why);
      return {{}, {}, faults.take()};
    }
    sources.push_back(std::move(file));
  }
  Assembled result = assemble(sources, limits);
  result.files = std::move(sources);
  return result;
}

}  // namespace strobe::dise
