// What an observer costs: figures 7, 11, 12 and 13, and the changes of hardware that the paper asks
// for.
#include <fmt/format.h>

#include "sw/reproduce/shim/shim_limits.h"
#include "sw/reproduce/shim/shim_means.h"

namespace strobe::reproduce::shim {
namespace {

constexpr const char* kPrograms = "the programs, their memory and the core differ from the paper's";
const std::vector<std::string> kInstructions = {"instructions"};

Setting methods(const char* name, bool smt, uint64_t period) {
  Setting setting{name, smt};
  setting.methods = true;
  setting.period = period;
  return setting;
}

Setting counting(const char* name, bool smt, std::vector<std::string> counters, uint64_t period) {
  Setting setting{name, smt, std::move(counters)};
  setting.period = period;
  setting.remote = !smt;
  return setting;
}

std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result;
  for (size_t i = 0; i < a.size(); ++i) result.push_back(a[i] - b[i]);
  return result;
}

/// How much longer the periods of a setting are than those that `than` gives, as fractions of them.
template <class Than>
std::vector<double> longer_by(const std::vector<Program>& programs, const Than& than,
                              size_t setting) {
  std::vector<double> values;
  for (const Program& program : programs) {
    values.push_back(program.by[setting].period() / than(program) - 1);
  }
  return values;
}

Reproduction overheads_of(const char* name, const char* title, const std::vector<Setting>& settings,
                          const std::vector<Program>& programs) {
  Reproduction result;
  result.name = name;
  result.title = title;
  result.figures = {overhead_figure(name, settings, programs)};
  result.tables = {overhead_table(settings, programs)};
  for (const auto& tables : {effect_tables, programs_tables}) {
    for (Table& table : tables(settings, programs)) result.tables.push_back(std::move(table));
  }
  return result;
}

}  // namespace

