#include "sw/instrument/instrumented_program.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/port/address_map.h"
#include "sw/files/cache.h"
#include "sw/files/regular_file.h"
#include "sw/files/scratch_folder.h"
#include "sw/files/sealed.h"
#include "sw/files/sha256.h"
#include "sw/files/temporary.h"

namespace strobe::instrument {
namespace {

namespace fs = std::filesystem;

using object::AddressTable;
using object::ObjectError;
using object::ObjectFile;

constexpr uint64_t kLargestFile = uint64_t{1} << 30;

std::vector<uint8_t> content_of(const fs::path& file) {
  std::string text, why;
  if (!files::read_whole(file.string(), kLargestFile, &text, &why)) {
    throw ObjectError(fmt::format("{}: cannot be read: {}", file.string(), why));
  }
  return {text.begin(), text.end()};
}

void put(const fs::path& file, const std::vector<uint8_t>& bytes) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  if (!stream.flush()) throw ObjectError(fmt::format("{}: cannot be written", file.string()));
}

/// Links objects that have anchors. @return the program; `addresses` knows it
/// @param symbols  of each object, whose addresses are wanted besides
std::vector<uint8_t> link(const object::LinkRecord& record, std::vector<ObjectFile> objects,
                          const std::vector<std::vector<uint32_t>>& symbols, const fs::path& folder,
                          AddressTable* addresses) {
  fs::create_directory(folder);
  std::vector<fs::path> names;
  for (uint32_t i = 0; i < objects.size(); ++i) {
    addresses->add_anchors(i, &objects[i], symbols.at(i));
    names.push_back(folder / fmt::format("{}.o", i));
    put(names.back(), objects[i].serialize());
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

uint64_t address_or_0(const AddressTable& table, const object::ObjectPlace& place) {
  return table.address(place).value_or(0);
}

/// @param edited  whose first object is the runtime
AddressMap map_of(const Bursty& bursty, const AddressTable& original, const AddressTable& edited) {
  std::vector<CodeRange> code;
  for (const PlacedInstruction& placed : bursty.code) {
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

std::vector<LinkedSite> linked(const std::vector<Site>& sites, const AddressTable& original,
                               const AddressTable& edited) {
  std::vector<LinkedSite> result;
  for (const Site& site : sites) {
    LinkedSite at;
    at.kind = site.kind;
    at.pc = address_or_0(original, site.instruction);
    if (site.target) at.target = address_or_0(original, *site.target);
    if (site.after_call != object::kNone) {
      at.after_call =
          address_or_0(edited, {site.instruction.object + 1, object::kCommon, site.after_call});
    }
    result.push_back(at);
  }
  if (!result.empty()) result.front() = LinkedSite();
  return result;
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

std::string key_of(const LinkedProgram& program, const fs::path& fold,
                   const BurstyOptions& options) {
  std::string text = files::sha256_of_file(program.elf.string()) + "\n" +
                     files::sha256_of_file(fold.string()) + "\n" +
                     files::sha256_of_file("/proc/self/exe") + "\n";
  for (const std::string& argument : program.record.command) text += argument + "\n";
  text += fmt::format("{} {} {} {} {}", static_cast<int>(options.entries), options.boring,
                      options.library, options.buffer_records, options.trace_records);
  for (const EventKind kind : options.events) text += fmt::format(" {}", static_cast<int>(kind));
  return files::sha256_of_text(text);
}

}  // namespace

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

InstrumentedProgram instrument_program(const LinkedProgram& program, const fs::path& fold,
                                       const BurstyOptions& options) {
  const files::ScratchFolder folder;
  std::vector<object::LinkInput> inputs =
      object::link_inputs(program.record, folder / "inputs.elf");
  // The original is linked beside the edit, to learn where its instructions are.
  AddressTable original;
  std::future<std::vector<uint8_t>> reference =
      std::async(std::launch::async, [&program, &original, &folder, inputs] {
        std::vector<ObjectFile> objects;
        for (const object::LinkInput& input : inputs) {
          objects.push_back(ObjectFile::parse(input.bytes, input.name));
        }
        const std::vector<std::vector<uint32_t>> none(objects.size());
        return link(program.record, std::move(objects), none, folder / "original", &original);
      });
  object::Program objects(std::move(inputs));
  expect_gp(objects, program);
  Bursty bursty = make_bursty(&objects, content_of(fold), options);
  std::vector<ObjectFile> all;
  all.push_back(std::move(bursty.runtime));
  std::move(bursty.objects.begin(), bursty.objects.end(), std::back_inserter(all));
  std::vector<std::vector<uint32_t>> calls(all.size());
  for (const Site& site : bursty.sites) {
    if (site.after_call != object::kNone) {
      calls[site.instruction.object + 1].push_back(site.after_call);
    }
  }
  AddressTable edited;
  InstrumentedProgram result;
  result.elf = link(program.record, std::move(all), calls, folder / "edited", &edited);
  const std::string name = program.elf.string();
  if (loaded(reference.get(), name) != loaded(content_of(program.elf), name)) {
    throw ObjectError(fmt::format(
        "{}: the command in {} links another program; build the program again with that command",
        name, program.record.file.string()));
  }
  result.map = map_of(bursty, original, edited);
  result.sites = linked(bursty.sites, original, edited);
  result.counts = bursty.counts;
  result.left_alone = std::move(bursty.left_alone);
  return result;
}

InstrumentedProgram find_or_instrument(const LinkedProgram& program, const fs::path& fold,
                                       const BurstyOptions& options) {
  const fs::path folder = files::cache_folder("instrumented", "instrumented programs");
  const std::string key = key_of(program, fold, options);
  const fs::path elf = folder / (key + ".elf"), document = folder / (key + ".json");
  files::make_own_folder(folder);
  const files::FileLock lock(folder / (key + ".lock"));
  if (!files::is_whole(document) || !files::is_whole(elf)) {
    files::sweep_leftovers(folder);
    const InstrumentedProgram made = instrument_program(program, fold, options);
    const std::string text = to_json(made).dump();
    for (const auto& [target, bytes] :
         {std::pair(elf, made.elf), {document, std::vector<uint8_t>(text.begin(), text.end())}}) {
      const fs::path temporary = files::temporary_of(target);
      put(temporary, bytes);
      files::place_sealed(temporary, target);
    }
    return made;
  }
  const std::vector<uint8_t> text = content_of(document);
  InstrumentedProgram found = from_json(nlohmann::json::parse(text));
  found.elf = content_of(elf);
  return found;
}

nlohmann::json to_json(const InstrumentedProgram& program) {
  nlohmann::json document;
  nlohmann::json &sites = document["sites"], &code = document["code"], &data = document["data"],
                 &left = document["left_alone"];
  sites = code = data = left = nlohmann::json::array();
  for (const LinkedSite& site : program.sites) {
    sites.push_back({static_cast<int>(site.kind), site.pc, site.target, site.after_call});
  }
  for (const CodeRange& range : program.map.code()) {
    code.push_back({range.edited, range.original, range.bytes, range.instrumented});
  }
  for (const DataRange& range : program.map.data()) {
    data.push_back({range.edited, range.original, range.bytes});
  }
  for (const object::LeftAlone& one : program.left_alone) left.push_back({one.place, one.reason});
  for (const auto& [name, count] : kCountNames) document["counts"][name] = program.counts.*count;
  return document;
}

InstrumentedProgram from_json(const nlohmann::json& document) {
  try {
    InstrumentedProgram program;
    for (const nlohmann::json& site : document.at("sites")) {
      program.sites.push_back(
          {static_cast<EventKind>(site.at(0).get<int>()), site.at(1), site.at(2), site.at(3)});
    }
    std::vector<CodeRange> code;
    for (const nlohmann::json& range : document.at("code")) {
      code.push_back({range.at(0), range.at(1), range.at(2), range.at(3)});
    }
    std::vector<DataRange> data;
    for (const nlohmann::json& range : document.at("data")) {
      data.push_back({range.at(0), range.at(1), range.at(2)});
    }
    program.map = AddressMap(std::move(code), std::move(data));
    for (const nlohmann::json& one : document.at("left_alone")) {
      program.left_alone.push_back({one.at(0), one.at(1)});
    }
    for (const auto& [name, count] : kCountNames) {
      document.at("counts").at(name).get_to(program.counts.*count);
    }
    return program;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("the map of an instrumented program: {}", error.what()));
  }
}

}  // namespace strobe::instrument
