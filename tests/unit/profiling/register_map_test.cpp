// The offsets of the reference compared with the register file from which everything else is
// generated.
#include "sc_models/profiling/reference/message/register_map.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <string>

#include "tests/tree.h"

namespace strobe::profiling {
namespace {

TEST(RegisterMap, OffsetsAreThoseOfTheRegisterFile) {
  std::ifstream file(in_source("configs/registers.yaml"));
  ASSERT_TRUE(file.is_open());
  std::map<std::string, unsigned> offsets;
  std::string line, name;
  std::smatch match;
  while (std::getline(file, line)) {
    if (std::regex_match(line, match, std::regex("  - name: (\\w+)"))) name = match[1];
    if (std::regex_match(line, match, std::regex("    offset: (0x[0-9A-Fa-f]+)"))) {
      offsets[name] = static_cast<unsigned>(std::stoul(match[1], nullptr, 16));
    }
  }
  const std::map<std::string, unsigned> expected = {
      {"ID", kRegId},
      {"CAP0", kRegCap0},
      {"CAP1", kRegCap1},
      {"CTRL", kRegCtrl},
      {"STATUS", kRegStatus},
      {"INTR_STATE", kRegIntrState},
      {"INTR_ENABLE", kRegIntrEnable},
      {"INTR_TEST", kRegIntrTest},
      {"REGWEN", kRegRegwen},
      {"PERIOD", kRegPeriod},
      {"CAP2", kRegCap2},
      {"THRESHOLD", kRegThreshold},
      {"SEED", kRegSeed},
      {"TABLE_PC", kRegTablePc},
      {"TABLE_VALUE", kRegTableValue},
      {"WATERMARK", kRegWatermark},
      {"EVENTS", kRegEvents},
      {"DROPPED", kRegDropped},
      {"HIGH_WATER", kRegHighWater},
      {"STALLS", kRegStalls},
      {"MSG_PC", kRegMsgPc},
      {"MSG_VALUE", kRegMsgValue},
      {"MSG_META", kRegMsgMeta},
      {"TABLE_INDEX", kRegTableIndex},
      {"TABLE_DATA", kRegTableData},
      {"SEL_CTRL", kRegSelCtrl},
      {"SEL_PC_LO", kRegSelPcLo},
      {"SEL_PC_HI", kRegSelPcHi},
      {"RING_CTRL", kRegRingCtrl},
      {"RING_CONFIG", kRegRingConfig},
      {"RING_BASE", kRegRingBase},
      {"RING_PROD", kRegRingProd},
      {"RING_CONS", kRegRingCons},
      {"RING_OVERWRITTEN", kRegRingOverwritten},
      {"RING_HIGH_WATER", kRegRingHighWater},
      {"RING_STALLS", kRegRingStalls},
  };
  EXPECT_EQ(offsets, expected);
}

}  // namespace
}  // namespace strobe::profiling
