#include "sw/instrument/bursty/instrumented_program.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "sw/instrument/kept_program.h"

namespace strobe::instrument {
namespace {

namespace fs = std::filesystem;

std::vector<LinkedSite> linked(const std::vector<Site>& sites, const LinkedEdit& edit) {
  std::vector<LinkedSite> result;
  for (const Site& site : sites) {
    LinkedSite at;
    at.kind = site.kind;
    at.pc = edit.address_in_original(site.instruction);
    if (site.target) at.target = edit.address_in_original(*site.target);
    if (site.after_call != object::kNone) {
      at.after_call = edit.address_of_symbol(site.instruction.object, site.after_call);
    }
    result.push_back(at);
  }
  if (!result.empty()) result.front() = LinkedSite();
  return result;
}

std::string text_of(const BurstyOptions& options) {
  std::string text =
      fmt::format("{} {} {} {} {} {}", static_cast<int>(options.entries), options.boring,
                  options.library, options.buffer_records, options.trace_records, options.jitter);
  for (const EventKind kind : options.events) text += fmt::format(" {}", static_cast<int>(kind));
  return text;
}

}  // namespace

InstrumentedProgram instrument_program(const LinkedProgram& program, const fs::path& fold,
                                       const BurstyOptions& options) {
  InstrumentedProgram result;
  std::vector<Site> sites;
  LinkedEdit edit = link_edit(program, [&](object::Program* objects) {
    Bursty bursty = make_bursty(objects, content_of(fold), options);
    Edit made{std::move(bursty.runtime), std::move(bursty.objects), std::move(bursty.code), {}};
    made.symbols.resize(made.objects.size() + 1);
    for (const Site& site : bursty.sites) {
      if (site.after_call != object::kNone) {
        made.symbols[site.instruction.object + 1].push_back(site.after_call);
      }
    }
    sites = std::move(bursty.sites);
    result.counts = bursty.counts;
    result.left_alone = std::move(bursty.left_alone);
    return made;
  });
  result.sites = linked(sites, edit);
  result.elf = std::move(edit.elf);
  result.map = std::move(edit.map);
  return result;
}

InstrumentedProgram find_or_instrument(const LinkedProgram& program, const fs::path& fold,
                                       const BurstyOptions& options) {
  KeptProgram kept = find_or_make(program, fold, text_of(options), [&] {
    InstrumentedProgram made = instrument_program(program, fold, options);
    return KeptProgram{std::move(made.elf), to_json(made)};
  });
  InstrumentedProgram found = from_json(kept.document);
  found.elf = std::move(kept.elf);
  return found;
}

nlohmann::json to_json(const InstrumentedProgram& program) {
  nlohmann::json document;
  nlohmann::json& sites = document["sites"];
  sites = nlohmann::json::array();
  for (const LinkedSite& site : program.sites) {
    sites.push_back({static_cast<int>(site.kind), site.pc, site.target, site.after_call});
  }
  put_map(program.map, program.left_alone, &document);
  for (const auto& [name, count] : kCountNames) document["counts"][name] = program.counts.*count;
  return document;
}

InstrumentedProgram from_json(const nlohmann::json& document) {
  try {
    InstrumentedProgram program;
    for (const nlohmann::json& site : document.at("sites")) {
      program.sites.push_back(
          {static_cast<EventKind>(site.at(0).get<int>()), site.at(1), site.at(2), site.at(3)});
    }
    program.map = map_from(document);
    program.left_alone = left_alone_from(document);
    for (const auto& [name, count] : kCountNames) {
      document.at("counts").at(name).get_to(program.counts.*count);
    }
    return program;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("the map of an instrumented program: {}", error.what()));
  }
}

}  // namespace strobe::instrument
