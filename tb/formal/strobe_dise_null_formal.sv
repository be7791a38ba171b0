// The decode engine with productions that replace nothing: whatever they are, what leaves is what came, in order, and nothing is
// said to be replaced.
//
// prove: bmc 11
// prove: cover 13
module strobe_dise_null_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic we_i,
    input logic [11:0] address_i,
    input logic [63:0] wdata_i,
    input logic [1:0] valid_i,
    input logic [63:0] insn_i,
    input logic [127:0] pc_i,
    input logic [1:0] length4_i,
    input logic [127:0] target_i,
    input logic [1:0] expand_i,
    input logic [4:0] slot_i,
    input logic out_ready_i,
    input logic watch_i
);
  logic ready, out_valid, replaced, idle, position;
  logic [63:0] rdata;
  logic [1:0] valid, last, replaced_lane, flags;
  logic [63:0] insn;
  logic [5:0] dise, kind;
  logic [127:0] pc, value;
  logic [23:0] entry;
  logic [10:0] replaced_entry;
  strobe_dise #(
      .Lanes(2),
      .Patterns(2),
      .Replacements(4),
      .Counters(1),
      .CounterWidth(8)
  ) u_dut (
      .clk_i, .rst_ni, .we_i, .address_i, .wdata_i, .rdata_o(rdata),
      .valid_i, .insn_i, .pc_i, .length4_i, .target_i, .expand_i, .slot_i, .ready_o(ready),
      .inject_i(1'b0), .inject_entry_i('0), .restore_i(1'b0), .restore_slot_i('0), .restore_lane_i('0),
      .out_valid_o(out_valid), .valid_o(valid), .insn_o(insn), .dise_o(dise), .kind_o(kind), .pc_o(pc),
      .value_o(value), .entry_o(entry), .last_o(last), .replaced_o(replaced),
      .replaced_lane_o(replaced_lane), .replaced_entry_o(replaced_entry), .out_ready_i,
      .resume_i(1'b0), .resume_entry_i('0), .resume_done_i(1'b0),
      .idle_o(idle), .hps_flags_o(flags), .hps_position_o(position)
  );

  // One bundle, any, is watched: how many came before it and have not left, then what it is.
  logic taken, leaves, watching_q;
  logic [3:0] before_q, flying_q;
  logic [1:0] valid_q;
  logic [63:0] insn_q;
  logic [127:0] pc_q;
  assign taken  = ready && valid_i != '0;
  assign leaves = out_valid && out_ready_i;
  initial assume (!rst_ni);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      watching_q <= 1'b0;
      flying_q <= '0;
      before_q <= '0;
    end else begin
      flying_q <= flying_q + 4'(taken) - 4'(leaves);
      if (taken && watch_i && !watching_q) begin
        watching_q <= 1'b1;
        before_q <= flying_q - 4'(leaves);
      end else if (leaves && watching_q) begin
        before_q <= before_q - 4'd1;
        if (before_q == '0) watching_q <= 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (taken && watch_i && !watching_q) begin
      valid_q <= valid_i;
      insn_q <= insn_i;
      pc_q <= pc_i;
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      WritesWhileIdle : assume (!we_i || (idle && valid_i == '0));
      LanesWithoutAGap : assume (valid_i != 2'b10);
      NullOnly : assume (!we_i || address_i != strobe_dise_pkg::PatternKindOffset || !wdata_i[20]);
      NothingIsReplaced : assert (!replaced);
      NothingIsInjected : assert (!out_valid || (entry == '0 && kind == '0 && valid != '0));
      NothingIsLost : assert (!out_valid || flying_q != '0);
      if (watching_q && before_q == '0 && out_valid) begin
        LanesStay : assert (valid == valid_q);
        Lane0Stays : assert (insn[31:0] == insn_q[31:0] && pc[63:0] == pc_q[63:0]);
        Lane1Stays : assert (!valid[1] || (insn[63:32] == insn_q[63:32] && pc[127:64] == pc_q[127:64]));
      end
      Counts : cover (leaves && rdata == 64'd2 && address_i == strobe_dise_pkg::CounterOffset);
    end
  end
endmodule
