// Where the cycles went, and how far samplers of time are from that: the key `truth` of result.json
// and the file truth.csv. docs/truth.md
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sc_models/machine/outcome/truth_outcome.h"
#include "sw/profile/counts/profile.h"
#include "sw/profile/reports/program_names.h"
#include "sw/result/handler_report.h"

namespace strobe::result {

class TruthReport {
 public:
  /// Finds the loops. Keeps references.
  /// @param function_of, names  of the program
  TruthReport(const platform::TruthOutcome& outcome, profile::FunctionOf function_of,
              const profile::ProgramNames& names);

  /// The functions, lines and loops with the most cycles, and the samplers.
  nlohmann::json json() const;
  /// Every instruction, those with the most cycles first.
  NamedText csv() const;
  /// How wrong samples of the program's instructions are about its cycles, without those of machine
  /// mode: error_by_instruction and error_by_function, null without samples.
  nlohmann::json errors_of(const profile::Profile& sampled) const;

  /// The most functions, lines or loops that json() has.
  static constexpr size_t kMostRows = 100;

 private:
  using Rows = std::map<std::string, platform::TimeParts>;  // by name

  /// The program's instructions by what `name_of` calls the one with this place in the outcome;
  /// with rows of their own for machine mode and for what found no room.
  template <class NameOf>
  Rows rows(NameOf name_of) const;
  nlohmann::json rows_json(const Rows& rows) const;
  nlohmann::json samplers_json() const;
  std::string csv_line(const std::string& place, const platform::TimeParts& parts) const;
  std::string function_name(uint64_t pc) const;
  std::string loop_name(size_t instruction) const;

  const platform::TruthOutcome& outcome_;
  const profile::FunctionOf function_of_;
  const profile::ProgramNames& names_;
  const std::vector<uint64_t> loops_;  // by instruction: profile::innermost_loops()
  platform::TimeParts all_;            // the sum of all
};

}  // namespace strobe::result
