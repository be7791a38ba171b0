// SPDX-License-Identifier: Apache-2.0
// Jitter of the counters: from the second cycle after a write or a load on, copies_o is the control copy of the
// register plus as many random bits as docs/blocks/dise.md says, and the other copies are as written. A counter
// gets the copies of the cycle before. The state steps with step_i and only then, as the page's xorshift, and a
// load restores it. That the state runs through all values but 0 is counted by tests/unit/dise.
//
// prove: induction 3
// prove: cover 6
module strobe_counter_jitter_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [63:0] copies_i,
    input logic settle_i,
    input logic write_i,
    input logic [27:0] wdata_i,
    input logic load_i,
    input logic [11:0] load_state_i,
    input logic step_i
);
  localparam int Width = 8;
  logic [27:0] word;
  logic [7:0] jitters;
  logic [11:0] state;
  logic [63:0] copies, set_copies;
  strobe_counter_jitter #(
      .CounterWidth(Width)
  ) u_dut (
      .clk_i, .rst_ni, .copies_i, .settle_i, .write_i, .wdata_i, .load_i, .load_state_i, .step_i,
      .word_o(word), .jitters_o(jitters), .state_o(state), .copies_o(copies), .set_copies_o(set_copies)
  );

// peek: sum u_dut.sum_q
// peek: refill u_dut.refill_q
  logic [7:0] sum;
  logic refill;

  logic past_q, settled_q, loaded_q, stepped_q, written_q, touched_q;
  logic [63:0] copies_q, seen_q;
  logic [11:0] state_q, given_q;
  logic [27:0] wdata_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q <= 1'b0;
      touched_q <= 1'b0;
    end else begin
      past_q <= 1'b1;
      touched_q <= settle_i || load_i;
    end
  end
  always_ff @(posedge clk_i) begin
    settled_q <= settle_i;
    loaded_q <= load_i;
    stepped_q <= step_i;
    written_q <= write_i;
    copies_q <= copies_i;
    seen_q <= copies;
    state_q <= state;
    given_q <= load_state_i;
    wdata_q <= wdata_i;
  end
  initial assume (!rst_ni);
  always @(posedge clk_i) begin
    if (!rst_ni) CopiesAreZeroInReset : assume (copies_i == '0);
    if (rst_ni) begin
      CopiesChangeByWrites : assume (past_q ? copies_i == copies_q || settled_q : copies_i == '0);
      AWriteIsTold : assume (!write_i || settle_i);
      NoLoadIsZero : assume (!load_i || load_state_i != '0);
      NoStepBeforeTheyAreRight : assume (!step_i || !(touched_q || settle_i || load_i));
    end
  end

  // The page's random number and sum, from what software reads.
  logic [2:0] register;
  logic [3:0] bits;
  logic [7:0] added, copy;
  assign register = word[2:0];
  assign bits = word[7:4];
  always_comb begin
    case (bits)
      4'd0: added = 8'd0;
      4'd1: added = {7'd0, state[0]};
      4'd2: added = {6'd0, state[1:0]};
      4'd3: added = {5'd0, state[2:0]};
      4'd4: added = {4'd0, state[3:0]};
      4'd5: added = {3'd0, state[4:0]};
      4'd6: added = {2'd0, state[5:0]};
      4'd7: added = {1'd0, state[6:0]};
      default: added = state[7:0];
    endcase
  end
  assign copy = copies_i[8*register+:8] + added;

  logic [63:0] others;
  for (genvar r = 0; r < 8; r++) begin : gen_other
    assign others[8*r+:8] = register == 3'(r) ? '0 : copies[8*r+:8] ^ copies_i[8*r+:8];
  end

  // Marsaglia's xorshift, bit by bit.
  logic [11:0] one, two, three;
  always_comb begin
    for (int b = 0; b < 12; b++) one[b] = state_q[b] ^ (b >= 5 ? state_q[(b + 7) % 12] : 1'b0);
    for (int b = 0; b < 12; b++) two[b] = one[b] ^ (b < 5 ? one[(b + 7) % 12] : 1'b0);
    for (int b = 0; b < 12; b++) three[b] = two[b] ^ (b == 11 ? two[0] : 1'b0);
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      TheSumIsThePages : assert (touched_q || refill || sum == copy);
      RefilledAfterATouch : assert (refill == touched_q);
      TheRegistersCopyIsTheSum : assert (copies[8*register+:8] == sum);
      OthersAreAsWritten : assert (others == '0);
      TheRegisterIsTold : assert (jitters == (bits == '0 ? '0 : 8'd1 << register));
      TheStateIsRead : assert (word[27:16] == state);
      NeverZero : assert (state != '0);
      if (past_q) begin
        ACounterGetsTheCopyBefore : assert (written_q || set_copies[8*register+:8] == seen_q[8*register+:8]);
        ALoadRestores : assert (!loaded_q || state == given_q);
        AWriteSeeds : assert (!written_q || loaded_q || state == wdata_q[27:16] || (wdata_q[27:16] == '0 && state == 12'd1));
        AStepIsThePages : assert (!stepped_q || loaded_q || written_q || state == three);
        AStateStays : assert (stepped_q || loaded_q || written_q || state == state_q);
      end
      AllBits : cover (past_q && added == 8'hff && !touched_q && stepped_q);
      TheSumWraps : cover (!touched_q && copy < added && copies_i[8*register+:8] != '0);
    end
  end
endmodule
