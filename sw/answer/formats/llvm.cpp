#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sw/answer/answer_error.h"
#include "sw/answer/formats/format.h"
#include "sw/profile/flow/llvm_samples.h"

namespace strobe::answer {
namespace {

constexpr int kMostOffset = 65535;  // LLVM's

struct Function {
  std::string name;  // the linker's, without a suffix such as ".constprop.0"
  Place entry;
  std::map<int, uint64_t> lines;  // by offset
  uint64_t head = 0;
};

class Functions {
 public:
  explicit Functions(const RunProfile& run) : run_(run) {}

  /// The instruction at `pc` was executed that often, or has that much time.
  void add(uint64_t pc, uint64_t count) {
    const Place place = run_.place(pc);
    if (place.file.empty()) return;
    Function& function = at(place.start);
    if (pc == place.start) function.head = std::max(function.head, count);
    // A line from elsewhere is of a function that was inlined here: its own profile has no entry.
    const int offset = place.line - function.entry.line;
    if (place.file != function.entry.file || offset < 0 || offset > kMostOffset) return;
    uint64_t& line = function.lines[offset];
    line = std::max(line, count);
  }

  /// The function that begins at `pc` was called.
  void call(uint64_t pc, uint64_t count) {
    const auto found = functions_.find(pc);
    if (found != functions_.end()) found->second.head += count;
  }

  std::string text() const {
    std::string text;
    for (const Function& function : by_total()) {
      text += fmt::format("{}:{}:{}\n", profile::llvm_name(function.name), total(function),
                          function.head);
      for (const auto& [offset, count] : function.lines) {
        text += fmt::format(" {}: {}\n", offset, count);
      }
    }
    return text;
  }

 private:
  Function& at(uint64_t start) {
    const auto [found, is_new] = functions_.try_emplace(start);
    if (is_new) {
      const isa::ElfSymbol* symbol = run_.program.elf->symbol_at(start);
      found->second.entry = run_.place(start);
      const std::string name =
          symbol != nullptr ? symbol->linker_name : found->second.entry.function;
      found->second.name = name.substr(0, name.find('.', 1));
    }
    return found->second;
  }

  static uint64_t total(const Function& function) {
    uint64_t sum = 0;
    for (const auto& [offset, count] : function.lines) sum += count;
    return sum;
  }

  /// The parts of a function that the compiler has split or copied are one.
  std::vector<Function> by_total() const {
    std::map<std::string, Function> merged;
    for (const auto& [start, function] : functions_) {
      if (function.lines.empty()) continue;
      Function& one = merged[function.name];
      one.name = function.name;
      one.head += function.head;
      for (const auto& [offset, count] : function.lines) one.lines[offset] += count;
    }
    std::vector<Function> order;
    for (auto& [name, function] : merged) order.push_back(std::move(function));
    std::stable_sort(order.begin(), order.end(),
                     [](const Function& a, const Function& b) { return total(a) > total(b); });
    return order;
  }

  const RunProfile& run_;
  std::map<uint64_t, Function> functions_;  // by start
};

/// How often each instruction that the series knows was executed: a branch as often as all of its
/// edges, and the target of an edge as often as the edges that lead to it.
std::map<uint64_t, uint64_t> by_instruction(const Series& series) {
  std::map<uint64_t, uint64_t> from, to;
  for (const auto& [tuple, count] : series.counts.entries()) {
    from[tuple.pc] += count;
    if (series.kind == "edge") to[tuple.value] += count;
  }
  for (const auto& [pc, count] : to) from[pc] = std::max(from[pc], count);
  return from;
}

}  // namespace

std::string write_llvm(const RunProfile& run, const SeriesList& series) {
  const Series& one = *series.front();
  Functions functions(run);
  if (run.program.elf != nullptr) {
    for (const auto& [pc, count] : by_instruction(one)) {
      if (whole(one, count) != 0) functions.add(pc, whole(one, count));
    }
    for (const Series& calls : run.series) {
      if (calls.source != one.source || calls.kind != "call_target") continue;
      for (const auto& [tuple, count] : calls.counts.entries()) {
        functions.call(tuple.value, whole(calls, count));
      }
    }
  }
  const std::string text = functions.text();
  if (!text.empty()) return text;
  throw AnswerError(fmt::format(
      "an LLVM profile is by source line, and no line of {} is known: expected {}, got none; "
      "{}",
      run.program.name, run.program.elf == nullptr ? "the program" : "debug lines",
      run.program.elf == nullptr ? "name the file that ran with --program FILE"
                                 : "compile it with -g1 and run it again"));
}

}  // namespace strobe::answer
