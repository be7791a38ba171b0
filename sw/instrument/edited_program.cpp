#include "sw/instrument/edited_program.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <optional>
#include <set>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/port/address_map.h"
#include "sw/files/regular_file.h"
#include "sw/files/scratch_folder.h"
#include "sw/object/file/link_arguments.h"
#include "sw/text/limits.h"

namespace strobe::instrument {
namespace {

namespace fs = std::filesystem;

using object::AddressTable;
using object::ObjectError;
using object::ObjectFile;

/// Links objects that have anchors. @return the program; `addresses` knows it
/// @param object_at  gives an object, once
/// @param symbols  of each object, whose addresses are wanted besides
std::vector<uint8_t> link(const object::LinkRecord& record,
                          const std::function<ObjectFile(size_t)>& object_at,
                          const std::vector<std::vector<uint32_t>>& symbols, const fs::path& folder,
                          AddressTable* addresses) {
  fs::create_directory(folder);
  std::vector<fs::path> names;
  for (uint32_t i = 0; i < symbols.size(); ++i) {
    ObjectFile object = object_at(i);
    addresses->add_anchors(i, &object, symbols[i]);
    names.push_back(folder / fmt::format("{}.o", i));
    write_content(names.back(), object.serialize());
  }
  const fs::path output = folder / "program.elf";
  object::link_objects(record, names, output);
  std::vector<uint8_t> elf = content_of(output);
  addresses->read(elf, record.file.string());
  return elf;
}

/// What is loaded of a program, but for its headers and notes, which name the build.
std::vector<std::vector<uint8_t>> loaded(std::vector<uint8_t> elf, const std::string& name) {
  const auto* const header = reinterpret_cast<const Elf64_Ehdr*>(elf.data());
  const isa::ElfFile file = isa::ElfFile::parse(elf, name, STROBE_USER_TOP);
  std::vector<Elf64_Phdr> segments(header->e_phnum);
  std::copy_n(elf.begin() + static_cast<std::ptrdiff_t>(header->e_phoff),
              segments.size() * sizeof(Elf64_Phdr), reinterpret_cast<uint8_t*>(segments.data()));
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_NOTE || segment.p_offset > elf.size() ||
        segment.p_filesz > elf.size() - segment.p_offset) {
      continue;
    }
    std::fill_n(elf.begin() + static_cast<std::ptrdiff_t>(segment.p_offset), segment.p_filesz, 0);
  }
  std::fill_n(elf.begin(), sizeof(Elf64_Ehdr), 0);
  std::vector<std::vector<uint8_t>> result;
  for (const isa::ElfSegment& segment : file.segments()) {
    const auto begin = elf.begin() + static_cast<std::ptrdiff_t>(segment.file_offset);
    result.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(segment.file_size));
  }
  return result;
}

/// @param edited  whose first object is the runtime
AddressMap map_of(const std::vector<PlacedInstruction>& all, const AddressTable& original,
                  const AddressTable& edited) {
  std::vector<CodeRange> code;
  for (const PlacedInstruction& placed : all) {
    const auto there = original.address({placed.object, placed.section, placed.original});
    const auto begin = edited.address({placed.object + 1, placed.section, placed.edited});
    const auto end =
        edited.address({placed.object + 1, placed.section, uint64_t{placed.edited} + placed.size});
    if (there && begin && end) code.push_back({*begin, *there, *end - *begin, placed.instrumented});
  }
  std::vector<DataRange> data;
  for (const auto& [place, size] : original.data()) {
    const auto there = original.address(place);
    const auto here = edited.address({place.object + 1, place.section, place.offset});
    if (there && here) data.push_back({*here, *there, size});
  }
  return {std::move(code), std::move(data)};
}

/// The inserted code reaches its data from gp.
void expect_gp(const object::Program& objects, const LinkedProgram& program) {
  for (const object::ProgramObject& object : objects.objects()) {
    for (const object::Symbol& symbol : object.file.symbols) {
      if (symbol.name == "__global_pointer$") return;
    }
  }
  throw ObjectError(
      fmt::format("{}: none of its objects sets gp (to __global_pointer$), from which the inserted "
                  "code reaches "
                  "its counters; link it with the C library's start files",
                  program.elf.string()));
}

}  // namespace

