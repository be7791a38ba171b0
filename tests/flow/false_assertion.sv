// A counter up to 9 with two assertions: one holds, the other only when the bound is above 9.
`include "strobe_assert.svh"

module false_assertion (
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic [3:0] bound_i,
    output logic [3:0] count_o
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_o <= '0;
    else if (count_o != 4'd9) count_o <= count_o + 4'd1;
  end
  `STROBE_ASSERT(CountStaysBelowTen, count_o < 4'd10)
  `STROBE_ASSERT(CountStaysBelowTheBound, count_o < bound_i)
endmodule
