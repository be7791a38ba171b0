// Whether one unsigned number is at most another: a carry tree of log2(Width) levels without its sum.
`include "strobe_assert.svh"

module strobe_at_most #(
    parameter int Width = 64
) (
    input  logic [Width-1:0] low_i,
    input  logic [Width-1:0] high_i,
    output logic             at_most_o  // low_i <= high_i
);
  `STROBE_REQUIRE(AtMostWidth, Width >= 1, "strobe_at_most: Width must be at least 1")

  // A heap over a power of two of bits: node n is the nodes 2n + 1 (upper bits) and 2n + 2.
  // above: its bits of low_i are larger; level: they are at least as large.
  localparam int Leaves = 1 << $clog2(Width);
  logic [Leaves-1:0] low, high;
  logic [2*Leaves-2:0] above, level;
  assign low  = Leaves'(low_i);
  assign high = Leaves'(high_i);
  always_comb begin
    for (int k = 0; k < Leaves; k++) begin
      above[2*Leaves-2-k] = low[k] && !high[k];
      level[2*Leaves-2-k] = low[k] || !high[k];
    end
    for (int n = Leaves - 2; n >= 0; n--) begin
      above[n] = above[2*n+1] || (level[2*n+1] && above[2*n+2]);
      level[n] = level[2*n+1] && level[2*n+2];
    end
  end
  assign at_most_o = !above[0];
endmodule
