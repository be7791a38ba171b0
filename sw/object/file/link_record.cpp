#include "sw/object/file/link_record.h"

#include <ar.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <libelf.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "sw/files/regular_file.h"
#include "sw/files/run_tool.h"
#include "sw/object/file/object_file.h"

namespace strobe::object {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestFile = uint64_t{1} << 30;

std::vector<uint8_t> content_of(const fs::path& file) {
  std::string text, why;
  if (!files::read_whole(file.string(), kLargestFile, &text, &why)) {
    throw ObjectError(
        fmt::format("{}: cannot be read: {}; build the program again", file.string(), why));
  }
  return {text.begin(), text.end()};
}

/// The members of an archive by name; of several of one name, in their order.
class Archive {
 public:
  explicit Archive(const fs::path& file) : file_(file.string()) {
    elf_version(EV_CURRENT);
    descriptor_ = open(file_.c_str(), O_RDONLY | O_CLOEXEC);
    archive_ = descriptor_ < 0 ? nullptr : elf_begin(descriptor_, ELF_C_READ_MMAP, nullptr);
    if (archive_ == nullptr || elf_kind(archive_) != ELF_K_AR) {
      throw ObjectError(file_ + ": not an archive; build it with riscv64-linux-gnu-ar");
    }
    Elf_Cmd command = ELF_C_READ_MMAP;
    while (Elf* const member = elf_begin(descriptor_, command, archive_)) {
      const Elf_Arhdr* const header = elf_getarhdr(member);
      size_t size = 0;
      const char* const raw = elf_rawfile(member, &size);
      if (header != nullptr && header->ar_name != nullptr && raw != nullptr) {
        members_[header->ar_name].emplace_back(raw, raw + size);
      }
      command = elf_next(member);
      elf_end(member);
    }
  }
  ~Archive() {
    elf_end(archive_);
    if (descriptor_ >= 0) close(descriptor_);
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  /// The next member of this name.
  std::vector<uint8_t> take(const std::string& name) {
    const auto found = members_.find(name);
    size_t& next = taken_[name];
    if (found == members_.end() || next >= found->second.size()) {
      throw ObjectError(fmt::format(
          "{}: has no member '{}' that the linker names; do not strip or change it", file_, name));
    }
    const auto& [begin, end] = found->second[next++];
    return {begin, end};
  }

 private:
  std::string file_;
  int descriptor_ = -1;
  Elf* archive_ = nullptr;
  std::map<std::string, std::vector<std::pair<const char*, const char*>>> members_;
  std::map<std::string, size_t> taken_;
};

bool is_archive(const fs::path& file) {
  const std::string magic = ARMAG;
  std::string begin(magic.size(), '\0');
  std::ifstream(file, std::ios::binary)
      .read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == magic;
}

std::string run(const LinkRecord& record, const std::vector<std::string>& command) {
  files::ToolResult result;
  try {
    result = files::run_tool(command, record.file.parent_path().string());
  } catch (const std::exception& error) {
    throw ObjectError(
        fmt::format("{}: the linker '{}' cannot be started: {}; install it with scripts/setup",
                    record.file.string(), command.front(), error.what()));
  }
  if (result.exit_code != 0) {
    throw ObjectError(fmt::format("{}: linking failed (exit code {}); the linker says:\n{}",
                                  record.file.string(), result.exit_code, result.output));
  }
  return result.output;
}

bool is_input(const std::string& argument) { return !argument.empty() && argument[0] != '-'; }

}  // namespace

LinkRecord LinkRecord::read(const fs::path& file) {
  LinkRecord record;
  record.file = fs::absolute(file);
  std::string text, why;
  if (!files::read_whole(file.string(), kLargestFile, &text, &why)) {
    throw ObjectError(
        fmt::format("{}: the link command of the program cannot be read: {}; write it there, one "
                    "argument a line",
                    file.string(), why));
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) record.command.push_back(line);
  }
  if (record.command.empty()) {
    throw ObjectError(fmt::format(
        "{}: expected a link command, one argument a line, got an empty file", file.string()));
  }
  return record;
}

std::vector<LinkInput> link_inputs(const LinkRecord& record, const fs::path& output) {
  std::vector<std::string> command = record.command;
  // Not --no-warnings: with it ld 2.40 ends well without an input that it cannot find.
  for (const char* more : {"-Wl,-t", "-Wl,-t", "-o"}) command.emplace_back(more);
  command.push_back(output.string());
  std::vector<LinkInput> inputs;
  std::map<std::string, std::unique_ptr<Archive>> archives;
  std::istringstream lines(run(record, command));
  for (std::string line; std::getline(lines, line);) {
    LinkInput input;
    if (!line.empty() && line[0] == '(') {
      const size_t end = line.rfind(')');
      const std::string archive = line.substr(1, end - 1), member = line.substr(end + 1);
      auto& opened = archives[archive];
      if (opened == nullptr) {
        opened = std::make_unique<Archive>(record.file.parent_path() / archive);
      }
      input.name = fmt::format("{}({})", archive, member);
      input.bytes = opened->take(member);
    } else {
      const fs::path file = record.file.parent_path() / line;
      std::error_code error;
      if (!fs::is_regular_file(file, error)) continue;  // the linker's other words
      if (is_archive(file)) continue;                   // its members follow
      input.name = line;
      input.bytes = content_of(file);
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

void link_objects(const LinkRecord& record, const std::vector<fs::path>& objects,
                  const fs::path& output) {
  std::vector<std::string> command = {record.command.front()};
  for (size_t i = 1; i < record.command.size(); ++i) {
    const std::string& argument = record.command[i];
    if (argument == "-o" || argument == "-l" || argument == "-L") {
      ++i;
    } else if (!is_input(argument) && argument.rfind("-l", 0) != 0 &&
               argument.rfind("-L", 0) != 0) {
      command.push_back(argument);
    }
  }
  // A file holds the names: there are hundreds.
  const fs::path list = output.string() + ".objects";
  {
    std::ofstream stream(list);
    for (const fs::path& object : objects) stream << object.string() << '\n';
    if (!stream.flush()) throw ObjectError(fmt::format("{}: cannot be written", list.string()));
  }
  command.insert(command.end(), {"-nostdlib", "@" + list.string(), "-o", output.string()});
  run(record, command);
  fs::remove(list);
}

}  // namespace strobe::object
