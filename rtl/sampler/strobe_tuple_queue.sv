// Tuple queue: up to Lanes tuples in, up to Heads out; counts what finds no place.
//
// docs/blocks/tuple_queue.md is the contract. Position p of the queue is row p / Banks of bank
// p % Banks, so the tuples of one cycle go to different banks, each with one write port. The heads
// are neighbours, so each comes from a bank of its own.
//
// A RAM gives its word one cycle after the read: the words behind the heads are read in the cycle in
// which the heads leave (read-ahead), and a tuple can be a head two cycles after it came.
//
// Numbers of lanes are thermometers: bit j says "more than j". Those that find a place are then the
// AND of those that came and the places, and nothing waits for a sum.
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

    // The heads, head 0 the oldest; they leave together. Fields of one that is not there mean nothing.
    output logic [Heads-1:0]                        valid_o,
    output logic [strobe_pkg::TagWidth*Heads-1:0]   tag_o,
    output logic [strobe_pkg::PcWidth*Heads-1:0]    pc_o,
    output logic [strobe_pkg::ValueWidth*Heads-1:0] value_o,
    input  logic                                    ready_i,

    output logic [$clog2(Depth):0] count_o,
    output logic                   drop_o,     // the last cycle dropped; dropped_o has it next
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
  localparam int BankIdxWidth = BankBits > 0 ? BankBits : 1;
  localparam int TupleWidth = strobe_pkg::TupleWidth;

  localparam int HeadCntWidth = $clog2(Heads + 1);
  localparam logic [PtrWidth-1:0] PtrMask = PtrWidth'(Depth - 1);
  localparam logic [BankIdxWidth-1:0] BankMask = BankIdxWidth'(Banks - 1);

  logic [CntWidth-1:0] free_q, count;
  logic [PtrWidth-1:0] rptr_q, rptr_d, wptr_q;
  logic [Heads-1:0] head_valid_q, head_valid_d;
  assign count = CntWidth'(Depth) - free_q;

  // Arrivals: which valid lane lane k is, one bit; how many there are; which find a place.
  logic [Lanes*Lanes-1:0] number;
  logic [Lanes-1:0] arrived, room, taken;
  always_comb begin
    arrived = '0;
    for (int k = 0; k < Lanes; k++) begin
      number[Lanes*k+:Lanes] = valid_i[k] ? ((arrived << 1) | Lanes'(1)) & ~arrived : '0;
      if (valid_i[k]) arrived = (arrived << 1) | Lanes'(1);
    end
    for (int j = 0; j < Lanes; j++) room[j] = 32'(free_q) > j;
  end
  assign taken = arrived & room;

  // The pop. What it would take is state, so that ready_i chooses only.
  logic pop;
  logic [HeadCntWidth-1:0] heads;
  logic [CntWidth-1:0] left, free_before;  // tuples after the pop, and places
  assign pop = head_valid_q[0] && ready_i;
  always_comb begin
    heads = '0;
    for (int h = 0; h < Heads; h++) if (head_valid_q[h]) heads = HeadCntWidth'(h + 1);
  end
  assign left = count - CntWidth'(heads);
  assign free_before = pop ? free_q + CntWidth'(heads) : free_q;
  assign rptr_d = (pop ? rptr_q + PtrWidth'(heads) : rptr_q) & PtrMask;
  always_comb begin
    for (int h = 0; h < Heads; h++) begin
      head_valid_d[h] = pop ? 32'(left) > h : 32'(count) > h;
    end
  end

  logic [CntWidth-1:0] taken_count;
  always_comb begin
    taken_count = '0;
    for (int j = 0; j < Lanes; j++) if (taken[j]) taken_count = CntWidth'(j + 1);
  end

  // Banks: bank b stores the arrival whose position falls into it, and reads that head's word.
  logic [TupleWidth*Banks-1:0] rdata;
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic [BankIdxWidth-1:0] distance;  // from the write pointer to this bank
    logic [PtrWidth-1:0] position;
    assign distance = (BankIdxWidth'(b) - BankIdxWidth'(wptr_q)) & BankMask;
    assign position = (wptr_q + PtrWidth'(distance)) & PtrMask;

    logic we;
    logic [Lanes-1:0] select;
    logic [TupleWidth-1:0] wdata;
    always_comb begin
      we = 1'b0;
      select = '0;
      for (int j = 0; j < Lanes; j++) begin
        if (32'(distance) == j) begin
          we = taken[j];
          for (int k = 0; k < Lanes; k++) select[k] = number[Lanes*k+j];
        end
      end
      wdata = '0;
      for (int k = 0; k < Lanes; k++) begin
        wdata = wdata | ({TupleWidth{select[k]}} & {
          tag_i[strobe_pkg::TagWidth*k+:strobe_pkg::TagWidth], pc_i[64*k+:64], value_i[64*k+:64]
        });
      end
    end

    logic re;
    logic [BankIdxWidth-1:0] ahead;  // of the next head 0, in this bank
    logic [PtrWidth-1:0] read_position;
    assign ahead = (BankIdxWidth'(b) - BankIdxWidth'(rptr_d)) & BankMask;
    assign read_position = (rptr_d + PtrWidth'(ahead)) & PtrMask;
    always_comb begin
      re = 1'b0;
      for (int h = 0; h < Heads; h++) begin
        if (32'(ahead) == h) re = head_valid_d[h] && (pop || !head_valid_q[h]);
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
        .re_i(re),
        .raddr_i(RowBits'(read_position >> BankBits)),
        .rdata_o(rdata[TupleWidth*b+:TupleWidth])
    );
  end

  // Head h comes from the bank of its position.
  for (genvar h = 0; h < Heads; h++) begin : gen_head
    logic [BankIdxWidth-1:0] bank;
    assign bank = (BankIdxWidth'(rptr_q) + BankIdxWidth'(h)) & BankMask;
    strobe_onehot_mux #(
        .Width(TupleWidth),
        .Inputs(Banks)
    ) u_head (
        .data_i(rdata),
        .select_i(Banks'(1) << bank),
        .data_o({
          tag_o[strobe_pkg::TagWidth*h+:strobe_pkg::TagWidth], pc_o[64*h+:64], value_o[64*h+:64]
        })
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      free_q <= CntWidth'(Depth);
      rptr_q <= '0;
      wptr_q <= '0;
      head_valid_q <= '0;
    end else if (clear_i) begin
      free_q <= CntWidth'(Depth);
      rptr_q <= '0;
      wptr_q <= '0;
      head_valid_q <= '0;
    end else begin
      free_q <= free_before - taken_count;
      rptr_q <= rptr_d;
      wptr_q <= (wptr_q + PtrWidth'(taken_count)) & PtrMask;
      head_valid_q <= head_valid_d;
    end
  end
  assign valid_o = head_valid_q;
  assign count_o = count;

  // Drops are counted one cycle later, in two parts: the low one adds, its carry only steps the high
  // one.
  localparam int LowWidth = 4;
  logic [Lanes-1:0] lost_q;
  logic [LowWidth-1:0] low_q;
  logic [31-LowWidth:0] high_q;
  logic [LowWidth:0] low_sum;
  always_comb begin
    low_sum = {1'b0, low_q};
    for (int j = 0; j < Lanes; j++) low_sum = low_sum + (LowWidth + 1)'(lost_q[j]);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lost_q <= '0;
      low_q  <= '0;
      high_q <= '0;
    end else if (clear_i) begin
      lost_q <= '0;
      low_q  <= '0;
      high_q <= '0;
    end else begin
      lost_q <= arrived & ~room;
      low_q  <= low_sum[LowWidth] && high_q == '1 ? '1 : low_sum[LowWidth-1:0];
      if (low_sum[LowWidth] && high_q != '1) high_q <= high_q + (32 - LowWidth)'(1);
    end
  end
  assign drop_o = lost_q != '0;
  assign dropped_o = {high_q, low_q};

  `STROBE_ASSERT(QueueNeverOverflows, 32'(free_q) <= Depth)
  `STROBE_ASSERT(QueueShowsOnlyWhatIsThere, 32'(heads) <= 32'(count))
  `STROBE_ASSERT(QueueHeadsHaveNoGap, (head_valid_q & (head_valid_q + 1'b1)) == '0)
  `STROBE_ASSERT(QueuePointersGiveTheCount, ((wptr_q - rptr_q) & PtrMask) ==
                 (PtrWidth'(count) & PtrMask))
endmodule
