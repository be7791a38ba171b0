#include "sw/object/file/link_record.h"

#include <ar.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <libelf.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "sw/confine/confined_tool.h"
#include "sw/files/regular_file.h"
#include "sw/files/sha256.h"
#include "sw/object/file/link_arguments.h"
#include "sw/object/file/object_file.h"
#include "sw/text/limits.h"

namespace strobe::object {
namespace {

namespace fs = std::filesystem;
using Use = LinkArgument::Use;

std::vector<uint8_t> content_of(const fs::path& file) {
  std::string text, why;
  if (!files::read_whole(file.string(), text::limits::kObjectBytes, &text, &why)) {
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
    text::Budget budget(text::limits::kArchiveMembers);
    while (Elf* const member = elf_begin(descriptor_, command, archive_)) {
      const Elf_Arhdr* const header = elf_getarhdr(member);
      size_t size = 0;
      const char* const raw = elf_rawfile(member, &size);
      if (header != nullptr && header->ar_name != nullptr && raw != nullptr) {
        members_[header->ar_name].emplace_back(raw, raw + size);
      }
      command = elf_next(member);
      elf_end(member);
      if (!budget.take()) throw ObjectError(file_ + ": too large: " + budget.excess());
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

/// Requires that the linker takes the file as code, not as commands or as names of other files.
void expect_linkable(const fs::path& file, const fs::path& record) {
  std::string why = files::why_unreadable(file.string());
  std::string begin(sizeof(Elf64_Ehdr), '\0');
  if (why.empty()) {
    std::ifstream(file, std::ios::binary)
        .read(begin.data(), static_cast<std::streamsize>(begin.size()));
    Elf64_Ehdr header;
    std::memcpy(&header, begin.data(), sizeof header);
    if (begin.rfind(ARMAG, 0) == 0) return;
    const bool elf = begin.rfind(ELFMAG, 0) == 0;
    if (elf && header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == EM_RISCV) return;
    why = begin.rfind("!<thin>\n", 0) == 0 ? "it is a thin archive, which names other files"
          : elf                            ? "it is an ELF file of another machine"
                : "it is neither an ELF file nor an archive: a linker takes it for a linker script";
  }
  throw ObjectError(fmt::format(
      "{}: expected an object of RISC-V or an archive of such, which {} names: {}; build the "
      "program again",
      file.string(), record.string(), why));
}

/// The libraries that a folder of the record would give, and the files that the record names.
void expect_linkable(const LinkRecord& record, const LinkCommand& command,
                     const std::vector<fs::path>& files) {
  std::vector<std::string> libraries;
  for (const LinkArgument& argument : command.arguments) {
    std::string name = argument.words.back();
    if (argument.use != Use::kLibrary) continue;
    if (argument.words.front().rfind("-l", 0) != 0) continue;
    libraries.push_back(argument.words.size() > 1 ? name : name.substr(2));
  }
  for (const fs::path& file : files) {
    std::error_code error;
    if (!fs::is_directory(file, error)) {
      expect_linkable(file, record.file);
      continue;
    }
    for (const std::string& library : libraries) {
      for (const char* ending : {".a", ".so"}) {
        const fs::path candidate = file / fmt::format("lib{}{}", library, ending);
        if (fs::exists(candidate, error)) expect_linkable(candidate, record.file);
      }
    }
  }
}

/// Archive and member of a line of the linker's list, which GNU ld writes "(ARCHIVE)MEMBER", and
/// LLVM's linker "ARCHIVE(MEMBER)". Both are empty for another line.
std::pair<std::string, std::string> member_of(const std::string& line) {
  const size_t open = line.rfind('('), close = line.rfind(')');
  if (close == std::string::npos || open == std::string::npos) return {};
  if (line[0] == '(') return {line.substr(1, close - 1), line.substr(close + 1)};
  if (close + 1 != line.size() || close < open) return {};
  return {line.substr(0, open), line.substr(open + 1, close - open - 1)};
}

/// The words of the arguments for which `wanted` holds, as the driver takes them.
template <class Wanted>
std::vector<std::string> words_of(const LinkCommand& command, Wanted wanted) {
  std::vector<std::string> words;
  for (const LinkArgument& argument : command.arguments) {
    if (!wanted(argument.use)) continue;
    for (const std::string& word : argument.words) {
      if (argument.linker && !command.is_linker) words.emplace_back("-Xlinker");
      words.push_back(word);
    }
  }
  return words;
}

void add_linker_option(const LinkCommand& command, const std::string& option,
                       std::vector<std::string>* arguments) {
  if (!command.is_linker) arguments->emplace_back("-Xlinker");
  arguments->push_back(option);
}

/// Runs the record's driver, without a compilation, a plugin or other libraries at the link.
std::string run(const LinkRecord& record, const LinkCommand& command,
                std::vector<std::string> arguments, std::vector<fs::path> reads,
                const fs::path& output) {
  if (!command.is_linker) arguments.emplace_back("-fno-lto");
  if (command.is_gcc) arguments.emplace_back("-fno-use-linker-plugin");
  if (command.is_lld) add_linker_option(command, "--no-dependent-libraries", &arguments);
  arguments.insert(arguments.end(), {"-o", output.string()});
  files::ToolResult result;
  try {
    result = confine::run_confined({command.driver, std::move(arguments), record.file.parent_path(),
                                    std::move(reads), output.parent_path()});
  } catch (const std::exception& error) {
    throw ObjectError(fmt::format("{}: the linker '{}' cannot link: {}", record.file.string(),
                                  command.driver.string(), error.what()));
  }
  if (result.exit_code != 0) {
    throw ObjectError(fmt::format("{}: linking failed (exit code {}); the linker says:\n{}",
                                  record.file.string(), result.exit_code, result.output));
  }
  return result.output;
}

}  // namespace

LinkRecord LinkRecord::read(const fs::path& file) {
  LinkRecord record;
  record.file = fs::absolute(file);
  std::string text, why;
  if (!files::read_whole(file.string(), text::limits::kLinkBytes, &text, &why)) {
    throw ObjectError(
        fmt::format("{}: the link command of the program cannot be read: {}; write it there, one "
                    "argument a line",
                    file.string(), why));
  }
  record.sha256 = files::sha256_of_text(text);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) record.command.push_back(line);
  if (record.command.empty()) {
    throw ObjectError(fmt::format(
        "{}: expected a link command, one argument a line, got an empty file", file.string()));
  }
  checked_command(record.command, record.file);
  return record;
}

std::vector<LinkInput> link_inputs(const LinkRecord& record, const fs::path& output) {
  const LinkCommand command = checked_command(record.command, record.file);
  const fs::path folder = record.file.parent_path();
  std::vector<fs::path> files = files_of(command, folder);
  expect_linkable(record, command, files);
  std::vector<std::string> arguments =
      words_of(command, [](Use use) { return use != Use::kOutput; });
  // Not --no-warnings: with it ld 2.40 ends well without an input that it cannot find.
  for (int i = 0; i < 2; ++i) add_linker_option(command, "-t", &arguments);
  std::vector<LinkInput> inputs;
  std::map<std::string, std::unique_ptr<Archive>> archives;
  std::istringstream lines(run(record, command, std::move(arguments), std::move(files), output));
  for (std::string line; std::getline(lines, line);) {
    LinkInput input;
    const auto [archive, member] = member_of(line);
    std::error_code error;
    if (!member.empty() && fs::is_regular_file(folder / archive, error)) {
      auto& opened = archives[archive];
      if (opened == nullptr) {
        opened = std::make_unique<Archive>(folder / archive);
      }
      input.name = fmt::format("{}({})", archive, member);
      input.bytes = opened->take(member);
    } else {
      const fs::path file = folder / line;
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
  const LinkCommand command = checked_command(record.command, record.file);
  std::vector<std::string> arguments =
      words_of(command, [](Use use) { return use == Use::kOption; });
  // A file holds the names: there are hundreds.
  const fs::path list = output.string() + ".objects";
  {
    std::ofstream stream(list);
    for (const fs::path& object : objects) stream << object.string() << '\n';
    if (!stream.flush()) throw ObjectError(fmt::format("{}: cannot be written", list.string()));
  }
  arguments.insert(arguments.end(), {"-nostdlib", "@" + list.string()});
  run(record, command, std::move(arguments), objects, output);
  fs::remove(list);
}

}  // namespace strobe::object
