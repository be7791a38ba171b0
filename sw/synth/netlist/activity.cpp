#include "sw/synth/netlist/activity.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sw/text/limits.h"

namespace strobe::synth {
namespace {

class Reader {
 public:
  Reader(std::istream& vcd, std::string file, std::string module, std::string clock,
         const std::set<std::string>& wanted)
      : vcd_(vcd),
        file_(std::move(file)),
        module_(std::move(module)),
        clock_(std::move(clock)),
        wanted_(wanted) {}

  Activity read() {
    declarations();
    require_nets();
    changes();
    if (cycles_ == 0)
      refuse(fmt::format("expected at least two rising edges of {} in {}", clock_, module_));
    Activity activity;
    activity.cycles = cycles_;
    for (Net& net : nets_) {
      count_ones(&net, cycles_);
      activity.nets.emplace(std::move(net.name), net.activity);
    }
    return activity;
  }

 private:
  struct Net {
    std::string name;
    char value = 'x', sampled = 'x';
    bool changed = false;  // since the last sample
    uint64_t counted = 0;  // the cycles that `activity` has counted
    NetActivity activity = {};
  };

  [[noreturn]] void refuse(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}: {}", file_, what));
  }
  /// More than a limit, at the word that was read last.
  [[noreturn]] void refuse_excess(const std::string& what, const std::string& excess) const {
    refuse(fmt::format("word {}: {}: {}", words_, what, excess));
  }

  /// Reads the next word. @return whether there is one
  bool next(std::string* word) {
    const text::Limit& most = text::limits::kVcdWord;
    vcd_.width(static_cast<std::streamsize>(most.most + 1));
    if (!(vcd_ >> *word)) return false;
    ++words_;
    if (text::exceeds(most, word->size())) {
      refuse_excess("a word is too long",
                    text::excess(most, fmt::format("at least {}", word->size())));
    }
    return true;
  }

  void take(text::Budget* budget, uint64_t count, const char* what) const {
    if (!budget->take(count)) refuse_excess(what, budget->excess());
  }

  void declarations() {
    std::string word;
    while (next(&word) && word != "$enddefinitions") {
      constexpr size_t kMostWords = 5;  // that a declaration needs
      std::vector<std::string> words;
      for (std::string one; next(&one) && one != "$end";) {
        if (words.size() < kMostWords) words.push_back(one);
      }
      if (word == "$scope" && words.size() >= 2) {
        scopes_.push_back(words[1]);
        const text::Limit& most = text::limits::kVcdScopes;
        if (text::exceeds(most, scopes_.size())) {
          refuse_excess("scopes are nested too deeply", text::excess(most, scopes_.size()));
        }
      } else if (word == "$upscope" && !scopes_.empty()) {
        scopes_.pop_back();
        if (scopes_.size() < depth_) inside_ = false, done_ = true;
      } else if (word == "$var" && words.size() >= 4 && inside_) {
        variable(words);
      }
      if (!inside_ && !done_ && !scopes_.empty() && scopes_.back() == module_) {
        inside_ = true;
        depth_ = scopes_.size();
      }
    }
    if (word != "$enddefinitions") refuse("not a VCD: there is no $enddefinitions");
    if (depth_ == 0) refuse(fmt::format("no scope is called {}", module_));
    if (clock_id_.empty()) refuse(fmt::format("{} has no {}", module_, clock_));
  }

  // The words are type, width, code, name and perhaps the vector's range.
  void variable(const std::vector<std::string>& words) {
    const int width = std::atoi(words[1].c_str());
    take(&bits_, static_cast<uint64_t>(std::max(width, 1)), "the variables have too many bits");
    std::string name;
    for (size_t i = depth_; i < scopes_.size(); ++i) name += scopes_[i] + ".";
    take(&names_, name.size() * static_cast<uint64_t>(std::max(width, 1)),
         "the names of the nets are too long");
    name += words[3].front() == '\\' ? words[3].substr(1) : words[3];
    if (name == clock_) clock_id_ = words[2];
    int low = 0;
    if (words.size() > 4) {
      const size_t colon = words[4].find(':');
      if (colon == std::string::npos) name += words[4];
      if (colon != std::string::npos) low = std::atoi(words[4].c_str() + colon + 1);
    }
    std::vector<int> bits;
    for (int bit = width - 1; bit >= 0; --bit) {
      const std::string net = width == 1 ? name : fmt::format("{}[{}]", name, low + bit);
      bits.push_back(-1);
      if (wanted_.count(net) == 0 || !known_.insert(net).second) continue;
      bits.back() = static_cast<int>(nets_.size());
      nets_.push_back({net});
    }
    auto& all = nets_of_[words[2]];
    if (all.size() < bits.size()) all.resize(bits.size());
    for (size_t i = 0; i < bits.size(); ++i) {
      if (bits[i] >= 0) all[i].push_back(static_cast<size_t>(bits[i]));
    }
  }

