#include "sw/answer/annotate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "sw/answer/answer_error.h"
#include "sw/answer/disassembly.h"
#include "sw/answer/ranking.h"
#include "sw/files/regular_file.h"
#include "sw/result/number_text.h"
#include "sw/text/color.h"
#include "sw/text/diagnostic.h"
#include "sw/text/limits.h"
#include "sw/text/shown.h"

namespace strobe::answer {
namespace {

constexpr double kHotInstruction = 0.05, kWarmInstruction = 0.01;  // shares of the program
constexpr size_t kMostTargets = 3;                                 // that a line shows

/// The lines of source files, each read once.
class Sources {
 public:
  /// Empty where the file is not there or shorter.
  std::string line(const std::string& file, int number) {
    const auto [found, is_new] = files_.try_emplace(file);
    Source& source = found->second;
    std::string why;
    if (is_new && files::read_whole(file, text::limits::kSourceBytes, &source.text, &why)) {
      if (!bytes_.take(source.text.size())) {
        throw AnswerError(
            fmt::format("{}: the source files are too large: {}", file, bytes_.excess()));
      }
      source.lines = {0};
      for (size_t at = 0; (at = source.text.find('\n', at)) != std::string::npos;) {
        source.lines.push_back(static_cast<uint32_t>(++at));
      }
    }
    const auto index = static_cast<size_t>(number) - 1;
    if (number <= 0 || index >= source.lines.size()) return "";
    const size_t begin = source.lines[index], end = source.text.find('\n', begin);
    return source.text.substr(begin, end - begin);
  }

 private:
  struct Source {
    std::string text;
    std::vector<uint32_t> lines;  // where each begins
  };

  std::map<std::string, Source> files_;
  text::Budget bytes_{text::limits::kSourceBytes};
};

/// What a series has at one instruction: its values by count.
using AtPc = std::map<uint64_t, std::vector<std::pair<uint64_t, uint64_t>>>;  // {count, value}

AtPc at_pc(const Series* series) {
  AtPc found;
  if (series == nullptr) return found;
  for (const auto& [tuple, count] : series->counts.entries()) {
    found[tuple.pc].emplace_back(count, tuple.value);
  }
  for (auto& [pc, values] : found) {
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
  }
  return found;
}

uint64_t sum_at(const AtPc& series, uint64_t pc) {
  const auto found = series.find(pc);
  uint64_t sum = 0;
  if (found == series.end()) return sum;
  for (const auto& [count, value] : found->second) sum += count;
  return sum;
}

class Page {
 public:
  Page(const RunProfile& run, const Series& main)
      : run_(run), main_(main), counts_(at_pc(&main)), truth_(with_source("truth")) {
    cycles_ = at_pc(truth_);
    targets_ = {at_pc(of_kind("edge")), at_pc(of_kind("call_target"))};
    values_ = at_pc(of_kind("value"));
  }

  void print(const std::string& name, const std::vector<Instruction>& instructions) {
    print_head(name, instructions);
    std::string line;
    for (const Instruction& one : instructions) {
      const Place place = run_.place(one.pc);
      if (!place.file.empty() && place.where() != line) {
        line = place.where();
        text::print(text::Style::kStrong, fmt::format("{}  {}\n", text::one_line(line),
                                                      sources_.line(place.file, place.line)));
      }
      print_instruction(one);
    }
  }

 private:
  const Series* with_source(const std::string& source) const {
    const auto found = std::find_if(run_.series.begin(), run_.series.end(),
                                    [&](const Series& one) { return one.source == source; });
    return found == run_.series.end() ? nullptr : &*found;
  }

  const Series* of_kind(const std::string& kind) const {
    const Series* best = nullptr;
    for (const Series& one : run_.series) {
      if (one.kind != kind) continue;
      if (best == nullptr || (one.source == main_.source && best->source != main_.source)) {
        best = &one;
      }
    }
    return best;
  }

  bool has_truth() const { return truth_ != nullptr && truth_ != &main_; }

  double share(uint64_t count) const {
    const uint64_t all = main_.counts.total();
    return all == 0 ? 0 : static_cast<double>(count) / static_cast<double>(all);
  }

