#include "sw/gen/system_call_tables.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace strobe::gen {
namespace {

using isa::CallAnswer;

constexpr size_t kWidestNames = 100;  // characters of the names in a row

std::string title_of(CallAnswer::Group group) {
  switch (group) {
    case CallAnswer::Group::kMemory:
      return "Memory";
    case CallAnswer::Group::kFiles:
      return "Files";
    case CallAnswer::Group::kPaths:
      return "Paths";
    case CallAnswer::Group::kEvents:
      return "Pipes, sockets and events";
    case CallAnswer::Group::kTime:
      return "Time";
    case CallAnswer::Group::kProcess:
      return "Process";
    case CallAnswer::Group::kSignals:
      return "Signals";
    case CallAnswer::Group::kThreads:
      return "Threads and scheduling";
    case CallAnswer::Group::kSystem:
      return "The system";
  }
  return "";
}

std::string text_of(CallAnswer::Kind kind) {
  switch (kind) {
    case CallAnswer::Kind::kWhole:
      return "whole";
    case CallAnswer::Kind::kPartial:
      return "partial";
    case CallAnswer::Kind::kNoEffect:
      return "no effect";
    case CallAnswer::Kind::kNoSuchCall:
      return "`ENOSYS`";
    case CallAnswer::Kind::kNotPermitted:
      return "`EPERM`";
    case CallAnswer::Kind::kUnsupported:
      return "`ENOSYS`, counted";
    case CallAnswer::Kind::kStopsTheRun:
      return "**the run stops**";
  }
  return "";
}

/// The names as code, in as few lines of a table's cell as the width allows.
std::vector<std::string> cells_of(const std::vector<std::string>& names) {
  std::vector<std::string> cells = {""};
  for (const std::string& name : names) {
    if (cells.back().size() + name.size() > kWidestNames) cells.emplace_back();
    cells.back() += fmt::format("{}`{}`", cells.back().empty() ? "" : " ", name);
  }
  return cells;
}

}  // namespace

std::string system_call_tables(const std::vector<CallAnswer>& answers) {
  using Row = std::tuple<CallAnswer::Group, CallAnswer::Kind, std::string>;
  std::map<Row, std::vector<std::string>> rows;
  for (const CallAnswer& one : answers) rows[{one.group, one.kind, one.how}].push_back(one.name);
  std::string text;
  const CallAnswer::Group* last = nullptr;
  for (const auto& [row, names] : rows) {
    const auto& [group, kind, how] = row;
    if (last == nullptr || *last != group) {
      text += fmt::format("\n### {}\n\n| calls | answer |\n|---|---|\n", title_of(group));
    }
    last = &group;
    for (const std::string& cell : cells_of(names)) {
      text += fmt::format("| {} | {}{} |\n", cell, text_of(kind), how.empty() ? "" : ": " + how);
    }
  }
  return text;
}

}  // namespace strobe::gen
