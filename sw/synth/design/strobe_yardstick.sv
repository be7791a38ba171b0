// The loop that sets a core's clock: 64-bit addition, bypass, register.
//
// Not a block of the profiler: the yardstick its blocks are measured with. Each operand comes
// through a 4:1 bypass multiplexer whose first input is the sum itself. The adder is the parallel
// prefix of Kogge and Stone (IEEE Trans. Computers C-22, 1973), written out: logic synthesis makes
// a ripple of a `+`.
module strobe_yardstick #(
    parameter int Width = 64
) (
    input  logic               clk_i,
    input  logic [1:0]         a_select_i,
    input  logic [1:0]         b_select_i,
    input  logic [2*Width-1:0] a_i,
    input  logic [2*Width-1:0] b_i,
    output logic [Width-1:0]   sum_o
);
  localparam int Levels = $clog2(Width);

  logic [1:0] a_select_q, b_select_q;
  logic [Width-1:0] sum_q, older_q, a, b;
  logic [2*Width-1:0] a_q, b_q;
  always_comb begin
    case (a_select_q)
      2'd0: a = sum_q;
      2'd1: a = older_q;
      2'd2: a = a_q[Width-1:0];
      default: a = a_q[2*Width-1:Width];
    endcase
    case (b_select_q)
      2'd0: b = sum_q;
      2'd1: b = older_q;
      2'd2: b = b_q[Width-1:0];
      default: b = b_q[2*Width-1:Width];
    endcase
  end

  // Level l spans 2^l bits: a span generates a carry, or propagates one.
  logic [(Levels+1)*Width-1:0] generates, propagates;
  assign generates[Width-1:0]  = a & b;
  assign propagates[Width-1:0] = a ^ b;
  for (genvar l = 0; l < Levels; l++) begin : gen_level
    for (genvar k = 0; k < Width; k++) begin : gen_bit
      localparam int At = l * Width + k;
      if (k >= (1 << l)) begin : gen_combine
        assign generates[At+Width] = generates[At] | (propagates[At] & generates[At-(1<<l)]);
        assign propagates[At+Width] = propagates[At] & propagates[At-(1<<l)];
      end else begin : gen_keep
        assign generates[At+Width]  = generates[At];
        assign propagates[At+Width] = propagates[At];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    a_select_q <= a_select_i;
    b_select_q <= b_select_i;
    a_q <= a_i;
    b_q <= b_i;
    older_q <= sum_q;
    sum_q <= propagates[Width-1:0] ^ {generates[Levels*Width+:Width-1], 1'b0};
  end
  assign sum_o = sum_q;
endmodule
