// The decode engine's checkpoints: a restore of any slot gives back exactly the counters and flags that stood behind its
// instruction, whatever has happened since.
//
// prove: bmc 15
// prove: cover 15
module strobe_dise_restore_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic we_i,
    input logic [11:0] address_i,
    input logic [63:0] wdata_i,
    input logic valid_i,
    input logic [31:0] insn_i,
    input logic [4:0] slot_i,
    input logic [4:0] watched_i,
    input logic restore_i,
    input logic out_ready_i
);
  logic ready, out_valid, replaced, idle, position, valid, last;
  logic [63:0] rdata, pc, value;
  logic [1:0] replaced_lane, flags;
  logic [31:0] insn;
  logic [2:0] dise, kind;
  logic [11:0] entry;
  logic [10:0] replaced_entry;
  logic decides, save, hold;
  logic [4:0] slot;
  logic [7:0] counter;
// peek: decides u_dut.decides
// peek: hold u_dut.hold
// peek: slot u_dut.loop_slot_q
// peek: counter u_dut.counters
  strobe_dise #(
      .Lanes(1),
      .Patterns(2),
      .Replacements(2),
      .Counters(1),
      .CounterWidth(8)
  ) u_dut (
      .clk_i, .rst_ni, .we_i, .address_i, .wdata_i, .rdata_o(rdata),
      .valid_i, .insn_i, .pc_i('0), .length4_i(1'b1), .target_i('0), .expand_i(1'b0), .slot_i,
      .ready_o(ready),
      .inject_i(1'b0), .inject_entry_i('0), .restore_i, .restore_slot_i(watched_q),
      .restore_lane_i('0),
      .out_valid_o(out_valid), .valid_o(valid), .insn_o(insn), .dise_o(dise), .kind_o(kind), .pc_o(pc),
      .value_o(value), .entry_o(entry), .last_o(last), .replaced_o(replaced),
      .replaced_lane_o(replaced_lane), .replaced_entry_o(replaced_entry), .out_ready_i,
      .resume_i(1'b0), .resume_entry_i('0), .resume_done_i(1'b0),
      .idle_o(idle), .hps_flags_o(flags), .hps_position_o(position)
  );

  // A slot, any: what stood behind its instruction when it had been decided.
  logic [4:0] watched_q;
  logic decided_q, known_q, fresh_q;
  logic [9:0] behind_q;
  logic [2:0] restores_q;
  initial assume (!rst_ni);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      watched_q  <= watched_i;
      decided_q  <= 1'b0;
      known_q    <= 1'b0;
      restores_q <= '0;
    end else begin
      decided_q <= decides && slot == watched_q && !restore_i;
      if (decided_q) known_q <= 1'b1;
      restores_q <= {restores_q[1:0], restore_i};
    end
  end
  always_ff @(posedge clk_i) if (decided_q) behind_q <= {flags, counter};

  always @(posedge clk_i) begin
    if (rst_ni) begin
      WritesWhileIdle : assume (!we_i || (idle && !valid_i));
      RestoresWhatIsKnown : assume (!restore_i || known_q);
      // A slot is good until it is used again.
      UsedOnce : assume (!(known_q || decided_q || (decides && slot == watched_q)) || !valid_i || slot_i != watched_q);
      RestoreIsExact : assert (!restores_q[2] || restores_q[1:0] != '0 || {flags, counter} == behind_q);
      RestoreChanges : cover (restores_q[2] && {flags, counter} == behind_q && counter == 8'd2);
      Overflowed : cover (known_q && behind_q == 10'h100);
    end
  end
endmodule