std::vector<uint8_t> content_of(const fs::path& file) {
  std::string text, why;
  if (!files::read_whole(file.string(), text::limits::kElfBytes, &text, &why)) {
    throw ObjectError(fmt::format("{}: cannot be read: {}", file.string(), why));
  }
  return {text.begin(), text.end()};
}

void write_content(const fs::path& file, const std::vector<uint8_t>& bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  if (!stream.flush()) throw ObjectError(fmt::format("{}: cannot be written", file.string()));
}

LinkedProgram linked_program(const fs::path& elf, const fs::path& record) {
  const fs::path beside = fs::path(elf).replace_extension(".link");
  const fs::path file = record.empty() ? beside : record;
  if (!fs::exists(file)) {
    throw ObjectError(fmt::format(
        "{}: its link command is needed, to edit its objects: expected it in {}, one argument a "
        "line (docs/object-editing.md), or the key workload.objects",
        elf.string(), file.string()));
  }
  return {elf, object::LinkRecord::read(file)};
}

std::vector<fs::path> link_files(const LinkedProgram& program) {
  const object::LinkRecord& record = program.record;
  std::vector<fs::path> files = object::files_of(
      object::checked_command(record.command, record.file), record.file.parent_path());
  files.push_back(record.file);
  return files;
}

bool is_editable(const object::Program& program, const object::ProgramFunction& function,
                 bool library) {
  static const std::set<std::string> kBeforeGp = {"_start", "load_gp", "_dl_relocate_static_pie"};
  const std::string& file = program.objects()[function.object].file.name;
  const std::string base = file.substr(file.rfind('/') + 1);
  if (kBeforeGp.count(function.name) != 0) return false;
  return library || (file.find('(') == std::string::npos && base.rfind("crt", 0) != 0);
}

uint64_t LinkedEdit::address_in_original(const object::ObjectPlace& place) const {
  return original.address(place).value_or(0);
}

uint64_t LinkedEdit::address_of_symbol(uint32_t object, uint32_t symbol) const {
  return edited.address({object + 1, object::kCommon, symbol}).value_or(0);
}

AddressTable link_original(const LinkedProgram& program,
                           const std::vector<object::LinkInput>& inputs, const fs::path& folder) {
  AddressTable addresses;
  const auto object_at = [&](size_t i) {
    ObjectFile object = ObjectFile::parse(inputs[i].bytes, inputs[i].name);
    object.drop_debug_sections();
    return object;
  };
  const std::vector<std::vector<uint32_t>> none(inputs.size());
  const std::vector<uint8_t> elf = link(program.record, object_at, none, folder, &addresses);
  const std::string name = program.elf.string();
  if (loaded(elf, name) != loaded(content_of(program.elf), name)) {
    throw ObjectError(fmt::format(
        "{}: the command in {} links another program; build the program again with that command",
        name, program.record.file.string()));
  }
  return addresses;
}

LinkedEdit link_edit(const LinkedProgram& program,
                     const std::function<Edit(object::Program*)>& edit) {
  const files::ScratchFolder folder;
  std::vector<object::LinkInput> inputs =
      object::link_inputs(program.record, folder / "inputs.elf");
  // The original is linked beside the edit, to learn where its instructions are.
  std::future<AddressTable> original = std::async(std::launch::async, [&program, &folder, inputs] {
    return link_original(program, inputs, folder / "original");
  });
  object::Program objects(std::move(inputs));
  expect_gp(objects, program);
  Edit edited = edit(&objects);
  const auto object_at = [&](size_t i) {
    return std::move(i == 0 ? edited.runtime : edited.objects[i - 1]);
  };
  LinkedEdit result;
  result.elf = link(program.record, object_at, edited.symbols, folder / "edited", &result.edited);
  result.original = original.get();
  result.map = map_of(edited.code, result.original, result.edited);
  return result;
}

}  // namespace strobe::instrument
