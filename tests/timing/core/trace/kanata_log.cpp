#include "tests/timing/core/trace/kanata_log.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace strobe::test {
namespace {

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  std::istringstream text(line);
  for (std::string column; std::getline(text, column, '\t');) columns.push_back(column);
  return columns;
}

class Reader {
 public:
  explicit Reader(const std::string& file) : in_(file) {
    if (!in_) throw std::runtime_error("cannot read " + file);
  }

  KanataLog read() {
    std::string line;
    std::getline(in_, line);
    expect(line == "Kanata\t0004", "the header is Kanata 0004");
    while (std::getline(in_, line)) {
      ++line_;
      command(columns_of(line));
    }
    for (size_t id = 0; id < log_.insns.size(); ++id) {
      expect(ended_.count(id) == 1, "instruction " + std::to_string(id) + " has an R");
    }
    log_.last_cycle = cycle_;
    return log_;
  }

 private:
  void expect(bool good, const std::string& rule) {
    if (!good) log_.violations.push_back("line " + std::to_string(line_) + ": " + rule);
  }

  bool has(const std::vector<std::string>& c, size_t count) {
    expect(c.size() == count, "the command has " + std::to_string(count) + " columns");
    return c.size() == count;
  }

  KanataInsn* alive(const std::string& id) {
    const uint64_t number = std::stoull(id);
    const bool good = number < log_.insns.size() && ended_.count(number) == 0;
    expect(good, "instruction " + id + " was introduced and has not ended");
    return good ? &log_.insns[number] : nullptr;
  }

  void command(const std::vector<std::string>& c) {
    const std::string name = c.empty() ? "" : c[0];
    if (name == "C=") {
      expect(!started_, "C= comes once");
      if (!has(c, 2)) return;
      cycle_ = log_.first_cycle = std::stoull(c[1]);
      started_ = true;
    } else if (name == "C") {
      if (!has(c, 2)) return;
      expect(started_ && std::stoll(c[1]) > 0, "cycles move forward");
      cycle_ += std::stoull(c[1]);
    } else if (name == "I") {
      if (!has(c, 4)) return;
      expect(started_, "C= comes before the first instruction");
      expect(std::stoull(c[1]) == log_.insns.size(), "ids are sequential");
      log_.insns.emplace_back();
    } else if (name == "L") {
      if (!has(c, 4)) return;
      KanataInsn* insn = alive(c[1]);
      expect(c[2] == "0" || c[2] == "1", "a label is of type 0 or 1");
      if (insn != nullptr) (c[2] == "0" ? insn->label : insn->detail) += c[3];
    } else if (name == "S") {
      if (!has(c, 4)) return;
      KanataInsn* insn = alive(c[1]);
      expect(c[2] == "0", "stages are in lane 0");
      static const std::set<std::string> kStages = {"F", "D", "Rn", "Is", "X", "M", "Wb", "Cm"};
      expect(kStages.count(c[3]) == 1, "the stage has a known name, not " + c[3]);
      if (insn == nullptr) return;
      // What was in flight at the start may go on in that very cycle.
      const bool later =
          insn->stages.empty() || insn->stages.back().second < cycle_ || cycle_ == log_.first_cycle;
      expect(later, "a stage takes at least a cycle");
      insn->stages.emplace_back(c[3], cycle_);
    } else if (name == "W") {
      if (!has(c, 4)) return;
      expect(c[3] == "0", "an arrow is of type 0");
      KanataInsn* consumer = alive(c[1]);
      if (consumer != nullptr && alive(c[2]) != nullptr) {
        consumer->producers.push_back(std::stoull(c[2]));
      }
    } else if (name == "R") {
      if (!has(c, 4)) return;
      expect(c[3] == "0" || c[3] == "1", "an end is of type 0 or 1");
      KanataInsn* insn = alive(c[1]);
      if (insn == nullptr) return;
      insn->ended = cycle_;
      insn->flushed = c[3] == "1";
      expect(!insn->stages.empty(), "an instruction has a stage");
      if (!insn->flushed) {
        expect(std::stoull(c[2]) == retired_, "retirements are numbered in order");
        ++retired_;
        expect(insn->stages.back() == std::make_pair(std::string("Cm"), cycle_ - 1),
               "a retired instruction has committed in the cycle before");
      }
      ended_.insert(std::stoull(c[1]));
    } else {
      expect(false, "a command of the format, not '" + name + "'");
    }
  }

  std::ifstream in_;
  KanataLog log_;
  std::set<uint64_t> ended_;
  uint64_t cycle_ = 0, retired_ = 0;
  size_t line_ = 1;
  bool started_ = false;
};

}  // namespace

uint64_t KanataInsn::begin(const std::string& stage) const {
  for (const auto& [name, cycle] : stages) {
    if (name == stage) return cycle;
  }
  return ~uint64_t{0};
}

uint64_t KanataLog::retired(uint64_t from, uint64_t to) const {
  return static_cast<uint64_t>(
      std::count_if(insns.begin(), insns.end(), [&](const KanataInsn& insn) {
        return !insn.flushed && insn.begin("Cm") >= from && insn.begin("Cm") < to;
      }));
}

const KanataInsn& KanataLog::labelled(const std::string& part) const {
  for (const KanataInsn& insn : insns) {
    if (insn.label.find(part) != std::string::npos) return insn;
  }
  throw std::runtime_error("no instruction is labelled " + part);
}

KanataLog read_kanata(const std::string& file) { return Reader(file).read(); }

}  // namespace strobe::test
