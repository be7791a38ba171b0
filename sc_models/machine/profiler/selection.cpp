#include "sc_models/machine/profiler/selection.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string_view>

#include "sc_models/port/opclass_names.h"
#include "sw/guest/include/strobe/registers.h"

namespace strobe::platform {
namespace {

struct ProfileKind {
  std::string_view name;
  uint16_t opclass;
  uint8_t kind;
  bool marked = false;
};

constexpr std::array<ProfileKind, 5> kProfileKinds = {{
    {"value", class_bit(OpClass::kLoad), 0},
    {"edge",
     static_cast<uint16_t>(class_bit(OpClass::kBranch) | class_bit(OpClass::kJumpIndirect) |
                           class_bit(OpClass::kReturn)),
     1},
    {"call_target",
     static_cast<uint16_t>(class_bit(OpClass::kCall) | class_bit(OpClass::kCallIndirect)), 1},
    {"address", static_cast<uint16_t>(class_bit(OpClass::kLoad) | class_bit(OpClass::kStore)), 2},
    {"type", class_bit(OpClass::kLoad), 0, true},
}};

uint16_t opclass_mask(const std::vector<std::string>& names) {
  uint16_t mask = 0;
  for (const std::string& name : names) {
    size_t i = 0;
    while (i < kOpClassNames.size() && kOpClassNames[i] != name) ++i;
    if (i == kOpClassNames.size())
      throw std::invalid_argument("unknown opcode class '" + name + "'");
    mask = static_cast<uint16_t>(mask | (1u << i));
  }
  return mask;
}

}  // namespace

profiling::SelectorSlot selector_slot(const config::SelectorConfig& selector) {
  for (const ProfileKind& profile : kProfileKinds) {
    if (profile.name != selector.profile) continue;
    profiling::SelectorSlot slot;
    slot.enable = true;
    slot.kind = profile.kind;
    slot.user = selector.user;
    slot.machine = selector.machine;
    slot.marked = profile.marked || selector.marked;
    slot.in_burst = selector.in_burst;
    slot.tag = static_cast<uint8_t>(selector.tag);
    slot.prediction = static_cast<uint8_t>(selector.prediction);
    if (!selector.thread.empty()) slot.thread = std::stoi(selector.thread);
    slot.opclass = selector.opclasses.empty() ? profile.opclass : opclass_mask(selector.opclasses);
    slot.pc_lo = selector.pc_lo;
    slot.pc_hi = selector.pc_hi;
    return slot;
  }
  throw std::invalid_argument("unknown profile '" + selector.profile + "'");
}

std::vector<profiling::SelectorSlot> selector_slots(
    const std::vector<config::SelectorConfig>& selectors) {
  std::vector<profiling::SelectorSlot> slots;
  for (const config::SelectorConfig& selector : selectors) slots.push_back(selector_slot(selector));
  return slots;
}

bool same_selection(const std::vector<config::SelectorConfig>& a,
                    const std::vector<config::SelectorConfig>& b) {
  const auto same = [](const config::SelectorConfig& one, const config::SelectorConfig& other) {
    const profiling::SelectorSlot x = selector_slot(one), y = selector_slot(other);
    return x.kind == y.kind && x.user == y.user && x.machine == y.machine && x.tag == y.tag &&
           x.marked == y.marked && x.in_burst == y.in_burst && x.prediction == y.prediction &&
           x.thread == y.thread && x.opclass == y.opclass && x.pc_lo == y.pc_lo &&
           x.pc_hi == y.pc_hi;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

strobe_selector_config_t selector_registers(const config::SelectorConfig& selector) {
  const profiling::SelectorSlot slot = selector_slot(selector);
  strobe_selector_config_t registers = {};
  registers.ctrl = (uint64_t{slot.enable} << STROBE_SEL_CTRL_ENABLE_SHIFT) |
                   (uint64_t{slot.kind} << STROBE_SEL_CTRL_KIND_SHIFT) |
                   (uint64_t{slot.user} << STROBE_SEL_CTRL_USER_SHIFT) |
                   (uint64_t{slot.machine} << STROBE_SEL_CTRL_MACHINE_SHIFT) |
                   (uint64_t{slot.marked} << STROBE_SEL_CTRL_MARKED_SHIFT) |
                   (uint64_t{slot.in_burst} << STROBE_SEL_CTRL_IN_BURST_SHIFT) |
                   (uint64_t{slot.tag} << STROBE_SEL_CTRL_TAG_SHIFT) |
                   (uint64_t{slot.prediction} << STROBE_SEL_CTRL_PREDICTION_SHIFT) |
                   (uint64_t{slot.opclass} << STROBE_SEL_CTRL_OPCLASS_SHIFT);
  registers.pc_lo = slot.pc_lo;
  registers.pc_hi = slot.pc_hi;
  return registers;
}

}  // namespace strobe::platform
