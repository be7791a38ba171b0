#include "sw/plant/plant.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

namespace strobe::plant {
namespace {

constexpr size_t kNone = ~size_t{0};

/// The parts of a line of assembly that matter here.
struct Line {
  std::string_view label;     // "name" in "name:"
  std::string_view mnemonic;  // empty: no instruction
  std::vector<std::string_view> operands;
};

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Line parse(std::string_view text) {
  Line line;
  text = trim(text.substr(0, text.find('#')));
  if (const size_t colon = text.find(':');
      colon != std::string_view::npos && text.find_first_of(" \t\"(") > colon) {
    line.label = text.substr(0, colon);
    text = trim(text.substr(colon + 1));
  }
  if (text.empty() || text.front() == '.') return line;
  const size_t end = std::min(text.find_first_of(" \t"), text.size());
  line.mnemonic = text.substr(0, end);
  for (text = trim(text.substr(end)); !text.empty();) {
    const size_t comma = std::min(text.find(','), text.size());
    line.operands.push_back(trim(text.substr(0, comma)));
    text = comma == text.size() ? std::string_view() : trim(text.substr(comma + 1));
  }
  return line;
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_load(const Line& line) {
  return one_of(line.mnemonic, {"lb", "lbu", "lh", "lhu", "lw", "lwu", "ld", "flw", "fld"}) &&
         line.operands.size() == 2;
}

bool is_store(const Line& line) {
  return one_of(line.mnemonic, {"sb", "sh", "sw", "sd", "fsw", "fsd"});
}

bool is_branch(const Line& line) { return !line.mnemonic.empty() && line.mnemonic.front() == 'b'; }

bool is_call(const Line& line) { return one_of(line.mnemonic, {"call", "jal", "jalr"}); }

bool is_indirect_jump(const Line& line) {
  return one_of(line.mnemonic, {"jalr", "jr"}) && line.operands.size() == 1;
}

/// The base register of an operand "offset(base)"; empty for other operands.
std::string_view base_of(std::string_view operand) {
  const size_t open = operand.rfind('(');
  if (open == std::string_view::npos || operand.back() != ')') return {};
  return operand.substr(open + 1, operand.size() - open - 2);
}

/// The number of the line whose `ld` wrote `reg` last before line `number`, in the same
/// straight-line code: without a label, where other values may arrive, and without a call. kNone if
/// another instruction wrote it.
size_t load_into(const std::vector<Line>& lines, size_t number, std::string_view reg) {
  for (; number > 0 && lines[number].label.empty(); --number) {
    const Line& line = lines[number - 1];
    if (is_call(line)) return kNone;
    if (line.mnemonic.empty() || is_store(line) || is_branch(line) || line.operands.empty() ||
        line.operands[0] != reg) {
      continue;
    }
    return line.mnemonic == "ld" ? number - 1 : kNone;
  }
  return kNone;
}

/// The line that loads the table pointer when line `number` is a virtual call; else kNone.
size_t table_load(const std::vector<Line>& lines, size_t number) {
  if (!is_indirect_jump(lines[number])) return kNone;
  const size_t method = load_into(lines, number, lines[number].operands[0]);
  if (method == kNone) return kNone;
  const size_t table = load_into(lines, method, base_of(lines[method].operands[1]));
  return table != kNone && lines[table].operands[1].substr(0, 2) == "0(" ? table : kNone;
}

bool wanted(const Line& line, Target target) {
  switch (target) {
    case Target::kLoads:
      return is_load(line);
    case Target::kBranches:
      return is_branch(line);
    case Target::kCalls:
      return is_call(line);
    case Target::kVirtualCalls:
      break;
  }
  return false;
}

}  // namespace

Planted plant(const std::string& assembly, const Options& options) {
  if (options.number > 15) {
    throw std::invalid_argument("marker number: expected 0 to 15, got " +
                                std::to_string(options.number));
  }
  std::vector<std::string_view> texts;
  for (size_t at = 0; at < assembly.size();) {
    const size_t end = std::min(assembly.find('\n', at), assembly.size());
    texts.push_back(std::string_view(assembly).substr(at, end - at));
    at = end + 1;
  }
  std::vector<Line> lines;
  for (const std::string_view text : texts) lines.push_back(parse(text));

  Planted planted;
  planted.missing = options.functions;
  std::set<size_t> marked;
  bool inside = options.functions.empty();
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view label = lines[i].label;
    if (!options.functions.empty() && !label.empty() && label.front() != '.') {
      inside = std::find(options.functions.begin(), options.functions.end(), label) !=
               options.functions.end();
      const auto found = std::find(planted.missing.begin(), planted.missing.end(), label);
      if (found != planted.missing.end()) planted.missing.erase(found);
    }
    if (!inside) continue;
    if (options.target == Target::kVirtualCalls) {
      if (const size_t table = table_load(lines, i); table != kNone) marked.insert(table);
    } else if (wanted(lines[i], options.target)) {
      marked.insert(i);
    }
  }

  planted.markers = marked.size();
  const std::string marker = "\tsltiu\tx0,x0," + std::to_string(options.number) + "\n";
  for (size_t i = 0; i < texts.size(); ++i) {
    if (marked.count(i) != 0) {
      // When an instruction shares its line with a label, the marker goes between the two.
      std::string_view rest = texts[i];
      if (!lines[i].label.empty()) {
        const size_t colon = rest.find(':') + 1;
        planted.text.append(rest.substr(0, colon)).push_back('\n');
        rest.remove_prefix(colon);
      }
      planted.text.append(marker).append(rest);
    } else {
      planted.text.append(texts[i]);
    }
    planted.text.push_back('\n');
  }
  return planted;
}

}  // namespace strobe::plant