const std::vector<Setting>& signals_settings() {
  static const std::vector<Setting> kSettings = {methods("cmp", false, 0),
                                                 methods("cmp, 1213", false, 1213),
                                                 methods("cmp, 184K", false, 184'000),
                                                 methods("smt", true, 0),
                                                 methods("smt, 1500", true, 1500),
                                                 methods("smt, 184K", true, 184'000)};
  return kSettings;
}

Reproduction signals(const std::vector<Program>& programs) {
  Reproduction result = overheads_of("shim-fig7", "Figure 7: observing the running method",
                                     signals_settings(), programs);
  const auto overhead = [&](size_t setting) { return overheads(programs, setting); };
  result.claims = {
      about("on another core, at a period of about 30 cycles, the overhead is near 100 % (the "
            "caption says 300 cycles)",
            overhead(0), 1.0, kHidden),
      small("on another core, at 1213 cycles, it is 2 %", overhead(1), kFactor * 0.02, kPrograms),
      about("on the same core, at about 15 cycles, it is 61 %", overhead(3), 0.61, kPrograms),
      about("on the same core, at 184 K cycles, it is 26 %", overhead(5), 0.26,
            "an observer that sleeps in WFI leaves its half of the core alone"),
      claim_by_interval(
          "on the same core it stays high at about 1500 cycles: at least half of that "
          "of the highest rate, difference to it",
          [&] {
            std::vector<double> values;
            for (const Program& program : programs) {
              values.push_back(program.by[4].overhead() - kHalf * program.by[3].overhead());
            }
            return values;
          }(),
          0, kUnbounded, "an observer that sleeps in WFI leaves the core alone"),
      claim_by_interval("at the highest rate, the same core is the cheaper place: overhead of the "
                        "other core less that of the same",
                        differences(overhead(0), overhead(3)), kAny, kUnbounded, kHidden)};
  return result;
}

const std::vector<Setting>& rates_settings() {
  static const std::vector<Setting> kSettings = {
      counting("as fast as it goes", true, kInstructions, 0),
      counting("1900", true, kInstructions, 1900), counting("185K", true, kInstructions, 185'000)};
  return kSettings;
}

Reproduction rates(const std::vector<Program>& programs) {
  Reproduction result =
      overheads_of("shim-fig11", "Figure 11: observing instructions per cycle on the same core",
                   rates_settings(), programs);
  const auto overhead = [&](size_t setting) { return overheads(programs, setting); };
  result.claims = {about("at about 400 cycles the overhead is 47 %", overhead(0), 0.47, kPrograms),
                   about("at about 1900 cycles it is 47 % as well", overhead(1), 0.47,
                         "an observer that sleeps in WFI leaves the core alone"),
                   small("at 185 K cycles it is 6.3 % (the caption: 19 %)", overhead(2),
                         kFactor * 0.063, kPrograms)};
  return result;
}

const std::vector<Setting>& correlation_settings() {
  static const std::vector<Setting> kSettings = [] {
    std::vector<Setting> settings = {
        counting("methods, IPC", true, kInstructions, 0),
        counting("methods, IPC, misses", true, {"instructions", "l1d_misses"}, 0)};
    for (Setting& setting : settings) setting.methods = true;
    return settings;
  }();
  return kSettings;
}

Reproduction correlation(const std::vector<Program>& programs) {
  Reproduction result =
      overheads_of("shim-fig12", "Figure 12: methods with IPC, and with data cache misses besides",
                   correlation_settings(), programs);
  result.claims = {
      about("another counter makes the sample longer, by 47 %: 729 cycles, not 495",
            longer_by(
                programs, [](const Program& program) { return program.by[0].period(); }, 1),
            729. / 495 - 1, kPrograms),
      claim_by_interval("the slower observer costs less: difference of the overheads",
                        differences(overheads(programs, 0), overheads(programs, 1)), kAny,
                        kUnbounded, "reading a counter stalls the observer, not the program")};
  return result;
}

const std::vector<Setting>& remote_settings() {
  static const std::vector<Setting> kSettings = {counting(
      "three counters", false, {"instructions", "l1d_misses", "branch_mispredictions"}, 0)};
  return kSettings;
}

Reproduction remote(const std::vector<Program>& programs) {
  Reproduction result =
      overheads_of("shim-fig13", "Figure 13: three counters, read from another core",
                   remote_settings(), programs);
  result.claims = {
      small("counters that another core can read cost the program essentially nothing",
            overheads(programs, 0), kNothing, kPrograms),
      claim_by_interval("as fast as it goes, the period is about 300 cycles: difference to that",
                        longer_by(
                            programs, [](const Program&) { return 300.; }, 0),
                        -kOfOverhead, kOfOverhead, kPrograms)};
  return result;
}

const std::vector<Setting>& changes_settings() {
  static const std::vector<Setting> kSettings = [] {
    std::vector<Setting> settings;
    const auto add = [&](const char* name, bool smt, uint64_t period) -> Setting& {
      return settings.emplace_back(methods(name, smt, period));
    };
    add("cmp", false, 0);
    add("cmp, ntl", false, 0).non_temporal = true;
    add("cmp, small core", false, 0).small_core = true;
    Setting& both = add("cmp, ntl, small core", false, 0);
    both.non_temporal = both.small_core = true;
    Setting& all = add("cmp, ntl, small core, remote counters", false, 0);
    all.non_temporal = all.small_core = all.remote = true;
    all.counters = kInstructions;
    add("smt", true, 0);
    add("smt, low priority", true, 0).low_priority = true;
    return settings;
  }();
  return kSettings;
}

Reproduction changes(const std::vector<Program>& programs) {
  Reproduction result = overheads_of("shim-changes",
                                     "The changes of hardware that the paper asks for, alone and "
                                     "together",
                                     changes_settings(), programs);
  const auto overhead = [&](size_t setting) { return overheads(programs, setting); };
  result.claims = {
      claim_by_interval(
          "a no-caching read would reduce the cost substantially (section 6.1): at "
          "least by half, half of the overhead less the rest",
          [&] {
            std::vector<double> values;
            for (const Program& program : programs) {
              values.push_back(kHalf * program.by[0].overhead() - program.by[1].overhead());
            }
            return values;
          }(),
          0, kUnbounded, kHidden),
      claim_by_interval("a thread of low priority would cost less: difference of the overheads",
                        differences(overhead(5), overhead(6)), kAny, kUnbounded, kPrograms),
      claim_by_interval("(our own question) together they make the observer free: at most 1 %",
                        overhead(4), -kUnbounded, kNothing, kPrograms)};
  return result;
}

}  // namespace strobe::reproduce::shim
