#include "sw/answer/disassembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "sw/answer/answer_error.h"
#include "sw/files/run_tool.h"

namespace strobe::answer {
namespace {

const std::string kObjdump = "riscv64-linux-gnu-objdump";

}  // namespace

std::vector<Instruction> disassemble(const std::string& elf, uint64_t begin, uint64_t end) {
  files::require_tool(kObjdump, "binutils-riscv64-linux-gnu");
  const files::ToolResult result = files::run_tool({kObjdump, "-d", "--no-show-raw-insn",
                                                    fmt::format("--start-address={:#x}", begin),
                                                    fmt::format("--stop-address={:#x}", end), elf});
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
