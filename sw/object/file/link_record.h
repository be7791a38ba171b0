// How a program was linked: the command, and with its help the objects that are in the program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace strobe::object {

/// One argument of the command a line; relative names count from the folder of the file, in which
/// the command is run.
struct LinkRecord {
  std::filesystem::path file;
  std::vector<std::string> command;
  std::string sha256 = {};  // the hash of what the file held

  /// Throws ObjectError when the file cannot be read, is empty, or says what it may not
  /// (link_arguments.h).
  static LinkRecord read(const std::filesystem::path& file);
};

/// A file that the linker took: an object, or a member of an archive.
struct LinkInput {
  std::string name;  // FILE, or ARCHIVE(MEMBER)
  std::vector<uint8_t> bytes;
};

/// Runs the command, confined, with another output and the linker's list of its inputs.
/// @return the inputs, in the linker's order
/// Throws ObjectError with the linker's own words when it fails, and when an archive has no such
/// member.
std::vector<LinkInput> link_inputs(const LinkRecord& record, const std::filesystem::path& output);

/// Links `objects` in this order, and nothing else, with the command's driver and options. Throws
/// as link_inputs().
void link_objects(const LinkRecord& record, const std::vector<std::filesystem::path>& objects,
                  const std::filesystem::path& output);

}  // namespace strobe::object