  void require_nets() const {
    for (const std::string& net : wanted_) {
      if (known_.count(net) == 0)
        refuse(
            fmt::format("net {} of the netlist is not in it; record the netlist that strobe synth "
                        "--netlists writes",
                        net));
    }
  }

  // The changes at a time are kept until that time ends, because a rising edge samples the values
  // from before it.
  void changes() {
    for (std::string word; next(&word);) {
      const char first = word.front();
      if (first == '#') {
        end_of_time();
      } else if (first == 'b' || first == 'B') {
        std::string code;
        next(&code);
        change(code, word.substr(1));
      } else if (first == 'r' || first == 'R') {
        next(&word);
      } else if (first != '$') {
        change(word.substr(1), word.substr(0, 1));
      }
    }
    end_of_time();
  }

  void change(const std::string& code, const std::string& value) {
    if (nets_of_.count(code) == 0 && code != clock_id_) return;
    pending_bytes_ += kChange + value.size();
    const text::Limit& most = text::limits::kVcdChanges;
    if (text::exceeds(most, pending_bytes_)) {
      refuse_excess("too many changes at one time",
                    text::excess(most, fmt::format("at least {}", pending_bytes_)));
    }
    pending_.emplace_back(code, value);
  }

  void end_of_time() {
    for (const auto& [code, value] : pending_) {
      if (code != clock_id_) continue;
      if (clock_value_ == '0' && value == "1") sample();
      clock_value_ = value.front();
    }
    for (const auto& [code, value] : pending_) apply(code, value);
    pending_.clear();
    pending_bytes_ = 0;
  }

  void apply(const std::string& code, const std::string& value) {
    const auto found = nets_of_.find(code);
    if (found == nets_of_.end()) return;
    const auto& bits = found->second;
    for (size_t i = 0; i < bits.size(); ++i) {
      // A vector may be written without its leading zeros.
      const size_t missing = bits.size() - std::min(bits.size(), value.size());
      const char bit =
          i < missing ? (value.front() == '1' ? '0' : value.front()) : value[i - missing];
      for (const size_t net : bits[i]) set(net, bit);
    }
  }

  void set(size_t index, char value) {
    Net& net = nets_[index];
    net.value = value;
    if (!net.changed) changed_.push_back(index);
    net.changed = true;
  }

  void sample() {
    const bool first = !sampled_;
    sampled_ = true;
    if (!first) ++cycles_;
    for (const size_t index : changed_) {
      Net& net = nets_[index];
      net.changed = false;
      const bool toggles =
          (net.sampled == '0' && net.value == '1') || (net.sampled == '1' && net.value == '0');
      if (toggles && !first) ++net.activity.toggles;
      count_ones(&net, first ? cycles_ : cycles_ - 1);
      net.sampled = net.value;
    }
    changed_.clear();
  }

  /// Counts the cycles up to `end` for which a net has had its value.
  static void count_ones(Net* net, uint64_t end) {
    if (net->sampled == '1') net->activity.ones += end - net->counted;
    net->counted = end;
  }

  std::istream& vcd_;
  std::string file_, module_, clock_;
  const std::set<std::string>& wanted_;
  std::vector<std::string> scopes_;
  size_t depth_ = 0;  // the number of scopes down to the module's own
  bool inside_ = false, done_ = false;
  std::string clock_id_;
  char clock_value_ = 'x';
  std::set<std::string> known_;
  std::vector<Net> nets_;
  /// By code, then by bit.
  std::unordered_map<std::string, std::vector<std::vector<size_t>>> nets_of_;
  std::vector<std::pair<std::string, std::string>> pending_;  // code and value
  std::vector<size_t> changed_;
  uint64_t pending_bytes_ = 0;
  bool sampled_ = false;
  uint64_t cycles_ = 0;
  uint64_t words_ = 0;  // that have been read
  text::Budget bits_{text::limits::kVcdBits}, names_{text::limits::kVcdNames};

  static constexpr uint64_t kChange = 64;  // bytes that a change takes besides its value
};

}  // namespace

Activity read_activity(std::istream& vcd, const std::string& file, const std::string& module,
                       const std::string& clock, const std::set<std::string>& wanted) {
  return Reader(vcd, file, module, clock, wanted).read();
}

}  // namespace strobe::synth
