#include "sw/optimize/bolt.h"

#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <map>
#include <memory>

#include "sw/files/run_tool.h"
#include "sw/files/scratch_folder.h"

namespace strobe::optimize {
namespace {

namespace fs = std::filesystem;
using object::ObjectError;

constexpr const char* kBolt = "llvm-bolt-19";

struct FunctionSymbol {
  uint64_t address = 0, size = 0;
  std::string name;  // as BOLT calls it
};

using OpenElf = std::unique_ptr<Elf, int (*)(Elf*)>;

/// The file must live as long as what it returns, which only reads it.
OpenElf open_elf(const std::vector<uint8_t>& bytes) {
  elf_version(EV_CURRENT);
  auto* const data = reinterpret_cast<char*>(const_cast<uint8_t*>(bytes.data()));
  return {elf_memory(data, bytes.size()), elf_end};
}

/// The functions, by address.
std::vector<FunctionSymbol> functions_of(const std::vector<uint8_t>& bytes) {
  const OpenElf elf = open_elf(bytes);
  std::vector<FunctionSymbol> functions;
  std::map<std::string, unsigned> locals;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* const symbols = elf_getdata(section, nullptr);
    GElf_Sym symbol;
    for (int i = 0; gelf_getsym(symbols, i, &symbol) != nullptr; ++i) {
      const char* const name = elf_strptr(elf.get(), header.sh_link, symbol.st_name);
      if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF ||
          symbol.st_size == 0 || name == nullptr) {
        continue;
      }
      std::string called = name;
      if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL) called += fmt::format("/{}", ++locals[name]);
      functions.push_back({symbol.st_value, symbol.st_size, std::move(called)});
    }
  }
  if (functions.empty()) {
    throw ObjectError("the linked program has no symbols of functions; link it without -s");
  }
  const auto before = [](const FunctionSymbol& a, const FunctionSymbol& b) {
    return a.address < b.address;
  };
  std::stable_sort(functions.begin(), functions.end(), before);
  return functions;
}

/// `FUNCTION OFFSET`; empty where no function is.
std::string place_of(const std::vector<FunctionSymbol>& functions, uint64_t address) {
  const auto after = std::upper_bound(
      functions.begin(), functions.end(), address,
      [](uint64_t each, const FunctionSymbol& function) { return each < function.address; });
  if (after == functions.begin()) return "";
  const FunctionSymbol& function = *std::prev(after);
  const uint64_t offset = address - function.address;
  return offset < function.size ? fmt::format("{} {:x}", function.name, offset) : "";
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

std::string bolt_profile(const std::vector<uint8_t>& elf, const profile::Profile& edges) {
  const std::vector<FunctionSymbol> functions = functions_of(elf);
  std::string text;
  for (const auto& [tuple, count] : edges.entries()) {
    const std::string from = place_of(functions, tuple.pc), to = place_of(functions, tuple.value);
    if (!from.empty() && !to.empty()) text += fmt::format("1 {} 1 {} 0 {}\n", from, to, count);
  }
  return text;
}

std::vector<uint8_t> lay_out_with_bolt(const instrument::LinkedProgram& program,
                                       const EdgeCounts& profile) {
  files::require_tool(kBolt, "bolt-19");
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
  const std::string edges = bolt_profile(elf, profile.profile);
  if (edges.empty()) throw ProfileError(no_branch_of(program.elf));
  const fs::path data = folder / "edges.fdata";
  instrument::write_content(data, {edges.begin(), edges.end()});
  const files::ToolResult done = files::run_tool(
      {kBolt, linked.string(), "-o", laid_out.string(), "--data=" + data.string(),
       "--reorder-blocks=ext-tsp", "--reorder-functions=hfsort", "--split-functions"});
  if (done.exit_code != 0) {
    throw ObjectError(fmt::format("{}: {} failed (exit code {}); it says:\n{}",
                                  program.elf.string(), kBolt, done.exit_code, done.output));
  }
  return instrument::content_of(laid_out);
}

}  // namespace strobe::optimize
