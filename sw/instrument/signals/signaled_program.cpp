#include "sw/instrument/signals/signaled_program.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sw/instrument/kept_program.h"

namespace strobe::instrument {

SignaledProgram make_signaled_program(const LinkedProgram& program, const SignalsOptions& options) {
  SignaledProgram result;
  Signals signals;
  LinkedEdit edit = link_edit(program, [&](object::Program* objects) {
    signals = make_signals(objects, options);
    return std::move(signals.edit);
  });
  for (const SignalMethod& method : signals.methods) {
    result.methods.push_back({edit.address_in_original(method.entry), method.name});
  }
  for (const SignalLoop& loop : signals.loops) {
    result.loops.push_back({edit.address_in_original(loop.header), loop.method});
  }
  result.elf = std::move(edit.elf);
  result.map = std::move(edit.map);
  result.counts = signals.counts;
  result.left_alone = std::move(signals.left_alone);
  return result;
}

SignaledProgram find_or_signal(const LinkedProgram& program, const SignalsOptions& options) {
  const std::string text =
      fmt::format("signals {} {} {}", options.methods, options.loops, options.library);
  KeptProgram kept = find_or_make(program, /*runtime=*/"", text, [&] {
    SignaledProgram made = make_signaled_program(program, options);
    return KeptProgram{std::move(made.elf), to_json(made)};
  });
  SignaledProgram found = signaled_program_from_json(kept.document);
  found.elf = std::move(kept.elf);
  return found;
}

nlohmann::json to_json(const SignaledProgram& program) {
  nlohmann::json document;
  nlohmann::json &methods = document["methods"], &loops = document["loops"];
  methods = loops = nlohmann::json::array();
  for (const LinkedMethod& method : program.methods) methods.push_back({method.pc, method.name});
  for (const LinkedLoop& loop : program.loops) loops.push_back({loop.pc, loop.method});
  put_map(program.map, program.left_alone, &document);
  for (const auto& [name, count] : kSignalsCountNames) {
    document["counts"][name] = program.counts.*count;
  }
  return document;
}

SignaledProgram signaled_program_from_json(const nlohmann::json& document) {
  try {
    SignaledProgram program;
    for (const nlohmann::json& method : document.at("methods")) {
      program.methods.push_back({method.at(0), method.at(1)});
    }
    for (const nlohmann::json& loop : document.at("loops")) {
      program.loops.push_back({loop.at(0), loop.at(1)});
    }
    program.map = map_from(document);
    program.left_alone = left_alone_from(document);
    for (const auto& [name, count] : kSignalsCountNames) {
      document.at("counts").at(name).get_to(program.counts.*count);
    }
    return program;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("the map of an instrumented program: {}", error.what()));
  }
}

}  // namespace strobe::instrument
