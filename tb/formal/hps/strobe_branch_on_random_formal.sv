// SPDX-License-Identifier: Apache-2.0
// Branch-on-random: what is taken follows from the state as docs/blocks/branch_on_random.md says, for each code;
// a state stays until a load or a branch; a load restores the state that was saved; no step ends in 0, and no
// two states have the same next state, so the states form cycles. That they form one cycle, and how often each
// code is taken in it, is counted by tb/branch_on_random_test.cpp.
// prove: induction 2
// prove: cover 6
module strobe_branch_on_random_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic load_i,
    input logic draw_i,
    input logic [3:0] frequency_i,
    input logic [19:0] load_state_i,
    input logic [19:0] other_state_i
);
  logic taken, other_taken;
  logic [19:0] state, other;
  strobe_branch_on_random u_one (
      .clk_i, .rst_ni, .load_i, .load_state_i, .draw_i, .frequency_i, .taken_o(taken), .state_o(state)
  );
  strobe_branch_on_random u_other (
      .clk_i, .rst_ni, .load_i, .load_state_i(other_state_i), .draw_i, .frequency_i,
      .taken_o(other_taken), .state_o(other)
  );

  // The bits of the page's list, one code after another.
  logic [15:0] expected;
  assign expected[0] = state[3];
  assign expected[1] = expected[0] && state[8];
  assign expected[2] = expected[1] && state[4];
  assign expected[3] = expected[2] && state[12];
  assign expected[4] = expected[3] && state[17];
  assign expected[5] = expected[4] && state[15];
  assign expected[6] = expected[5] && state[14];
  assign expected[7] = expected[6] && state[9];
  assign expected[8] = expected[7] && state[16];
  assign expected[9] = expected[8] && state[18];
  assign expected[10] = expected[9] && state[19];
  assign expected[11] = expected[10] && state[11];
  assign expected[12] = expected[11] && state[1];
  assign expected[13] = expected[12] && state[0];
  assign expected[14] = expected[13] && state[5];
  assign expected[15] = expected[14] && state[7];

  initial assume (!rst_ni);
  logic differed_q, loaded_q, drawn_q, known_q;
  logic [19:0] state_q, saved_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) known_q <= 1'b0;
    else known_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    differed_q <= state != other;
    loaded_q <= load_i;
    drawn_q <= draw_i;
    state_q <= state;
    saved_q <= load_state_i;
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      TakenIsThePage : assert (taken == expected[frequency_i]);
      TheRarest : cover (taken && frequency_i == 4'd15);
    end
    if (rst_ni && known_q) begin
      ALoadRestores : assert (!loaded_q || state == saved_q || (saved_q == '0 && state == 20'h9e377));
      AStateStays : assert (loaded_q || drawn_q || state == state_q);
      NoTwoStatesMeet : assert (loaded_q || differed_q == (state != other));
      TwoRunApart : cover (drawn_q && !loaded_q && taken != other_taken);
    end
  end
endmodule
