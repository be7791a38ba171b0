#include "sw/optimize/bolt.h"

#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <map>
#include <memory>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/port/address_map.h"
#include "sw/confine/confined_tool.h"
#include "sw/files/scratch_folder.h"
#include "sw/profile/reports/bolt_profile.h"

namespace strobe::optimize {
namespace {

namespace fs = std::filesystem;
using object::ObjectError;

constexpr const char* kBolt = "llvm-bolt-19";

using OpenElf = std::unique_ptr<Elf, int (*)(Elf*)>;

/// The file must live as long as what it returns, which only reads it.
OpenElf open_elf(const std::vector<uint8_t>& bytes) {
  elf_version(EV_CURRENT);
  auto* const data = reinterpret_cast<char*>(const_cast<uint8_t*>(bytes.data()));
  return {elf_memory(data, bytes.size()), elf_end};
}

/// A section of code, by its address.
using CodeBytes = std::map<uint64_t, std::vector<uint8_t>>;

CodeBytes code_of(const std::vector<uint8_t>& bytes) {
  const OpenElf elf = open_elf(bytes);
  CodeBytes code;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || (header.sh_flags & SHF_EXECINSTR) == 0)
      continue;
    const Elf_Data* const data = elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) continue;
    const auto* const first = static_cast<const uint8_t*>(data->d_buf);
    code[header.sh_addr].assign(first, first + data->d_size);
  }
  return code;
}

}  // namespace

std::vector<uint8_t> lay_out_with_bolt(const instrument::LinkedProgram& program,
                                       const EdgeCounts& profile) {
  const fs::path bolt = confine::find_tool(kBolt);
  if (bolt.empty()) {
    throw ObjectError(fmt::format("{} is in none of {}; install the Debian package bolt-19", kBolt,
                                  confine::tool_path()));
  }
  expect_profile_of(program.elf, profile);
  const files::ScratchFolder folder;
  object::LinkRecord record = program.record;
  record.command.emplace_back("-Wl,--emit-relocs");
  const fs::path linked = folder / "linked.elf", laid_out = folder / "laid-out.elf";
  object::link_inputs(record, linked);
  const std::vector<uint8_t> elf = instrument::content_of(linked);
  if (code_of(elf) != code_of(instrument::content_of(program.elf))) {
    throw ObjectError(fmt::format(
        "{}: its link command gives a program with other code, to which the profile does not "
        "belong; build and profile the program again",
        program.elf.string()));
  }
  const isa::ElfFile symbols = isa::ElfFile::parse(elf, linked.string(), STROBE_USER_TOP);
  const std::string edges = profile::bolt_profile(
      profile.profile.entries(), {}, [&](uint64_t pc) { return symbols.bolt_place(pc); });
  if (edges.empty()) throw ProfileError(no_branch_of(program.elf));
  const fs::path data = folder / "edges.fdata";
  instrument::write_content(data, {edges.begin(), edges.end()});
  const files::ToolResult done = confine::run_confined(
      {bolt,
       {linked.string(), "-o", laid_out.string(), "--data=" + data.string(),
        "--reorder-blocks=ext-tsp", "--reorder-functions=hfsort", "--split-functions"},
       folder.path(),
       {},
       folder.path()});
  if (done.exit_code != 0) {
    throw ObjectError(fmt::format("{}: {} failed (exit code {}); it says:\n{}",
                                  program.elf.string(), kBolt, done.exit_code, done.output));
  }
  return instrument::content_of(laid_out);
}

}  // namespace strobe::optimize
