// Are clock gates named after their registers, and taken out again without changing what a netlist
// does?
#include "sw/synth/netlist/clock_gates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/synth/library/liberty.h"
#include "sw/synth/tools/files.h"

namespace strobe::synth {
namespace {

using testing::HasSubstr;
using testing::Not;

CellLibrary sample_library() {
  CellLibrary library;
  library.flip_flop = "DFF";
  library.nand2 = "ND2";
  library.inverter = "INV";
  Cell flip_flop;
  flip_flop.name = "DFF";
  flip_flop.area = 90;
  flip_flop.sequential = true;
  flip_flop.state = "IQ";
  flip_flop.next_state = "D";
  flip_flop.clocked_on = "CK";
  flip_flop.pins = {
      {"CK", true, 0.5, "", false}, {"D", true, 0.25, "", false}, {"Q", false, 0, "IQ", false}};
  library.cells["DFF"] = flip_flop;
  library.cells["ND2"].area = 20;
  library.cells["INV"].area = 10;
  return library;
}

const char* const kNetlist = R"(module strobe_block(clk_i, q_o);
  input clk_i;
  strobe_clock_gate _7_ (
    .clk_i(clk_i),
    .clk_o(_8_),
    .enable_i(load)
  );
  DFF \pc_q[0]_reg  (
    .CK(_8_),
    .D(d),
    .Q(q)
  );
  DFF \pc_q[1]_reg  (
    .CK(_8_),
    .D(e),
    .Q(r)
  );
  DFF \valid_q_reg  (
    .CK(clk_i),
    .D(load),
    .Q(_8_x)
  );
endmodule
module other(clk_i);
  DFF \other_reg  (
    .CK(_8_),
    .D(d),
    .Q(q)
  );
endmodule
)";

TEST(ClockGates, AreNamedAfterTheFirstFlipFlopBehindThem) {
  const std::string text = with_named_clock_gates(kNetlist);
  EXPECT_THAT(text, HasSubstr("  strobe_clock_gate \\pc_q[0]_gate (\n    .clk_i(clk_i),\n"));
  EXPECT_EQ(text.size(), std::string(kNetlist).size() + 10) << "nothing else is changed";
}

TEST(ClockGates, BecomeEnablesOfTheFlipFlopsBehindThem) {
  const std::string text = without_clock_gates(kNetlist, sample_library());
  EXPECT_THAT(text, Not(HasSubstr("strobe_clock_gate")));
  EXPECT_THAT(text, HasSubstr("  DFF_enabled \\pc_q[0]_reg  (\n    .CK(clk_i),\n    "
                              ".ENABLE(load),\n    .D(d),\n    .Q(q)\n  );\n"));
  EXPECT_THAT(text, HasSubstr("  DFF_enabled \\pc_q[1]_reg "));
  EXPECT_THAT(text, HasSubstr("  DFF \\valid_q_reg  (\n    .CK(clk_i),\n"));
  EXPECT_THAT(text, HasSubstr("  DFF \\other_reg ")) << "a net is its module's";
  EXPECT_THAT(text, HasSubstr("\nmodule DFF_enabled(ENABLE, CK, D, Q);\n  input ENABLE;\n"
                              "  input CK;\n  input D;\n  output Q;\n  wire d;\n"
                              "  assign d = ENABLE ? D : Q;\n"
                              "  DFF u (.CK(CK), .D(d), .Q(Q));\nendmodule\n"));
  const std::string none = "module strobe_block(a);\n  input a;\nendmodule\n";
  EXPECT_EQ(without_clock_gates(none, sample_library()), none);
}

TEST(ClockGates, AreCellsWithTheSetupAndLoadOfAFlipFlop) {
  const CellLibrary library = sample_library();
  EXPECT_DOUBLE_EQ(clock_gate_area(library), 90 + 20 + 10);
  Calibration calibration;
  calibration.setup = 0.125;
  const LibertyGroup parsed = parse_liberty(
      "library (l) {\n" + clock_gate_liberty(library, calibration) + "}\n", "gate.lib");
  const LibertyGroup& cell = *parsed.group("cell");
  EXPECT_EQ(cell.name(), kClockGate);
  EXPECT_EQ(*cell.attribute("area"), "120.00");
  ASSERT_EQ(cell.groups.size(), 3u);
  EXPECT_EQ(*cell.groups[0].attribute("capacitance"), "0.50000");
  const LibertyGroup& enable = cell.groups[1];
  EXPECT_EQ(enable.name(), "enable_i");
  EXPECT_EQ(*enable.attribute("capacitance"), "0.25000");
  EXPECT_EQ(*enable.groups[0].attribute("timing_type"), "setup_rising");
  EXPECT_EQ(enable.groups[0].groups[0].group("values")->arguments,
            std::vector<std::string>{"0.1250"});
}

// Registers of each kind and of both polarities, and random inputs for them.
const char* const kRegisters = R"(module registers(input clk, rst, en, clr, input [7:0] d,
                 output reg [7:0] plain, reset, cleared, cleared_if, negative);
  always @(posedge clk) if (en) plain <= d;
  always @(posedge clk or negedge rst) if (!rst) reset <= 8'h5a; else if (en) reset <= d;
  always @(posedge clk) if (clr) cleared <= 8'ha5; else if (en) cleared <= d;
  always @(posedge clk) if (en) cleared_if <= clr ? 8'h3c : d;
  always @(posedge clk) if (!en) if (!clr) negative <= 8'hc3; else negative <= d;
endmodule
)";
const char* const kBench = R"(module bench;
  reg clk = 0, rst = 0, en = 1, clr = 1;
  reg [7:0] d = 0;
  wire [39:0] a, b;
  integer i, wrong = 0;
  registers rtl(clk, rst, en, clr, d, a[7:0], a[15:8], a[23:16], a[31:24], a[39:32]);
  gated net(clk, rst, en, clr, d, b[7:0], b[15:8], b[23:16], b[31:24], b[39:32]);
  initial begin
    for (i = 0; i < 4000; i = i + 1) begin
      #1 clk = 1;
      #1 {rst, en, clr, d} = $random;  // behind the edge, as from flip-flops
      if (i < 4) {en, clr} = i;
      #1 if (i > 8 && a !== b) wrong = wrong + 1;
      clk = 0;
    end
    $display("wrong in %0d cycles", wrong);
  end
endmodule
)";

TEST(ClockGates, KeepWhatARegisterDoes) {
  const ScratchFolder folder;
  const auto path = [&](const char* name) { return (folder / name).string(); };
  write_file(folder / "rtl.v", kRegisters);
  write_file(folder / "gates.v", clock_gate_techmap());
  write_file(folder / "model.sv", clock_gate_model());
  write_file(folder / "bench.v", kBench);
  write_file(folder / "map.ys", "read_verilog " + path("rtl.v") +
                                    "\nproc\nopt -full\ntechmap -map " + path("gates.v") +
                                    "\nselect -assert-count 5 t:strobe_clock_gate\nrename "
                                    "registers gated\nwrite_verilog -noattr " +
                                    path("net.v") + "\n");
  run("mapping", {"yosys", "-q", path("map.ys")});
  run("compiling", {"iverilog", "-g2012", "-o", path("bench"), path("rtl.v"), path("net.v"),
                    path("model.sv"), path("bench.v")});
  EXPECT_EQ(run("simulating", {"vvp", path("bench")}), "wrong in 0 cycles\n");
}

}  // namespace
}  // namespace strobe::synth
