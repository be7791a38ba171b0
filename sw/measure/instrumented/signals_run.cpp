#include "sw/measure/instrumented/signals_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sw/instrument/signals/signal_words.h"
#include "sw/profile/reports/export.h"

namespace strobe {
namespace {

uint64_t address_of(const isa::ElfFile& program, const char* word) {
  const isa::ElfSymbol* const symbol = program.symbol(word);
  return symbol == nullptr ? 0 : symbol->address;
}

nlohmann::json number_or_null(const std::optional<uint64_t>& number) {
  return number ? nlohmann::json(*number) : nlohmann::json();
}

}  // namespace

instrument::SignaledProgram signaled_program(const config::RunConfig& configuration) {
  const config::WorkloadConfig& workload = configuration.workload;
  const std::vector<std::string>& signals = configuration.instrument.signals;
  const auto has = [&](const char* name) {
    return std::find(signals.begin(), signals.end(), name) != signals.end();
  };
  instrument::SignalsOptions options;
  options.methods = has("methods");
  options.loops = has("loops");
  options.library = configuration.instrument.objects == config::InstrumentedObjects::kAll;
  return instrument::find_or_signal(instrument::linked_program(workload.elf, workload.objects),
                                    options);
}

SignalWrites::SignalWrites(const isa::ElfFile& program) {
  methods_.address = address_of(program, instrument::kMethodSignal);
  loops_.address = address_of(program, instrument::kLoopSignal);
}

RetireKinds SignalWrites::kinds() const {
  return RetireKinds(class_bit(OpClass::kStore), class_bit(OpClass::kStore));
}

void SignalWrites::record(const RetireRecord& record) {
  if (record.trap != 0 || record.mode != PrivilegeMode::kUser || record.mem_wmask == 0) return;
  for (Word* const word : {&methods_, &loops_}) {
    if (record.mem_addr == word->address) ++word->writes;
  }
}

SignalsRun::SignalsRun(const config::RunConfig& configuration,
                       std::shared_ptr<const isa::ElfFile> original)
    : InstrumentedRun(configuration, std::move(original)),
      signals_(configuration.instrument.signals),
      program_(signaled_program(configuration)) {
  set_edited(program_.elf, program_.map);
  writes_.emplace(*edited());
}

void SignalsRun::add_to(platform::RunHooks* hooks) {
  add_program_to(hooks);
  hooks->listener = &*writes_;
}

nlohmann::json SignalsRun::json(uint64_t /*exhaustive*/) const {
  nlohmann::json out = {{"kind", "signals"}, {"signals", signals_}};
  const instrument::SignalsCounts& counts = program_.counts;
  for (const auto& [name, count] : instrument::kSignalsCountNames) out[name] = counts.*count;
  out["left_alone"] = left_alone_json(program_.left_alone);
  out["code_growth"] =
      static_cast<double>(counts.bytes_after) / static_cast<double>(counts.bytes_before);
  out["method_writes"] = number_or_null(writes_->methods());
  out["loop_writes"] = number_or_null(writes_->loops());
  return out;
}

std::vector<result::NamedText> SignalsRun::files(const profile::ProgramNames& names) const {
  std::string methods = "id,pc,symbol\n", loops = "id,pc,method,symbol\n";
  for (size_t i = 0; i < program_.methods.size(); ++i) {
    const instrument::LinkedMethod& method = program_.methods[i];
    methods += fmt::format("{},{},{}\n", i + 1, profile::hexadecimal(method.pc),
                           profile::csv_field(method.name));
  }
  for (size_t i = 0; i < program_.loops.size(); ++i) {
    const instrument::LinkedLoop& loop = program_.loops[i];
    loops += fmt::format("{},{},{},{}\n", i + 1, profile::hexadecimal(loop.pc), loop.method,
                         profile::csv_field(names.symbol(loop.pc)));
  }
  return {{"instrument.methods.csv", methods}, {"instrument.loops.csv", loops}};
}

}  // namespace strobe
