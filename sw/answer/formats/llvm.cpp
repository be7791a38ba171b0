#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sw/answer/answer_error.h"
#include "sw/answer/formats/format.h"
#include "sw/answer/inline_stacks.h"
#include "sw/profile/flow/llvm_samples.h"

namespace strobe::answer {
namespace {

struct Body;
using Bodies = std::map<std::pair<unsigned, unsigned>, Body>;  // by offset and discriminator

/// A function, or one that was inlined.
struct Samples {
  Bodies bodies;
  uint64_t head = 0;

  uint64_t total() const;
  void add(const Samples& other);
  void write(size_t depth, std::string* text) const;
};

/// What stands in a line of the output.
struct Body {
  uint64_t count = 0;
  std::map<std::string, uint64_t> calls;   // by callee
  std::map<std::string, Samples> inlined;  // by callee
};

uint64_t Samples::total() const {
  uint64_t sum = 0;
  for (const auto& [place, body] : bodies) {
    sum += body.count;
    for (const auto& [callee, samples] : body.inlined) sum += samples.total();
  }
  return sum;
}

void Samples::add(const Samples& other) {
  head += other.head;
  for (const auto& [place, body] : other.bodies) {
    Body& mine = bodies[place];
    mine.count += body.count;
    for (const auto& [callee, count] : body.calls) mine.calls[callee] += count;
    for (const auto& [callee, samples] : body.inlined) mine.inlined[callee].add(samples);
  }
}

void Samples::write(size_t depth, std::string* text) const {
  const std::string indent(depth, ' ');
  const auto place_text = [&](const std::pair<unsigned, unsigned>& place) {
    return indent + std::to_string(place.first) +
           (place.second == 0 ? "" : '.' + std::to_string(place.second)) + ": ";
  };
  for (const auto& [place, body] : bodies) {
    if (body.count == 0) continue;
    *text += place_text(place) + std::to_string(body.count);
    for (const auto& [callee, count] : body.calls) *text += fmt::format(" {}:{}", callee, count);
    *text += '\n';
  }
  for (const auto& [place, body] : bodies) {
    for (const auto& [callee, samples] : body.inlined) {
      *text += fmt::format("{}{}:{}\n", place_text(place), callee, samples.total());
      samples.write(depth + 1, text);
    }
  }
}

/// LLVM keeps sixteen bits of the distance from the function's first line.
unsigned offset_of(const InlineFrame& frame) {
  return static_cast<unsigned>(frame.line - frame.start) & 0xffff;
}

std::string file_with_lines(const Program& program) {
  const std::string& debug = program.elf->debug_path();
  return debug.empty() ? program.path : debug;
}

class Functions {
 public:
  explicit Functions(const RunProfile& run) : run_(run), stacks_(file_with_lines(run.program)) {}

  /// The instruction at `pc` was executed that often, or has that much time.
  void add(uint64_t pc, uint64_t count) {
    const Place place = run_.place(pc);
    InlineStack stack = stack_at(pc, place);
    if (stack.frames.empty()) return;
    Samples& function = functions_[place.start];
    if (pc == place.start) function.head = std::max(function.head, count);
    uint64_t& line = body_of(&function, stack.frames).count;
    line = std::max(line, count * stack.copies);
  }

  /// The call at `pc` went to the function that begins at `target`.
  void call(uint64_t pc, uint64_t target, uint64_t count) {
    const auto callee = functions_.find(target);
    if (callee != functions_.end()) callee->second.head += count;
    const Place place = run_.place(pc);
    const InlineStack stack = stack_at(pc, place);
    if (stack.frames.empty()) return;
    Body& body = body_of(&functions_[place.start], stack.frames);
    body.count = std::max(body.count, count * stack.copies);
    body.calls[name_of(target)] += count;
  }

  /// Whether the profile can say where the instruction is.
  bool knows(uint64_t pc) const { return !stack_at(pc, run_.place(pc)).frames.empty(); }

  std::string text() const {
    std::string text;
    for (const auto& [name, samples] : by_total()) {
      text += fmt::format("{}:{}:{}\n", name, samples.total(), samples.head);
      samples.write(1, &text);
    }
    return text;
  }