  static std::string amount(const Series& series, uint64_t count) {
    return count == 0 ? ""
                      : result::compact(static_cast<uint64_t>(std::llround(series.amount(count))));
  }

  void print_head(const std::string& name, const std::vector<Instruction>& instructions) const {
    uint64_t sum = 0;
    for (const Instruction& one : instructions) sum += sum_at(counts_, one.pc);
    text::print(text::Style::kStrong,
                fmt::format("{} of {}: {} of the {} by {}\n", text::one_line(name),
                            text::one_line(run_.program.name), result::percent(share(sum)),
                            events_of(main_), main_.source));
    std::string head = fmt::format("{:>9} {:>9}", "share", main_.unit);
    if (has_truth()) head += fmt::format(" {:>9}", "cycles");
    text::print(text::Style::kStrong, head + "\n");
  }

  void print_instruction(const Instruction& one) const {
    const uint64_t count = sum_at(counts_, one.pc);
    std::string line = fmt::format("{:>9} {:>9}", count == 0 ? "" : result::percent(share(count)),
                                   amount(main_, count));
    if (has_truth()) line += fmt::format(" {:>9}", amount(*truth_, sum_at(cycles_, one.pc)));
    line += fmt::format("  {:x}:  {:<32}", one.pc, text::shortened(one.text, kLongestName)) +
            notes(one.pc);
    line.erase(line.find_last_not_of(' ') + 1);
    text::print(share(count) >= kHotInstruction    ? text::Style::kHot
                : share(count) >= kWarmInstruction ? text::Style::kWarm
                                                   : text::Style::kPlain,
                line + "\n");
  }

  std::string notes(uint64_t pc) const {
    std::string text;
    for (const AtPc& kind : targets_) {
      const auto found = kind.find(pc);
      if (found == kind.end()) continue;
      for (size_t i = 0; i < std::min(kMostTargets, found->second.size()); ++i) {
        text += fmt::format("  {} to {}", result::compact(found->second[i].first),
                            text::shortened(run_.symbol(found->second[i].second), kLongestName));
      }
      if (found->second.size() > kMostTargets) text += "  ...";
    }
    const auto value = values_.find(pc);
    if (value == values_.end()) return text;
    const auto [most, what] = value->second.front();
    return text + fmt::format("  {} is {:#x}",
                              result::percent(static_cast<double>(most) /
                                              static_cast<double>(sum_at(values_, pc))),
                              what);
  }

  const RunProfile& run_;
  const Series& main_;
  const AtPc counts_;
  const Series* const truth_;
  AtPc cycles_, values_;
  std::vector<AtPc> targets_;
  Sources sources_;
};

/// The first address after a function.
uint64_t end_of(const isa::ElfFile& elf, const isa::ElfSymbol& function) {
  if (function.size != 0) return function.address + function.size;
  constexpr uint64_t kMost = 1 << 20;
  uint64_t end = function.address;
  while (end - function.address < kMost && elf.symbol_at(end) == &function) end += 2;
  return end;
}

}  // namespace

void print_annotated(const RunProfile& run, const Series& main, const std::string& function) {
  if (run.program.elf == nullptr) {
    throw AnswerError(fmt::format(
        "the instructions of {} are not known: the file with SHA-256 {} is not at {}; name it with "
        "--program FILE",
        run.program.name, run.program.sha256, run.program.looked_in));
  }
  std::string name = function;
  const isa::ElfFile& elf = *run.program.elf;
  if (name.empty()) {
    for (const Row& row : rank(By::kFunction, {{&run, &main}}).rows) {
      const isa::ElfSymbol* symbol = elf.symbol(row.name);
      if (!name.empty() || symbol == nullptr || !symbol->function) continue;
      name = row.name;
    }
  }
  const isa::ElfSymbol* symbol = elf.symbol(name);
  if (symbol == nullptr || !symbol->function) {
    throw AnswerError(fmt::format("no function {} in {}{}; 'strobe top' lists the hot ones",
                                  text::in_quotes(name), run.program.path,
                                  text::did_you_mean(name, elf.function_names())));
  }
  Page(run, main).print(symbol->name,
                        disassemble(run.program.path, symbol->address, end_of(elf, *symbol)));
}

}  // namespace strobe::answer
