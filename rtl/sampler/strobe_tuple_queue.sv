// Tuple queue: up to Lanes tuples in, up to Heads out; counts what finds no place.
//
// docs/blocks/tuple_queue.md is the contract. Position p of the queue is row p / Banks of bank
// p % Banks, so the tuples of one cycle go to different banks, each with one write port.
//
// A head must be there one cycle after its insertion, but a RAM gives its word one cycle after
// the read. So the words of the next heads are read in each cycle, and a tuple that becomes a head
// straight away is in that head's bypass register for its first cycle. The heads are neighbours, so
// each comes from a bank of its own. A word that goes nowhere is 'x: no gates, and no work for a
// simulator.
//
// Numbers of lanes are thermometers, bit j is "more than j": those that find a place are the AND of
// the arrivals and the places, those that find none the arrivals shifted down by the places.
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
  localparam int TagWidth = strobe_pkg::TagWidth;

  localparam logic [PtrWidth-1:0] PtrMask = PtrWidth'(Depth - 1);
  localparam logic [BankIdxWidth-1:0] BankMask = BankIdxWidth'(Banks - 1);

  logic [CntWidth-1:0] count_q;
  logic [PtrWidth-1:0] rptr_q, rptr_d, wptr_q;

  // Arrivals: which one lane k is, one bit of number[Lanes*k+:Lanes]; how many came, find a place and
  // find none.
  logic [CntWidth-1:0] free;
  logic [Lanes*Lanes-1:0] number;
  logic [Lanes-1:0] arrived, taken, lost;
  assign free = CntWidth'(Depth) - count_q;
  always_comb begin
    arrived = '0;
    for (int k = 0; k < Lanes; k++) begin
      number[Lanes*k+:Lanes] = valid_i[k] ? ((arrived << 1) | Lanes'(1)) & ~arrived : '0;
      if (valid_i[k]) arrived = (arrived << 1) | Lanes'(1);
    end
    for (int j = 0; j < Lanes; j++) taken[j] = arrived[j] && 32'(count_q) < Depth - j;
  end
  assign lost   = arrived >> free;
  assign drop_o = lost != '0;

  logic [LaneCntWidth-1:0] taken_count, lost_count;
  always_comb begin
    taken_count = '0;
    lost_count  = '0;
    for (int j = 0; j < Lanes; j++) begin
      if (taken[j]) taken_count = LaneCntWidth'(j + 1);
      if (lost[j]) lost_count = LaneCntWidth'(j + 1);
    end
  end

  // The pop. ready_i comes late: it only chooses between what follows from the state, the bank's address included.
  logic pop;
  logic [PtrWidth-1:0] rptr_popped;
  logic [CntWidth-1:0] heads, left;  // left: of the older tuples, with a pop
  logic [Heads-1:0] stored;          // the next head h is one of them
  assign pop = valid_o[0] && ready_i;
  assign heads = 32'(count_q) < Heads ? count_q : CntWidth'(Heads);
  assign left = count_q - heads;
  assign rptr_popped = (rptr_q + PtrWidth'(heads)) & PtrMask;
  assign rptr_d = pop ? rptr_popped : rptr_q;
  always_comb begin
    for (int h = 0; h < Heads; h++) begin
      stored[h] = pop ? 32'(count_q) > Heads + h : 32'(count_q) > h;
    end
  end

  // Banks: bank b stores the arrival whose position falls into it, and reads the next head of its own.
  logic [TagWidth*Banks-1:0] rtag;
  logic [64*Banks-1:0] rpc, rvalue;
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic [BankIdxWidth-1:0] distance;  // from the write pointer to this bank
    logic [PtrWidth-1:0] position;
    assign distance = (BankIdxWidth'(b) - BankIdxWidth'(wptr_q)) & BankMask;
    assign position = (wptr_q + PtrWidth'(distance)) & PtrMask;

    logic we;
    logic [Lanes-1:0] select;
    logic [TagWidth-1:0] wtag;
    logic [63:0] wpc, wvalue;
    always_comb begin
      we = 1'b0;
      for (int j = 0; j < Lanes; j++) if (32'(distance) == j) we = taken[j];
      select = 'x;
      wtag = 'x;
      wpc = 'x;
      wvalue = 'x;
      if (we) begin
        select = '0;
        for (int j = 0; j < Lanes; j++) begin
          if (32'(distance) == j) for (int k = 0; k < Lanes; k++) select[k] = number[Lanes*k+j];
        end
        wtag = '0;
        wpc = '0;
        wvalue = '0;
        for (int k = 0; k < Lanes; k++) begin
          wtag = wtag | ({TagWidth{select[k]}} & tag_i[TagWidth*k+:TagWidth]);
          wpc = wpc | ({64{select[k]}} & pc_i[64*k+:64]);
          wvalue = wvalue | ({64{select[k]}} & value_i[64*k+:64]);
        end
      end
    end

    // The next head of this bank, without a pop and with one.
    logic re_kept, re_popped;
    logic [BankIdxWidth-1:0] ahead_kept, ahead_popped;  // of head 0
    logic [PtrWidth-1:0] position_kept, position_popped;
    assign ahead_kept = (BankIdxWidth'(b) - BankIdxWidth'(rptr_q)) & BankMask;
    assign ahead_popped = (BankIdxWidth'(b) - BankIdxWidth'(rptr_popped)) & BankMask;
    assign position_kept = (rptr_q + PtrWidth'(ahead_kept)) & PtrMask;
    assign position_popped = (rptr_popped + PtrWidth'(ahead_popped)) & PtrMask;
    always_comb begin
      re_kept   = 1'b0;
      re_popped = 1'b0;
      for (int h = 0; h < Heads; h++) begin
        if (32'(ahead_kept) == h) re_kept = 32'(count_q) > h;
        if (32'(ahead_popped) == h) re_popped = 32'(count_q) > Heads + h;
      end
    end

    strobe_ram_1r1w #(
        .Width(strobe_pkg::TupleWidth),
        .Depth(Rows)
    ) u_ram (
        .clk_i,
        .we_i(we),
        .waddr_i(RowBits'(position >> BankBits)),
        .wdata_i({wtag, wpc, wvalue}),
        .re_i(pop ? re_popped : re_kept),
        .raddr_i(RowBits'((pop ? position_popped : position_kept) >> BankBits)),
        .rdata_o({rtag[TagWidth*b+:TagWidth], rpc[64*b+:64], rvalue[64*b+:64]})
    );
  end

  // Head h: the arrival of the last cycle that went there straight away, or the RAM's.
  for (genvar h = 0; h < Heads; h++) begin : gen_head
    logic [Lanes-1:0] select;
    logic [TagWidth-1:0] tag, bypass_tag_q;
    logic [63:0] pc, value, bypass_pc_q, bypass_value_q;
    always_comb begin
      select = 'x;
      tag = 'x;
      pc = 'x;
      value = 'x;
      if (arrived[0]) begin
        select = '0;
        for (int j = 0; j <= h; j++) begin
          if (pop ? 32'(left) + j == h : 32'(count_q) + j == h) begin
            for (int k = 0; k < Lanes; k++) select[k] = number[Lanes*k+j];
          end
        end
        tag = '0;
        pc = '0;
        value = '0;
        for (int k = 0; k < Lanes; k++) begin
          tag = tag | ({TagWidth{select[k]}} & tag_i[TagWidth*k+:TagWidth]);
          pc = pc | ({64{select[k]}} & pc_i[64*k+:64]);
          value = value | ({64{select[k]}} & value_i[64*k+:64]);
        end
      end
    end
    logic bypass_q;
    always_ff @(posedge clk_i) begin
      bypass_q <= !stored[h];
      bypass_tag_q <= tag;
      bypass_pc_q <= pc;
      bypass_value_q <= value;
    end

    logic [BankIdxWidth-1:0] bank;
    logic [Banks-1:0] from_bank;
    logic [TagWidth-1:0] head_tag;
    logic [63:0] head_pc, head_value;
    assign bank = (BankIdxWidth'(rptr_q) + BankIdxWidth'(h)) & BankMask;
    assign from_bank = bypass_q ? '0 : Banks'(1) << bank;
    always_comb begin
      head_tag = 'x;
      head_pc = 'x;
      head_value = 'x;
      if (valid_o[h]) begin
        head_tag = {TagWidth{bypass_q}} & bypass_tag_q;
        head_pc = {64{bypass_q}} & bypass_pc_q;
        head_value = {64{bypass_q}} & bypass_value_q;
        for (int b = 0; b < Banks; b++) begin
          head_tag = head_tag | ({TagWidth{from_bank[b]}} & rtag[TagWidth*b+:TagWidth]);
          head_pc = head_pc | ({64{from_bank[b]}} & rpc[64*b+:64]);
          head_value = head_value | ({64{from_bank[b]}} & rvalue[64*b+:64]);
        end
      end
    end
    assign valid_o[h] = 32'(count_q) > h;
    assign tag_o[TagWidth*h+:TagWidth] = head_tag;
    assign pc_o[64*h+:64] = head_pc;
    assign value_o[64*h+:64] = head_value;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      rptr_q  <= '0;
      wptr_q  <= '0;
    end else if (clear_i) begin
      count_q <= '0;
      rptr_q  <= '0;
      wptr_q  <= '0;
    end else begin
      count_q <= pop ? left + CntWidth'(taken_count) : count_q + CntWidth'(taken_count);
      rptr_q  <= rptr_d;
      wptr_q  <= (wptr_q + PtrWidth'(taken_count)) & PtrMask;
    end
  end

  // What the last cycle dropped is added in this one, and seen in the next.
  logic [LaneCntWidth-1:0] lost_q;
  logic [31:0] dropped_q, dropped_d;
  logic [LaneCntWidth:0] dropped_low;                // with its carry
  logic [31-LaneCntWidth:0] dropped_high, high_up;  // the carry only chooses
  assign dropped_high = dropped_q[31:LaneCntWidth];
  assign dropped_low  = {1'b0, dropped_q[LaneCntWidth-1:0]} + (LaneCntWidth + 1)'(lost_q);
  strobe_increment #(
      .Width(32 - LaneCntWidth)
  ) u_high_up (
      .value_i(dropped_high),
      .value_o(high_up)
  );
  always_comb begin
    dropped_d = {dropped_high, dropped_low[LaneCntWidth-1:0]};
    if (dropped_low[LaneCntWidth]) begin
      dropped_d = dropped_high == '1 ? '1 : {high_up, dropped_low[LaneCntWidth-1:0]};
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      lost_q <= '0;
      dropped_q <= '0;
    end else if (clear_i) begin
      lost_q <= '0;
      dropped_q <= '0;
    end else begin
      lost_q <= lost_count;
      dropped_q <= dropped_d;
    end
  end

  assign count_o = count_q;
  assign dropped_o = dropped_q;

  `STROBE_ASSERT(QueueNeverOverflows, 32'(count_q) <= Depth)
  `STROBE_ASSERT(QueuePopsOnlyWhatIsThere, !pop || count_q != '0)
  `STROBE_ASSERT(QueuePointersGiveTheCount, ((wptr_q - rptr_q) & PtrMask) ==
                 (PtrWidth'(count_q) & PtrMask))
endmodule
