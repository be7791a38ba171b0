// One assertion header, three back ends, and the check of a module's parameters.
//
//   STROBE_ASSERT(Name, expression)   holds at every rising edge of clk_i outside reset
//     with Verilator --assert  stops the simulation and names the assertion
//     with Yosys and FORMAL    an immediate assertion: a proof obligation
//     anything else            nothing
//   STROBE_REQUIRE(Name, expression, "text")   a constant expression; elaboration fails if it is 0
//
// Icarus 11 has no elaboration-time $error; there the failure is a missing module that says it.
`ifndef STROBE_ASSERT_SVH
`define STROBE_ASSERT_SVH

`ifdef FORMAL
`define STROBE_ASSERT_ON
`elsif VERILATOR
`define STROBE_ASSERT_ON
`endif

`ifdef STROBE_ASSERT_ON
`define STROBE_ASSERT(name_, expression_) \
  always @(posedge clk_i) if (rst_ni) name_ : assert (expression_);
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