 private:
  /// The linker's name, without a suffix such as ".constprop.0".
  std::string name_of(uint64_t pc) const {
    const isa::ElfSymbol* symbol = run_.program.elf->symbol_at(pc);
    const std::string name = symbol != nullptr ? symbol->linker_name : run_.place(pc).function;
    return profile::llvm_name(name.substr(0, name.find('.', 1)));
  }

  /// Code without functions in its debug information is counted from the line of its entry.
  InlineStack stack_at(uint64_t pc, const Place& place) const {
    if (!is_address(pc)) return {};
    InlineStack stack = stacks_.at(pc);
    if (!stack.frames.empty() || place.file.empty()) return stack;
    const Place entry = run_.place(place.start);
    if (place.file == entry.file && place.line >= entry.line) {
      stack.frames = {{place.function, entry.line, place.line}};
    }
    return stack;
  }

  static Body& body_of(Samples* function, const std::vector<InlineFrame>& frames) {
    Samples* samples = function;
    for (size_t i = 0; i + 1 < frames.size(); ++i) {
      Body& call = samples->bodies[{offset_of(frames[i]), frames[i].discriminator}];
      samples = &call.inlined[profile::llvm_name(frames[i + 1].function)];
    }
    return samples->bodies[{offset_of(frames.back()), frames.back().discriminator}];
  }

  /// The parts of a function that the compiler has split or copied are one.
  std::vector<std::pair<std::string, Samples>> by_total() const {
    std::map<std::string, Samples> merged;
    for (const auto& [start, samples] : functions_) merged[name_of(start)].add(samples);
    std::vector<std::pair<std::string, Samples>> order(merged.begin(), merged.end());
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return a.second.total() > b.second.total();
    });
    return order;
  }

  const RunProfile& run_;
  InlineStacks stacks_;
  std::map<uint64_t, Samples> functions_;  // by start
};

/// How often each instruction that the series know was executed: a branch as often as all of its
/// edges, and the target of an edge as often as the edges that lead to it.
std::map<uint64_t, uint64_t> by_instruction(const SeriesList& all) {
  std::map<uint64_t, uint64_t> from, to;
  for (const Series* series : all) {
    for (const auto& [tuple, count] : series->counts.entries()) {
      from[tuple.pc] += count;
      if (series->kind == "edge") to[tuple.value] += count;
    }
  }
  for (const auto& [pc, count] : to) from[pc] = std::max(from[pc], count);
  return from;
}

/// The series of the source of `one` that count events of a kind.
SeriesList of_its_source(const RunProfile& run, const Series& one, const std::string& kind) {
  SeriesList list;
  for (const Series& series : run.series) {
    if (series.source == one.source && series.kind == kind) list.push_back(&series);
  }
  return list;
}

}  // namespace

double llvm_left_out(const RunProfile& run, const SeriesList& series) {
  const profile::Profile& counts = series.front()->counts;
  if (run.program.elf == nullptr || counts.total() == 0) return 0;
  const Functions functions(run);
  uint64_t left_out = 0;
  for (const auto& [tuple, count] : counts.entries()) {
    if (!functions.knows(tuple.pc)) left_out += count;
  }
  return static_cast<double>(left_out) / static_cast<double>(counts.total());
}

std::string write_llvm(const RunProfile& run, const SeriesList& series) {
  const Series& one = *series.front();
  std::string text;
  if (run.program.elf != nullptr) {
    const std::string fault = run.program.elf->debug_fault();
    if (!fault.empty()) {
      throw AnswerError(
          fmt::format("an LLVM profile is by source line, and no line of {} is known: {}",
                      run.program.name, fault));
    }
    Functions functions(run);
    for (const auto& [pc, count] : by_instruction(of_its_source(run, one, one.kind))) {
      if (whole(one, count) != 0) functions.add(pc, whole(one, count));
    }
    for (const Series* calls : of_its_source(run, one, "call_target")) {
      for (const auto& [tuple, count] : calls->counts.entries()) {
        functions.call(tuple.pc, tuple.value, whole(*calls, count));
      }
    }
    text = functions.text();
  }
  if (!text.empty()) return text;
  throw AnswerError(fmt::format(
      "an LLVM profile is by source line, and no line of {} is known: expected {}, got none; "
      "{}",
      run.program.name, run.program.elf == nullptr ? "the program" : "debug lines",
      run.program.elf == nullptr ? "name the file that ran with --program FILE"
                                 : "compile it with -g1 and run it again"));
}

}  // namespace strobe::answer
