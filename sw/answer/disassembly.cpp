#include "sw/answer/disassembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "sw/answer/answer_error.h"
#include "sw/confine/confined_tool.h"
#include "sw/text/limits.h"

namespace strobe::answer {
namespace {

namespace fs = std::filesystem;

const std::string kObjdump = "riscv64-linux-gnu-objdump";

}  // namespace

std::vector<Instruction> disassemble(const std::string& elf, uint64_t begin, uint64_t end) {
  const text::Limit& most = text::limits::kCodeBytes;
  if (text::exceeds(most, end - begin)) {
    throw AnswerError(fmt::format("{}: the function at {:#x} is too large: {}", elf, begin,
                                  text::excess(most, end - begin)));
  }
  const fs::path tool = confine::find_tool(kObjdump);
  if (tool.empty()) {
    throw AnswerError(
        fmt::format("{} is in none of {}; install the Debian package binutils-riscv64-linux-gnu",
                    kObjdump, confine::tool_path()));
  }
  const fs::path program = fs::absolute(elf);
  const files::ToolResult result = confine::run_confined(
      {tool,
       {"-d", "--no-show-raw-insn", fmt::format("--start-address={:#x}", begin),
        fmt::format("--stop-address={:#x}", end), program.string()},
       "/",
       {program}});
  if (result.exit_code != 0) {
    throw AnswerError(fmt::format("{} cannot read {}: {}", kObjdump, elf, result.output));
  }
  std::vector<Instruction> instructions;
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(":\t");
    if (line.rfind("   ", 0) != 0 || colon == std::string::npos) continue;
    Instruction one{std::strtoull(line.c_str(), nullptr, 16), line.substr(colon + 2)};
    std::replace(one.text.begin(), one.text.end(), '\t', ' ');
    instructions.push_back(std::move(one));
  }
  return instructions;
}

}  // namespace strobe::answer
