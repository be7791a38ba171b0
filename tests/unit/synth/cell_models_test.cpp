// Do the cells of a library become the Verilog that means the same?
#include "sw/synth/netlist/cell_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strobe::synth {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(VerilogFunction, KnowsEachNotationOfAndOrAndNot) {
  EXPECT_EQ(verilog_function("(!((A B)+C))"), "(~((A & B) | C))");
  EXPECT_EQ(verilog_function("A*B|!C"), "A & B | ~C");
  EXPECT_EQ(verilog_function("(A^B) & D1"), "(A ^ B) & D1");
  EXPECT_EQ(verilog_function("(A B)' C'"), "~(A & B) & ~C");
  EXPECT_EQ(verilog_function("(S A) + (!S B)"), "(S & A) | (~S & B)");
}

std::string refusal_of(const std::string& function) {
  try {
    verilog_function(function);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(VerilogFunction, RefusesWhatIsNoFunction) {
  EXPECT_EQ(refusal_of("A + * B"), "cell function 'A + * B': '*' is not expected there");
  EXPECT_EQ(refusal_of("A)"), "cell function 'A)': ')' is not expected there");
  EXPECT_EQ(refusal_of("(A"), "cell function '(A' is not complete");
  EXPECT_EQ(refusal_of("A +"), "cell function 'A +' is not complete");
}

CellPin input(const char* name) { return {name, true, 0, "", false}; }
CellPin output(const char* name, const char* function) { return {name, false, 0, function, false}; }

CellLibrary sample_library() {
  CellLibrary library;
  Cell gate;
  gate.name = "ND2";
  gate.pins = {input("A"), input("B"), output("Y", "!(A B)")};
  library.cells["ND2"] = gate;
  Cell flip_flop;
  flip_flop.name = "DFFR";
  flip_flop.sequential = true;
  flip_flop.state = "IQ";
  flip_flop.next_state = "D";
  flip_flop.clocked_on = "CK";
  flip_flop.clear = "!R";
  flip_flop.pins = {input("CK"), input("D"), input("R"), output("Q", "IQ")};
  library.cells["DFFR"] = flip_flop;
  Cell latch = gate;
  latch.name = "LT";
  latch.latch = true;
  library.cells["LT"] = latch;
  Cell bus = gate;
  bus.name = "TRI";
  bus.pins[2].three_state = true;
  library.cells["TRI"] = bus;
  return library;
}

TEST(CellModels, AreGatesAndFlipFlops) {
  const std::string text = cell_models(sample_library());
  EXPECT_THAT(text, HasSubstr("module ND2 (input A, input B, output Y);\n"
                              "  assign Y = ~(A & B);\nendmodule\n"));
  EXPECT_THAT(text, HasSubstr("  reg IQ;\n  wire clock = CK;\n  wire clear = ~R;\n"
                              "  always @(posedge clock or posedge clear)\n"
                              "    if (clear) IQ <= 1'b0;\n    else IQ <= D;\n"));
  EXPECT_THAT(text, Not(HasSubstr("module LT")));
  EXPECT_THAT(text, Not(HasSubstr("module TRI")));
}

TEST(NetlistSource, StandsInForTheModule) {
  const Point point = {"strobe_tuple_queue", {{"Depth", 64}, {"Lanes", 4}}};
  const std::string text = netlist_source("module strobe_block(clk_i);\nendmodule\n", point,
                                          {{132, 16}}, sample_library());
  EXPECT_THAT(text, HasSubstr("module strobe_tuple_queue #(parameter Depth = 64, parameter Lanes = "
                              "4) (clk_i);\n"));
  EXPECT_THAT(text, HasSubstr("module strobe_sram_132x16 (input clk_i, input we_i, input [3:0] "
                              "waddr_i, input [131:0] wdata_i,\n"));
  EXPECT_THAT(text, HasSubstr("strobe_ram_1r1w #(.Width(132), .Depth(16)) u_ram"));
  EXPECT_THAT(text, HasSubstr("module ND2 "));
  EXPECT_THAT(text,
              HasSubstr("module strobe_clock_gate (input clk_i, input enable_i, output clk_o)"));
}

}  // namespace
}  // namespace strobe::synth
