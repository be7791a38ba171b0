// Is OpenSTA's report read right?
#include "sw/synth/timing/timing.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace strobe::synth {
namespace {

const std::string kReport =
    "Startpoint: a_q[0]_DFF_Q (rising edge-triggered flip-flop clocked by clk)\n"
    "Endpoint: q_o (output port clocked by clk)\n"
    "  Delay    Time   Description\n"
    " 0.0000  0.0000   clock clk (rise edge)\n"
    " 0.0000  0.0000   clock network delay (ideal)\n"
    " 0.0000  0.0000 ^ a_q[0]_DFF_Q/CLK (DFF)\n"
    " 0.2000  0.2000 v a_q[0]_DFF_Q/Q (DFF)\n"
    " 0.1000  0.3000 ^ _1_/Y (INV)\n"
    " 0.0000  0.3000 ^ q_o (out)\n"
    "         0.3000   data arrival time\n"
    "10.0000 10.0000   clock clk (rise edge)\n"
    "        10.0000 ^ b_q_DFF_Q/CLK (DFF)\n"
    "         9.8000   data required time\n"
    "         9.5000   slack (MET)\n";

TEST(Timing, ReadsThePointsOfEachPathAndItsSlack) {
  const auto paths = parse_timing(kReport + kReport);
  ASSERT_EQ(paths.size(), 2u);
  ASSERT_EQ(paths[0].points.size(), 4u);
  EXPECT_EQ(paths[0].points.front().pin, "a_q[0]_DFF_Q/CLK");
  EXPECT_EQ(paths[0].points.back().pin, "q_o");
  EXPECT_DOUBLE_EQ(paths[0].points[2].time, 0.3);
  EXPECT_DOUBLE_EQ(paths[0].points[2].delay, 0.1);
  EXPECT_DOUBLE_EQ(paths[1].slack, 9.5);
}

TEST(Timing, ANegativeSlackIsRead) {
  std::string report = kReport;
  report.replace(report.find(" 9.5000   slack (MET)"), 21, "-0.5000   slack (VIOLATED)");
  EXPECT_DOUBLE_EQ(parse_timing(report)[0].slack, -0.5);
}

TEST(Timing, AReportWithoutPathsIsAnError) {
  EXPECT_THROW(parse_timing("No paths found.\n"), std::runtime_error);
}

}  // namespace
}  // namespace strobe::synth
