// Does a selector configuration become the slot and the registers that docs/blocks/selector.md
// says?
#include "sc_models/machine/profiler/selection.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace strobe::platform {
namespace {

config::SelectorConfig selector(const char* profile) {
  config::SelectorConfig configuration;
  configuration.profile = profile;
  return configuration;
}

TEST(Selection, ProfilesStandForTheClassesAndValuesOfTheirPage) {
  EXPECT_EQ(selector_slot(selector("value")).opclass, 1u << 3);
  EXPECT_EQ(selector_slot(selector("value")).kind, 0);
  EXPECT_EQ(selector_slot(selector("edge")).opclass, 1u << 6 | 1u << 8 | 1u << 11);
  EXPECT_EQ(selector_slot(selector("edge")).kind, 1);
  EXPECT_EQ(selector_slot(selector("call_target")).opclass, 1u << 9 | 1u << 10);
  EXPECT_EQ(selector_slot(selector("call_target")).kind, 1);
  EXPECT_EQ(selector_slot(selector("address")).opclass, 1u << 3 | 1u << 4);
  EXPECT_EQ(selector_slot(selector("address")).kind, 2);
}

TEST(Selection, NamedClassesReplaceTheProfilesOwn) {
  config::SelectorConfig configuration = selector("value");
  configuration.opclasses = {"alu", "fence", "fp_div_sqrt"};
  EXPECT_EQ(selector_slot(configuration).opclass, 1u | 1u << 15 | 1u << 13);
}

TEST(Selection, RegistersHoldEveryFieldAtItsPlace) {
  config::SelectorConfig configuration = selector("edge");
  configuration.tag = 0xa;
  configuration.machine = true;
  configuration.pc_lo = 0x10000;
  configuration.pc_hi = 0x1ffff;
  const strobe_selector_config_t registers = selector_registers(configuration);
  EXPECT_EQ(registers.ctrl, 0x09400a33u);  // opclass 0x0940, tag a, machine, user, kind 1, enable
  EXPECT_EQ(registers.pc_lo, 0x10000u);
  EXPECT_EQ(registers.pc_hi, 0x1ffffu);
}

TEST(Selection, UnknownNamesAreRefused) {
  EXPECT_THROW(selector_slot(selector("edges")), std::invalid_argument);
  config::SelectorConfig configuration = selector("value");
  configuration.opclasses = {"lode"};
  EXPECT_THROW(selector_slot(configuration), std::invalid_argument);
}

}  // namespace
}  // namespace strobe::platform
