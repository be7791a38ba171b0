// Tuple queue: up to Lanes tuples in, up to Heads out; counts what finds no place.
//
// docs/blocks/tuple_queue.md is the contract. Position p of the queue is row p / Banks of bank
// p % Banks, so the tuples of one cycle go to different banks, each with one write port.
//
// A head must be there one cycle after its insertion, but a RAM gives its word one cycle after
// the read. So the words behind the heads are read in the cycle in which the heads leave
// (read-ahead), and a tuple that becomes a head straight away is kept in that head's bypass
// register. The heads are neighbours, so each comes from a bank of its own.
//
// Places are those free at the start of the cycle: a pop does not make room in its own cycle.
// Priority: clear > pop and insert (both happen).
`include "strobe_assert.svh"

module strobe_tuple_queue #(
    parameter int Lanes = 4,
    parameter int Depth = 64,
    parameter int Heads = 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    // Tuples in: those lanes that are valid, lane 0 first.
    input logic [Lanes-1:0]                        valid_i,
    input logic [strobe_pkg::TagWidth*Lanes-1:0]   tag_i,
    input logic [strobe_pkg::PcWidth*Lanes-1:0]    pc_i,
    input logic [strobe_pkg::ValueWidth*Lanes-1:0] value_i,

    // The heads, head 0 the oldest; the fields of one that is not there are 0. They leave together.
    output logic [Heads-1:0]                        valid_o,
    output logic [strobe_pkg::TagWidth*Heads-1:0]   tag_o,
    output logic [strobe_pkg::PcWidth*Heads-1:0]    pc_o,
    output logic [strobe_pkg::ValueWidth*Heads-1:0] value_o,
    input  logic                                    ready_i,

    output logic [$clog2(Depth):0] count_o,
    output logic                   drop_o,     // combinational: a tuple is dropped in this cycle
    output logic [31:0]            dropped_o   // saturates
);
  `STROBE_REQUIRE(QueueLanes, Lanes >= 1 && Lanes <= strobe_pkg::MaxLanes,
                  "strobe_tuple_queue: Lanes must be 1 to 8")
  `STROBE_REQUIRE(QueueDepth, Depth >= Lanes && Depth <= strobe_pkg::MaxQueueDepth &&
                  (Depth & (Depth - 1)) == 0,
                  "strobe_tuple_queue: Depth must be a power of two from Lanes to 1024")
  `STROBE_REQUIRE(QueueHeads, Heads >= 1 && Heads <= Lanes,
                  "strobe_tuple_queue: Heads must be 1 to Lanes")

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

  // What the pop takes, and what of older tuples is left after it.
  logic pop;
  logic [CntWidth-1:0] popped, left;
  assign pop = valid_o[0] && ready_i;
  assign popped = !pop ? '0 : 32'(count_q) < Heads ? count_q : CntWidth'(Heads);
  assign left = count_q - popped;
  assign rptr_d = (rptr_q + PtrWidth'(popped)) & PtrMask;

  // Banks: bank b stores the valid lane whose position falls into it.
  logic [BankIdxWidth-1:0] rbank_q;
  logic [TupleWidth*Banks-1:0] rdata;
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic [BankIdxWidth-1:0] distance;  // from the write pointer to this bank
    logic [PtrWidth-1:0] position;
    assign distance = (BankIdxWidth'(b) - BankIdxWidth'(wptr_q)) & BankMask;
    assign position = (wptr_q + PtrWidth'(distance)) & PtrMask;

    logic [BankIdxWidth-1:0] ahead;  // of the new head 0, in this bank
    logic [PtrWidth-1:0] read_position;
    assign ahead = (BankIdxWidth'(b) - BankIdxWidth'(rptr_d)) & BankMask;
    assign read_position = (rptr_d + PtrWidth'(ahead)) & PtrMask;

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
        .re_i(pop && 32'(ahead) < Heads && 32'(ahead) < 32'(left)),
        .raddr_i(RowBits'(read_position >> BankBits)),
        .rdata_o(rdata[TupleWidth*b+:TupleWidth])
    );
  end

  // Head h: a tuple that arrives there straight away, or the RAM's.
  for (genvar h = 0; h < Heads; h++) begin : gen_head
    logic arrives, bypass_q;
    logic [TupleWidth-1:0] arriving, bypass_data_q, head;
    assign arrives = 32'(left) <= h;
    always_comb begin
      arriving = '0;
      for (int k = 0; k < Lanes; k++) begin
        if (valid_i[k] && 32'(offset[LaneCntWidth*k+:LaneCntWidth]) + 32'(left) == h) begin
          arriving = {
            tag_i[strobe_pkg::TagWidth*k+:strobe_pkg::TagWidth], pc_i[64*k+:64], value_i[64*k+:64]
          };
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (arrives) bypass_data_q <= arriving;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) bypass_q <= 1'b0;
      else if (clear_i) bypass_q <= 1'b0;
      else if (pop || arrives) bypass_q <= arrives;
    end

    // Spelled out: an indexed part select of this width synthesizes to a shifter.
    logic [BankIdxWidth-1:0] bank;
    assign bank = (rbank_q + BankIdxWidth'(h)) & BankMask;
    always_comb begin
      head = bypass_data_q;
      for (int b = 0; b < Banks; b++) begin
        if (!bypass_q && 32'(bank) == b) head = rdata[TupleWidth*b+:TupleWidth];
      end
      if (!valid_o[h]) head = '0;
    end
    assign valid_o[h] = 32'(count_q) > h;
    assign tag_o[strobe_pkg::TagWidth*h+:strobe_pkg::TagWidth] = head[128+:strobe_pkg::TagWidth];
    assign pc_o[64*h+:64] = head[127:64];
    assign value_o[64*h+:64] = head[63:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      rptr_q  <= '0;
      wptr_q  <= '0;
      rbank_q <= '0;
    end else if (clear_i) begin
      count_q <= '0;
      rptr_q  <= '0;
      wptr_q  <= '0;
      rbank_q <= '0;
    end else begin
      count_q <= left + CntWidth'(taken);
      rptr_q  <= rptr_d;
      wptr_q  <= (wptr_q + PtrWidth'(taken)) & PtrMask;
      rbank_q <= BankIdxWidth'(rptr_d) & BankMask;
    end
  end

  logic [31:0] dropped_q, dropped_sum;
  assign dropped_sum = dropped_q + 32'(arrived) - 32'(taken);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) dropped_q <= '0;
    else if (clear_i) dropped_q <= '0;
    else dropped_q <= dropped_sum < dropped_q ? '1 : dropped_sum;
  end

  assign count_o = count_q;
  assign dropped_o = dropped_q;

  `STROBE_ASSERT(QueueNeverOverflows, 32'(count_q) <= Depth)
  `STROBE_ASSERT(QueuePopsOnlyWhatIsThere, !pop || count_q != '0)
  `STROBE_ASSERT(QueuePointersGiveTheCount, ((wptr_q - rptr_q) & PtrMask) ==
                 (PtrWidth'(count_q) & PtrMask))
endmodule
