#include "sw/synth/netlist/activity.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

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
    for (Net& net : nets_) activity.nets.emplace(std::move(net.name), net.activity);
    return activity;
  }

 private:
  struct Net {
    std::string name;
    char value = 'x', sampled = 'x';
    bool changed = false;  // since the last sample
    NetActivity activity = {};
  };

  [[noreturn]] void refuse(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}: {}", file_, what));
  }

  void declarations() {
    std::string word;
    while (vcd_ >> word && word != "$enddefinitions") {
      std::vector<std::string> words;
      for (std::string next; vcd_ >> next && next != "$end";) words.push_back(next);
      if (word == "$scope" && words.size() >= 2) {
        scopes_.push_back(words[1]);
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
    std::string name;
    for (size_t i = depth_; i < scopes_.size(); ++i) name += scopes_[i] + ".";
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
    for (std::string word; vcd_ >> word;) {
      const char first = word.front();
      if (first == '#') {
        end_of_time();
      } else if (first == 'b' || first == 'B') {
        std::string code;
        vcd_ >> code;
        pending_.emplace_back(code, word.substr(1));
      } else if (first == 'r' || first == 'R') {
        vcd_ >> word;
      } else if (first != '$') {
        pending_.emplace_back(word.substr(1), word.substr(0, 1));
      }
    }
    end_of_time();
  }

  void end_of_time() {
    for (const auto& [code, value] : pending_) {
      if (code != clock_id_) continue;
      if (clock_value_ == '0' && value == "1") sample();
      clock_value_ = value.front();
    }
    for (const auto& [code, value] : pending_) apply(code, value);
    pending_.clear();
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
      net.sampled = net.value;
    }
    changed_.clear();
    if (first) return;
    for (Net& net : nets_) net.activity.ones += net.sampled == '1';
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
  bool sampled_ = false;
  uint64_t cycles_ = 0;
};

}  // namespace

Activity read_activity(std::istream& vcd, const std::string& file, const std::string& module,
                       const std::string& clock, const std::set<std::string>& wanted) {
  return Reader(vcd, file, module, clock, wanted).read();
}

}  // namespace strobe::synth
