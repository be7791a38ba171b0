// SPDX-License-Identifier: Apache-2.0
// One assertion header, four back ends, and the check of a module's parameters.
//
//   STROBE_ASSERT(Name, expression)   holds at every rising edge of clk_i outside reset
//     with Yosys and FORMAL    an immediate assertion: a proof obligation
//     with STROBE_SVA          a concurrent assertion, for commercial simulators and formal tools
//     with Verilator --assert  stops the simulation and names the assertion
//     anything else            nothing
//   STROBE_REQUIRE(Name, expression, "text")   a constant expression; elaboration fails if it is 0
//
// Icarus 11 has no elaboration-time $error; there the failure is a missing module that says it.
`ifndef STROBE_ASSERT_SVH
`define STROBE_ASSERT_SVH

`ifdef FORMAL
`define STROBE_ASSERT_IMMEDIATE
`elsif STROBE_SVA
`define STROBE_ASSERT_CONCURRENT
`elsif VERILATOR
`define STROBE_ASSERT_IMMEDIATE
`endif

`ifdef STROBE_ASSERT_IMMEDIATE
`define STROBE_ASSERT(name_, expression_) \
  always @(posedge clk_i) if (rst_ni) name_ : assert (expression_);
`elsif STROBE_ASSERT_CONCURRENT
`define STROBE_ASSERT(name_, expression_) \
  name_ : assert property (@(posedge clk_i) disable iff (!rst_ni) (expression_));
`else
`define STROBE_ASSERT(name_, expression_)
`endif

`ifdef __ICARUS__
`define STROBE_REQUIRE(name_, expression_, text_) \
  if (!(expression_)) begin : gen_``name_ \
    strobe_parameter_out_of_range name_ (); \
  end
`else
`define STROBE_REQUIRE(name_, expression_, text_) \
  if (!(expression_)) begin : gen_``name_ \
    $error(text_); \
  end
`endif

`endif
