// The file to which the symbols and the lines of a program were moved, as objcopy and
// distributions do; where it is and how it is known for the right one is gdb's manual, "Debugging
// Information in Separate Files".
#pragma once

#include <libelf.h>

#include <cstdint>
#include <string>
#include <vector>

namespace strobe::isa {

/// The debug information that a program names, as far as it was found. No member throws: a program
/// runs without it.
class DebugFile {
 public:
  DebugFile() = default;
  /// Looks for the file with the program's build ID below ROOT/.build-id, then for the name and the
  /// CRC of .gnu_debuglink beside the program, in .debug there, and in ROOT with the program's
  /// folder. A program with lines of its own has none. A file beyond the limits of
  /// sw/text/limits.h is left alone, and the fault says so.
  DebugFile(Elf* program, const std::string& path, const std::string& root);
  ~DebugFile();
  DebugFile(DebugFile&&) noexcept;
  DebugFile& operator=(DebugFile&&) noexcept;

  Elf* elf() const { return elf_; }  // null: none was found
  const std::string& path() const { return path_; }
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  /// Why lines are not known, though the program says where they are: one sentence, or empty.
  const std::string& fault() const { return fault_; }
  /// Does without the file, which has more than a reader takes; `excess` says of what.
  void leave(const std::string& excess);

 private:
  bool open(const std::string& path);
  void close();
  bool find_by_id(const std::string& id, const std::string& root);
  void find_by_link(const std::string& name, uint32_t crc, const std::string& program,
                    const std::string& root);

  std::vector<uint8_t> bytes_;  // libelf reads them in place
  Elf* elf_ = nullptr;
  std::string path_, fault_;
};

/// The linker's build ID in hexadecimal; empty when the file has none.
std::string build_id_of(Elf* elf);

/// Why libdw cannot read the debug information of a file, which has some: "compressed with zstd";
/// empty when it can.
std::string unreadable_debug(Elf* elf);

}  // namespace strobe::isa
