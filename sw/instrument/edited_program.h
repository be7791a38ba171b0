// What every kind of instrumentation shares: the objects of a program are edited and linked again,
// and the map of its addresses is made.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "sw/instrument/address_map.h"
#include "sw/object/analysis/program.h"
#include "sw/object/file/address_table.h"
#include "sw/object/file/link_record.h"

namespace strobe::instrument {

/// What the link of a program takes.
struct LinkedProgram {
  std::filesystem::path elf;  // the program itself
  object::LinkRecord record;  // how it was linked
};

/// The program of FILE.elf: its record is `record`, or FILE.link beside it when that is empty.
/// Throws object::ObjectError when there is no record.
LinkedProgram linked_program(const std::filesystem::path& elf, const std::filesystem::path& record);

/// The record, and what it names: objects, archives and folders of libraries.
std::vector<std::filesystem::path> link_files(const LinkedProgram& program);

/// An instruction of the program, and where it is in the edited object: once, or once a copy.
struct PlacedInstruction {
  uint32_t object = 0, section = 0;
  uint32_t original = 0, edited = 0;  // offsets
  uint8_t size = 0;                   // in the original
  bool instrumented = false;          // in the instrumented copy
};

/// Whether a function may be edited: the inserted code needs gp, which the start files set.
/// @param library  else only objects that the link command names are edited
bool is_editable(const object::Program& program, const object::ProgramFunction& function,
                 bool library);

/// What an edit makes of the objects of a program.
struct Edit {
  object::ObjectFile runtime;               // to be linked first
  std::vector<object::ObjectFile> objects;  // in the order of the linker
  std::vector<PlacedInstruction> code;
  /// Symbols whose addresses are wanted, of each object, the runtime first; as many as objects.
  std::vector<std::vector<uint32_t>> symbols;
};

/// An edit as it was linked.
struct LinkedEdit {
  std::vector<uint8_t> elf;
  AddressMap map;
  /// Where the objects are in both programs. The first object of `edited` is the runtime.
  object::AddressTable original, edited;

  /// 0 for a place that the program does not have.
  uint64_t address_in_original(const object::ObjectPlace& place) const;
  /// The address of a symbol in Edit::symbols. @param object  as in the original
  uint64_t address_of_symbol(uint32_t object, uint32_t symbol) const;
};

/// Links the objects of a program as they are. @return where they are in it. Throws
/// object::ObjectError, also when they give another program than `program.elf`.
/// @param folder  to be made, for the files of the link
object::AddressTable link_original(const LinkedProgram& program,
                                   const std::vector<object::LinkInput>& inputs,
                                   const std::filesystem::path& folder);

/// Edits and links. Throws object::ObjectError: what could not be read, edited or linked; also when
/// the objects give another program than `program.elf`.
LinkedEdit link_edit(const LinkedProgram& program,
                     const std::function<Edit(object::Program*)>& edit);

/// The bytes of a file, read and written whole. Both throw object::ObjectError.
std::vector<uint8_t> content_of(const std::filesystem::path& file);
void write_content(const std::filesystem::path& file, const std::vector<uint8_t>& bytes);

}  // namespace strobe::instrument
