// Tuple queue: up to Lanes tuples in, one out; counts what finds no place.
//
// docs/blocks/tuple_queue.md is the contract. Position p of the queue is row p / Banks of bank
// p % Banks, so the tuples of one cycle go to different banks, each with one write port.
//
// The head must be there one cycle after its insertion, but a RAM gives its word one cycle after
// the read. So the word behind the head is read in the cycle in which the head leaves (read-ahead),
// and a tuple that becomes the head straight away is kept in a bypass register.
//
// Places are those free at the start of the cycle: a pop does not make room in its own cycle.
// Priority: clear > pop and insert (both happen).
`include "strobe_assert.svh"

module strobe_tuple_queue #(
    parameter int Lanes = 4,
    parameter int Depth = 64
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    // Tuples in: those lanes that are valid, lane 0 first.
    input logic [Lanes-1:0]                        valid_i,
    input logic [strobe_pkg::TagWidth*Lanes-1:0]   tag_i,
    input logic [strobe_pkg::PcWidth*Lanes-1:0]    pc_i,
    input logic [strobe_pkg::ValueWidth*Lanes-1:0] value_i,

    // The head; its fields are 0 when there is none.
    output logic                              valid_o,
    output logic [strobe_pkg::TagWidth-1:0]   tag_o,
    output logic [strobe_pkg::PcWidth-1:0]    pc_o,
    output logic [strobe_pkg::ValueWidth-1:0] value_o,
    input  logic                              ready_i,

    output logic [$clog2(Depth):0] count_o,
    output logic                   drop_o,     // combinational: a tuple is dropped in this cycle
    output logic [31:0]            dropped_o   // saturates
);
  `STROBE_REQUIRE(QueueLanes, Lanes >= 1 && Lanes <= strobe_pkg::MaxLanes,
                  "strobe_tuple_queue: Lanes must be 1 to 8")
  `STROBE_REQUIRE(QueueDepth, Depth >= Lanes && Depth <= strobe_pkg::MaxQueueDepth &&
                  (Depth & (Depth - 1)) == 0,
                  "strobe_tuple_queue: Depth must be a power of two from Lanes to 1024")

  localparam int Banks = 1 << $clog2(Lanes);
  localparam int BankBits = $clog2(Banks);
  localparam int Rows = Depth / Banks;
  localparam int RowBits = Rows > 1 ? $clog2(Rows) : 1;
  localparam int PtrWidth = Depth > 1 ? $clog2(Depth) : 1;
  localparam int CntWidth = $clog2(Depth) + 1;
  localparam int LaneCntWidth = $clog2(Lanes + 1);
  localparam int BankIdxWidth = BankBits > 0 ? BankBits : 1;
  localparam int TupleWidth = strobe_pkg::TupleWidth;

  localparam logic [PtrWidth-1:0] PtrMask = PtrWidth'(Depth - 1);
  localparam logic [BankIdxWidth-1:0] BankMask = BankIdxWidth'(Banks - 1);

  logic [CntWidth-1:0] count_q;
  logic [PtrWidth-1:0] rptr_q, rptr_d, wptr_q;

  // Which valid lanes find a place: lane k is the offset[k]-th valid one.
  logic [CntWidth-1:0] free;
  logic [LaneCntWidth*Lanes-1:0] offset;
  logic [LaneCntWidth-1:0] arrived, taken;
  logic [Lanes-1:0] accept;
  assign free = CntWidth'(Depth) - count_q;
  always_comb begin
    arrived = '0;
    for (int k = 0; k < Lanes; k++) begin
      offset[LaneCntWidth*k+:LaneCntWidth] = arrived;
      accept[k] = valid_i[k] && 32'(arrived) < 32'(free);
      if (valid_i[k]) arrived = arrived + LaneCntWidth'(1);
    end
  end
  assign taken  = 32'(arrived) > 32'(free) ? LaneCntWidth'(free) : arrived;
  assign drop_o = taken != arrived;

  logic pop, last;
  assign pop = valid_o && ready_i;
  assign last = count_q == CntWidth'(pop);  // after the pop nothing older is left
  assign rptr_d = (rptr_q + PtrWidth'(pop)) & PtrMask;

  // Banks: bank b stores the valid lane whose position falls into it.
  logic [BankIdxWidth-1:0] rbank_q;
  logic [TupleWidth*Banks-1:0] rdata;
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic [BankIdxWidth-1:0] distance;  // from the write pointer to this bank
    logic [PtrWidth-1:0] position;
    assign distance = (BankIdxWidth'(b) - BankIdxWidth'(wptr_q)) & BankMask;
    assign position = (wptr_q + PtrWidth'(distance)) & PtrMask;

    logic we;
    logic [TupleWidth-1:0] wdata;
    always_comb begin
      we = 1'b0;
      wdata = '0;
      for (int k = 0; k < Lanes; k++) begin
        if (accept[k] && offset[LaneCntWidth*k+:LaneCntWidth] == LaneCntWidth'(distance)) begin
          we = 1'b1;
          wdata = {
            tag_i[strobe_pkg::TagWidth*k+:strobe_pkg::TagWidth], pc_i[64*k+:64], value_i[64*k+:64]
          };
        end
      end
    end

    strobe_ram_1r1w #(
        .Width(TupleWidth),
        .Depth(Rows)
    ) u_ram (
        .clk_i,
        .we_i(we),
        .waddr_i(RowBits'(position >> BankBits)),
        .wdata_i(wdata),
        .re_i(pop && !last),
        .raddr_i(RowBits'(rptr_d >> BankBits)),
        .rdata_o(rdata[TupleWidth*b+:TupleWidth])
    );
  end

  // The tuple that becomes the head without having been stored before: the first that arrives.
  logic [TupleWidth-1:0] first;
  always_comb begin
    first = '0;
    for (int k = Lanes - 1; k >= 0; k--) begin
      if (valid_i[k]) begin
        first = {
          tag_i[strobe_pkg::TagWidth*k+:strobe_pkg::TagWidth], pc_i[64*k+:64], value_i[64*k+:64]
        };
      end
    end
  end

  logic bypass_q;
  logic [TupleWidth-1:0] bypass_data_q, head;
  always_ff @(posedge clk_i) begin
    if (last) bypass_data_q <= first;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q  <= '0;
      rptr_q   <= '0;
      wptr_q   <= '0;
      rbank_q  <= '0;
      bypass_q <= 1'b0;
    end else if (clear_i) begin
      count_q  <= '0;
      rptr_q   <= '0;
      wptr_q   <= '0;
      rbank_q  <= '0;
      bypass_q <= 1'b0;
    end else begin
      count_q <= count_q + CntWidth'(taken) - CntWidth'(pop);
      rptr_q  <= rptr_d;
      wptr_q  <= (wptr_q + PtrWidth'(taken)) & PtrMask;
      rbank_q <= BankIdxWidth'(rptr_d) & BankMask;
      if (pop || last) bypass_q <= last;
    end
  end

  logic [31:0] dropped_q, dropped_sum;
  assign dropped_sum = dropped_q + 32'(arrived) - 32'(taken);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) dropped_q <= '0;
    else if (clear_i) dropped_q <= '0;
    else dropped_q <= dropped_sum < dropped_q ? '1 : dropped_sum;
  end

  // Spelled out: an indexed part select of this width synthesizes to a shifter.
  always_comb begin
    head = bypass_data_q;
    for (int b = 0; b < Banks; b++) begin
      if (!bypass_q && 32'(rbank_q) == b) head = rdata[TupleWidth*b+:TupleWidth];
    end
  end
  assign valid_o = count_q != '0;
  assign {tag_o, pc_o, value_o} = valid_o ? head : '0;
  assign count_o = count_q;
  assign dropped_o = dropped_q;

  `STROBE_ASSERT(QueueNeverOverflows, 32'(count_q) <= Depth)
  `STROBE_ASSERT(QueuePopsOnlyWhatIsThere, !pop || count_q != '0)
  `STROBE_ASSERT(QueuePointersGiveTheCount, ((wptr_q - rptr_q) & PtrMask) ==
                 (PtrWidth'(count_q) & PtrMask))
endmodule
