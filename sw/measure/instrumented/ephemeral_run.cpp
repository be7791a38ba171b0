#include "sw/measure/instrumented/ephemeral_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "sw/files/guest_files.h"
#include "sw/instrument/original_flow.h"
#include "sw/profile/accuracy/metrics.h"
#include "sw/profile/flow/calls/call_counts.h"
#include "sw/profile/flow/edge_profile.h"
#include "sw/profile/reports/export.h"

namespace strobe {
namespace {

using instrument::HookedBranch;
using instrument::StubCounts;
using nlohmann::json;
using profile::Profile;

instrument::LinkedProgram program_of(const config::RunConfig& configuration) {
  return instrument::linked_program(configuration.workload.elf, configuration.workload.objects);
}

bool by_page(const config::InstrumentConfig& configuration) {
  return configuration.hook == config::FirstHooks::kPage;
}

/// Where the part of the program begins whose functions are compared.
const char* root_of(const ControlFlow& flow) {
  const auto is_main = [](const FlowFunction& function) { return function.name == "main"; };
  return std::any_of(flow.functions.begin(), flow.functions.end(), is_main) ? "main" : "_start";
}

}  // namespace

instrument::HookedProgram hooked_program(const config::RunConfig& configuration) {
  instrument::EphemeralOptions options;
  options.library = configuration.instrument.objects == config::InstrumentedObjects::kAll;
  instrument::HookedProgram program = instrument::find_or_hook(
      program_of(configuration), files::guest_file("ephemeral/unhook.o"), options);
  (by_page(configuration.instrument) ? instrument::hook_pages : instrument::hook_all)(
      &program, configuration.instrument.persistence);
  return program;
}

EphemeralRun::EphemeralRun(const config::RunConfig& configuration,
                           std::shared_ptr<const isa::ElfFile> original)
    : InstrumentedRun(configuration, std::move(original)),
      configuration_(configuration.instrument),
      program_(hooked_program(configuration)),
      accesses_(program_),
      flow_(instrument::original_flow(program_of(configuration))),
      before_(program_.branches.size()) {
  set_edited(program_.elf, program_.map);
}

std::vector<StubCounts> EphemeralRun::read_stubs(const platform::MemoryReader& read) const {
  std::vector<StubCounts> all;
  for (const HookedBranch& branch : program_.branches) {
    strobe_stub_t stub;
    if (!read(branch.data, &stub, sizeof stub)) {
      throw std::runtime_error(fmt::format("the stub at {:#x} cannot be read", branch.data));
    }
    const StubCounts counts = instrument::counts_of(stub, configuration_.persistence);
    if (counts.taken > counts.total) {
      throw std::runtime_error(
          fmt::format("the stub at {:#x} makes no sense: it counts {} taken of {} executions: the "
                      "program has written over it",
                      branch.data, counts.taken, counts.total));
    }
    all.push_back(counts);
  }
  return all;
}

EphemeralRun::JumpCounts EphemeralRun::read_jumps(const platform::MemoryReader& read) const {
  JumpCounts counts;
  for (const HookedBranch& jump : program_.branches) {
    if (!jump.is_jump()) continue;
    std::vector<strobe_stub_target_t> targets(jump.targets);
    if (!read(jump.data + sizeof(strobe_stub_t), targets.data(),
              targets.size() * sizeof targets[0])) {
      throw std::runtime_error(fmt::format("the stub at {:#x} cannot be read", jump.data));
    }
    for (const strobe_stub_target_t& target : targets) {
      const auto original = program_.map.original_code(target.target);
      if (target.count != 0 && original) counts[{jump.pc, *original}] += target.count;
    }
  }
  return counts;
}

void EphemeralRun::add_to(platform::RunHooks* hooks) {
  add_program_to(hooks);
  hooks->listener = &accesses_;
  hooks->region_begins = [this](const platform::MemoryReader& read) {
    before_ = read_stubs(read);
    jumps_before_ = read_jumps(read);
  };
  hooks->ended = [this](const platform::MemoryReader& read) {
    recorded_ = read_stubs(read);
    for (size_t i = 0; i < recorded_.size(); ++i) {
      recorded_[i].total -= before_[i].total;
      recorded_[i].taken -= before_[i].taken;
      recorded_[i].unhooked -= before_[i].unhooked;
    }
    jumps_ = read_jumps(read);
    for (const auto& [way, count] : jumps_before_) jumps_[way] -= count;
  };
}

Profile EphemeralRun::recorded_branches() const {
  profile::Entries entries;
  for (size_t i = 0; i < recorded_.size(); ++i) {
    const HookedBranch& branch = program_.branches[i];
    if (branch.is_jump()) continue;
    entries.emplace_back(Tuple{branch.pc, branch.target, 0}, recorded_[i].taken);
    entries.emplace_back(Tuple{branch.pc, branch.next, 0}, recorded_[i].total - recorded_[i].taken);
  }
  return Profile(std::move(entries));
}

Profile EphemeralRun::recorded_jumps() const {
  profile::Entries entries;
  for (const auto& [way, count] : jumps_) {
    entries.emplace_back(Tuple{way.first, way.second, 0}, count);
  }
  return Profile(std::move(entries));
}

/// What was unhooked as the region began may have been executed before it was hooked again.
std::vector<uint64_t> EphemeralRun::watched() const {
  std::vector<uint64_t> pcs;
  for (size_t i = 0; i < recorded_.size(); ++i) {
    if (before_[i].unhooked == 0) pcs.push_back(program_.branches[i].pc);
  }
  std::sort(pcs.begin(), pcs.end());
  return pcs;
}

/// What was never unhooked. A jump may have had more targets than its stub has room for.
std::vector<uint64_t> EphemeralRun::complete() const {
  std::map<uint64_t, uint64_t> of_targets;
  for (const auto& [way, count] : jumps_) of_targets[way.first] += count;
  std::vector<uint64_t> pcs;
  for (size_t i = 0; i < recorded_.size(); ++i) {
    const HookedBranch& branch = program_.branches[i];
    if (before_[i].unhooked != 0 || recorded_[i].unhooked != 0) continue;
    if (branch.is_jump() && of_targets[branch.pc] != recorded_[i].total) continue;
    pcs.push_back(branch.pc);
  }
  std::sort(pcs.begin(), pcs.end());
  return pcs;
}

/// Only conditional branches, which are those of the exhaustive profile.
Profile EphemeralRun::chain_edges(uint64_t total) const {
  profile::Entries recorded = recorded_branches().entries();
  const Profile jumps = recorded_jumps();
  recorded.insert(recorded.end(), jumps.entries().begin(), jumps.entries().end());
  profile::ProgramOptions options;
  options.watched = watched();
  options.complete = complete();
  options.markov.prior = configuration_.prior;
  options.markov.loop_limit = static_cast<double>(configuration_.loop_limit);
  const profile::ProgramProfile frequencies =
      profile::program_profile(flow_, Profile(std::move(recorded)), root_of(flow_), options);
  std::set<uint64_t> conditional;
  for (const FlowFunction& function : flow_.functions) {
    for (const FlowEdge& edge : function.edges) {
      if (edge.kind == FlowKind::kTaken || edge.kind == FlowKind::kNotTaken) {
        conditional.insert(function.blocks[edge.from].last);
      }
    }
  }
  const Profile branches = profile::branch_profile(flow_, frequencies, 0, total);
  profile::Entries entries;
  for (const auto& entry : branches.entries()) {
    if (conditional.count(entry.first.pc) != 0) entries.push_back(entry);
  }
  return Profile(std::move(entries));
}

std::optional<platform::HandlersOutcome> EphemeralRun::outcome(OriginalEvents& original) {
  const Profile exhaustive = original.edges(), recorded = recorded_branches();
  bias_error_ = profile::bias_error(exhaustive, recorded);
  recorded_overlap_ = profile::overlap(exhaustive, recorded);
  platform::HandlersOutcome outcome;
  outcome.edges = {chain_edges(exhaustive.total()), exhaustive};
  return outcome;
}

json EphemeralRun::accesses_json() const {
  nlohmann::json out = nlohmann::json::array();
  for (const instrument::CodeAccess& access : accesses_.found()) {
    out.push_back({{"pc", profile::hexadecimal(access.pc)},
                   {"place", original().describe(access.pc)},
                   {"branch", profile::hexadecimal(access.branch)},
                   {"writes", access.writes},
                   {"count", access.count}});
  }
  return out;
}

json EphemeralRun::json(uint64_t exhaustive) const {
  uint64_t events = 0, jumps = 0, unhooked = 0;
  std::set<uint64_t> pages, hooked_pages;
  for (size_t i = 0; i < recorded_.size(); ++i) {
    pages.insert(program_.branches[i].page());
    if (recorded_[i].hooked) hooked_pages.insert(program_.branches[i].page());
    (program_.branches[i].is_jump() ? jumps : events) += recorded_[i].total;
    unhooked += recorded_[i].unhooked;
  }
  nlohmann::json out = {{"kind", "ephemeral"},
                        {"persistence", configuration_.persistence},
                        {"epoch", configuration_.epoch},
                        {"epoch_jitter", configuration_.epoch_jitter},
                        {"hook", by_page(configuration_) ? "page" : "start"},
                        {"prior", configuration_.prior},
                        {"loop_limit", configuration_.loop_limit},
                        {"pages", pages.size()},
                        {"hooked_pages", hooked_pages.size()},
                        {"code_accesses", accesses_json()}};
  const instrument::EphemeralCounts& counts = program_.counts;
  for (const auto& [name, count] : instrument::kEphemeralCountNames) out[name] = counts.*count;
  out["left_alone"] = left_alone_json(program_.left_alone);
  out["code_growth"] =
      static_cast<double>(counts.bytes_after) / static_cast<double>(counts.bytes_before);
  out["events"] = events;
  out["jump_events"] = jumps;
  out["exhaustive_events"] = exhaustive;
  out["share"] =
      exhaustive == 0
          ? nlohmann::json()
          : nlohmann::json(static_cast<double>(events) / static_cast<double>(exhaustive));
  out["unhooked"] = unhooked;
  const uint64_t recorded = bias_error_.branches.size();
  const uint64_t executions = bias_error_.executions + bias_error_.unseen_executions;
  out["executed_branches"] = recorded + bias_error_.unseen_branches;
  out["recorded_branches"] = recorded;
  out["recorded_share"] = executions == 0 ? 0.0
                                          : static_cast<double>(bias_error_.executions) /
                                                static_cast<double>(executions);
  out["bias_error"] = bias_error_.error;
  out["recorded_overlap"] = recorded_overlap_;
  return out;
}

std::vector<result::NamedText> EphemeralRun::files(const profile::ProgramNames& names) const {
  std::string text = "pc,taken,total,epochs,symbol\n";
  for (size_t i = 0; i < recorded_.size(); ++i) {
    const StubCounts& counts = recorded_[i];
    if (counts.total == 0 || program_.branches[i].is_jump()) continue;
    // The epochs in which it was taken out, and one in which it was not.
    const bool unfinished = counts.total > counts.unhooked * configuration_.persistence;
    const uint64_t pc = program_.branches[i].pc;
    text +=
        fmt::format("{},{},{},{},{}\n", profile::hexadecimal(pc), counts.taken, counts.total,
                    counts.unhooked + (unfinished ? 1 : 0), profile::csv_field(names.symbol(pc)));
  }
  std::string targets = "pc,target,count,symbol\n";
  for (const auto& [way, count] : jumps_) {
    if (count == 0) continue;
    targets += fmt::format("{},{},{},{}\n", profile::hexadecimal(way.first),
                           profile::hexadecimal(way.second), count,
                           profile::csv_field(names.symbol(way.first)));
  }
  return {{"instrument.biases.csv", text}, {"instrument.targets.csv", targets}};
}

}  // namespace strobe
