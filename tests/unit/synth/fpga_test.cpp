// What stands between a block and an FPGA's pins, and why a block has no frequency there.
#include "sw/synth/mapping/fpga.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

namespace strobe::synth {
namespace {

TEST(CollapsingWrapper, ConnectsEveryPortAndNeedsFourPins) {
  const std::string text = collapsing_wrapper({{"clk_i", 1, true},
                                               {"rst_ni", 1, true},
                                               {"a_i", 3, true},
                                               {"b_i", 2, true},
                                               {"q_o", 9, false}});
  EXPECT_THAT(text,
              testing::HasSubstr("input clk_i, input rst_ni, input serial_i, output parity_o"));
  EXPECT_THAT(text, testing::HasSubstr("reg [4:0] in_q;"));
  EXPECT_THAT(text, testing::HasSubstr(".a_i(in_q[0+:3]),"));
  EXPECT_THAT(text, testing::HasSubstr(".b_i(in_q[3+:2]),"));
  EXPECT_THAT(text, testing::HasSubstr(".q_o(out[0+:9])\n"));
  EXPECT_THAT(text, testing::HasSubstr("assign parity_o = level2[0];"));
}

// As nextpnr-ice40 0.4 prints it.
const char kUtilisation[] =
    "Info: Device utilisation:\n"
    "Info: \t         ICESTORM_LC: 10435/ 7680   135%\n"
    "Info: \t        ICESTORM_RAM:    13/   32    40%\n";
const char kNoPlace[] =
    "ERROR: Unable to place cell 'u_block.a_LC', no BELs remaining to implement cell type "
    "'ICESTORM_LC'\n";

TEST(NotRouted, WhatIsPackedAndDoesNotFitIsNotCalledSlow) {
  EXPECT_EQ(not_routed({255, std::string(kUtilisation) + kNoPlace}),
            "10435 logic cells with the flip-flops that stand for its pins, the HX8K has 7680");
}

TEST(NotRouted, TimeIsUpByTheSignalThatSaysSo) {
  EXPECT_EQ(not_routed({128 + SIGXCPU, ""}), "nextpnr did not route it in 60 s");
  EXPECT_EQ(not_routed({128 + SIGKILL, ""}), "nextpnr did not route it in 60 s");
}

TEST(NotRouted, AnotherFailureIsNoReasonAndNorIsSuccess) {
  EXPECT_EQ(not_routed({255, "Info: \t         ICESTORM_LC:  4092/ 7680    53%\nERROR: Bad.\n"}),
            "");
  EXPECT_EQ(not_routed({255, "ERROR: Failed to open JSON file.\n"}), "");
  EXPECT_EQ(not_routed({0, "Info: \t         ICESTORM_LC:  4092/ 7680    53%\n"}), "");
}

}  // namespace
}  // namespace strobe::synth
