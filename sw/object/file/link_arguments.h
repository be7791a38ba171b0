// What a link record may say: the program that links, and the forms of its arguments. A record is
// data that may come from anyone, so everything that makes a linker run, load or write something
// else is refused.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace strobe::object {

/// One argument with the word that belongs to it, such as "-u" and "main".
struct LinkArgument {
  enum class Use : uint8_t { kOption, kInput, kLibrary, kOutput };
  Use use = Use::kOption;
  bool linker = false;  // after -Wl, or -Xlinker: the compiler driver hands it on
  std::vector<std::string> words;
};

/// A link record that holds nothing but what it may.
struct LinkCommand {
  std::filesystem::path driver;  // in one of confine::kToolFolders
  bool is_linker = false;        // it takes a linker's options as they are
  bool is_gcc = false;           // it would start a linker with a plugin
  bool is_lld = false;           // it would search libraries that an object names
  std::vector<LinkArgument> arguments;
};

/// Throws ObjectError with the line of the record that may not be there.
/// @param words  the lines of the record: the name of the driver, and its arguments
/// @param file   the record, for messages; relative names count from its folder
LinkCommand checked_command(const std::vector<std::string>& words,
                            const std::filesystem::path& file);

/// The objects and archives that the command names, and the folders in which it searches libraries.
std::vector<std::filesystem::path> files_of(const LinkCommand& command,
                                            const std::filesystem::path& folder);

}  // namespace strobe::object
