// SPDX-License-Identifier: Apache-2.0
// The counter bank: in however many passes, each bundle does what its steps do one after another, each under
// the flags that the step before left. This covers counters, flags, the replaced lane, what is saved after
// every lane, and whether a burst is on before it. A change of the flags is reported. The rows follow the
// flags immediately here; in the engine advance_i is 0 until they do.
//
// `finish` runs the remaining steps from the bank's present state, one by one. A pass that is not the last
// must not change its result; the last must reach it. Every operation is reached on either lane, every flag,
// and every way in which a bundle ends.
//
// prove: induction 2
// prove: cover 7
module strobe_counter_bank_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [63:0] copies_i,
    input logic clear_i,
    input logic load_i,
    input logic [7:0] load_counters_i,
    input logic [1:0] load_flags_i,
    input logic write_i,
    input logic [7:0] write_value_i,
    input logic advance_i,
    input logic [1:0] valid_i,
    // {replaced, operation, register} for each lane and state.
    input logic [6*4*2-1:0] steps_i
);
  localparam int Lanes = 2;
  localparam int Width = 8;
  localparam int StepBits = strobe_dise_pkg::StepCounter + strobe_dise_pkg::OpBits;
  localparam int SaveBits = Width + 2;

  // A bundle stays until it is done, or until a write, a clear or a restore replaces it.
  logic drop;
  assign drop = clear_i || load_i;
  logic [6*4*Lanes-1:0] steps_q;
  logic [Lanes-1:0] valid_q;
  logic hold;
  logic [63:0] copies_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (drop || (advance_i && !hold)) valid_q <= valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (drop || (advance_i && !hold)) steps_q <= steps_i;
    copies_q <= copies_i;
  end
  logic past_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) past_q <= 1'b0;
    else past_q <= 1'b1;
  end
  initial assume (!rst_ni);
  always @(posedge clk_i) begin
    if (rst_ni) begin
      LanesWithoutAGap : assume ((valid_i & (valid_i + 1'b1)) == '0);
      OnlyABundleAdvances : assume (!advance_i || valid_q != '0);
      WritesWithoutABundle : assume (!write_i || valid_q == '0);
      CopiesStandStill : assume (!past_q || copies_i == copies_q);
    end
  end

  logic [1:0] flags;
  logic [StepBits*Lanes-1:0] rows;
  logic [Lanes-1:0] concerned;
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic [3:0] acts;
    for (genvar f = 0; f < 4; f++) begin : gen_state
      assign acts[f] = steps_q[6*(4*k+f)+:3] != '0;
    end
    localparam int At = StepBits * k;
    localparam int Op = At + strobe_dise_pkg::StepCounter;
    logic [5:0] step;
    logic [7:0] copy;
    assign step = steps_q[6*(4*k+flags)+:6];
    assign copy = copies_i[8*step[5:3]+:8];
    assign rows[At+strobe_dise_pkg::StepReplaced] = step[0];
    assign rows[At+strobe_dise_pkg::StepStops] = step[0] || step[2:1] == strobe_dise_pkg::OpSet;
    assign rows[Op+strobe_dise_pkg::OpActs] = step[2:1] == strobe_dise_pkg::OpInc || step[2:1] == strobe_dise_pkg::OpDec;
    assign rows[Op+strobe_dise_pkg::OpIsInc] = step[2:1] == strobe_dise_pkg::OpInc;
    assign rows[Op+strobe_dise_pkg::OpIsSet] = step[2:1] == strobe_dise_pkg::OpSet;
    assign rows[Op+strobe_dise_pkg::OpMinusOne] = step[2:1] == strobe_dise_pkg::OpSet && copy == '1;
    assign rows[Op+strobe_dise_pkg::OpOne] = step[2:1] == strobe_dise_pkg::OpSet && copy == 8'd1;
    assign rows[Op+strobe_dise_pkg::OpRegister+:3] = step[2:1] == strobe_dise_pkg::OpSet ? step[5:3] : '0;
    assign concerned[k] = acts != '0;
  end

  logic changed, near_next;
  logic [3:0] state;
  logic [Lanes-1:0] replaced, save, executed, in_burst;
  logic [Width-1:0] counter, settled;
  logic [SaveBits*Lanes-1:0] saved;
  strobe_counter_bank #(
      .Lanes(Lanes),
      .Counters(1),
      .CounterWidth(Width)
  ) u_dut (
      .clk_i, .rst_ni, .copies_i, .write_i, .write_value_i, .clear_i, .load_i, .load_counters_i, .load_flags_i,
      .advance_i, .valid_i(valid_q), .concerned_i(concerned), .rows_i(rows),
      .hold_o(hold), .near_next_o(near_next), .replaced_o(replaced), .flags_o(flags), .counters_o(settled),
      .state_o(state), .changed_o(changed), .save_o(save), .saved_o(saved),
      .burst_o(), .in_burst_o(in_burst)
  );

  // One step: {replaced, flags, counter} from {replaced, flags, counter}. After a replaced step nothing
  // happens.
  function automatic logic [10:0] run(input logic [10:0] from, input logic [23:0] steps,
                                      input logic [63:0] copies);
    logic [5:0] step;
    step = steps[6*from[9:8]+:6];
    run = from;
    if (!from[10]) begin
      case (step[2:1])
        strobe_dise_pkg::OpInc: begin
          run[7:0] = from[7:0] + 8'd1;
          run[8]   = from[8] || from[7:0] == 8'hff;
        end
        strobe_dise_pkg::OpDec: begin
          run[7:0] = from[7:0] - 8'd1;
          run[9]   = from[9] || from[7:0] == 8'h01;
        end
        strobe_dise_pkg::OpSet: begin
          run[7:0] = copies[8*step[5:3]+:8];
          run[9:8] = 2'b00;
        end
        default: ;
      endcase
      run[10] = step[0];
    end
  endfunction

  // The state before each lane and after the bundle if the remaining steps are taken one by one.
  logic [10:0] now, finish;
  logic [11*(Lanes+1)-1:0] before;
  assign now = {1'b0, flags, counter};
  assign before[10:0] = now;
  for (genvar k = 0; k < Lanes; k++) begin : gen_run
    assign before[11*(k+1)+:11] = valid_q[k] && !executed[k] ?
        run(before[11*k+:11], steps_q[24*k+:24], copies_i) : before[11*k+:11];
  end
  assign finish = before[11*Lanes+:11];

  // For each lane: no earlier lane of its bundle is replaced; it is the replaced one; a burst is on before
  // it.
  logic [Lanes-1:0] reached, expected_replaced, burst;
  for (genvar k = 0; k < Lanes; k++) begin : gen_before
    assign reached[k] = valid_q[k] && !before[11*k+10];
    assign expected_replaced[k] = !before[11*k+10] && before[11*(k+1)+10];
    assign burst[k] = before[11*k+8];
  end
  logic [Lanes-1:0] burst_q, reached_q, executed_q, waited_q;
  logic was_set_q;  // some flag was set a cycle ago
  logic changed_q;
  logic near_reported_q;  // a cycle ago: the counter may be near 0, or a step may stop
  logic [Lanes-1:0] stops;
  for (genvar k = 0; k < Lanes; k++) begin : gen_stops
    assign stops[k] = rows[StepBits*k+strobe_dise_pkg::StepStops];
  end
  logic [1:0] flags_q;
  always_ff @(posedge clk_i) begin
    if (advance_i && executed == '0) burst_q <= burst;
    reached_q <= reached;
    waited_q <= valid_q & ~executed;
    executed_q <= executed;
    changed_q <= changed;
    near_reported_q <= near_next || (advance_i && stops != '0);
    flags_q <= flags;
    was_set_q <= flags != '0 && !drop;
  end

  logic passed_q, held_q, dropped_q;
  logic [SaveBits-1:0] given_q;
  logic [10:0] finish_q;
  logic [SaveBits*Lanes-1:0] after_lane_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      passed_q <= 1'b0;
      held_q <= 1'b0;
      dropped_q <= 1'b0;
    end else begin
      dropped_q <= drop;
      passed_q <= advance_i && !drop;
      held_q <= hold;
    end
  end
  always_ff @(posedge clk_i) begin
    finish_q <= finish;
    given_q <= load_i ? {load_flags_i, load_counters_i} : '0;
    for (int k = 0; k < Lanes; k++) after_lane_q[SaveBits*k+:SaveBits] <= before[11*(k+1)+:SaveBits];
  end
  // The lanes whose save is the last of their bundle: those that the pass ran and, after the last pass, all
  // that waited.
  logic [Lanes-1:0] final_save, differs;
  assign final_save = waited_q & reached_q & (held_q ? executed & ~executed_q : '1);
  for (genvar k = 0; k < Lanes; k++) begin : gen_differs
    assign differs[k] = saved[SaveBits*k+:SaveBits] != after_lane_q[SaveBits*k+:SaveBits];
  end

  // For induction, the counter's part as in strobe_counter's proof.
// peek: executed u_dut.executed_q
// peek: begun_in_burst u_dut.begun_in_burst_q
// peek: near u_dut.gen_counter[0].u_counter.near_q
// peek: counter u_dut.gen_counter[0].u_counter.value_o
// peek: base u_dut.gen_counter[0].u_counter.base_q
// peek: inc u_dut.gen_counter[0].u_counter.inc_q
// peek: dec u_dut.gen_counter[0].u_counter.dec_q
// peek: set u_dut.gen_counter[0].u_counter.set_q
  localparam int Near = 1 << $clog2(3 * Lanes + 3);
  logic [Lanes-1:0] begun_in_burst, inc, dec;
  logic [Width-1:0] base;
  logic near, set, was_near_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) was_near_q <= 1'b1;
    else was_near_q <= near || drop || write_i;
  end
  // At least as far from 0 as `by`.
  function automatic logic far(input logic [Width-1:0] from, input logic [Width-1:0] by);
    far = from >= by && Width'(0) - from >= by;
  endfunction

  always @(posedge clk_i) begin
    if (rst_ni) begin
      // In the pass: the replaced lane, when the bundle is done.
      ReplacedIsTheStepsOwn : assert (!advance_i || hold || replaced == expected_replaced);
      HeldBundlesAreNotReplaced : assert (!hold || replaced == '0);
      // After it.
      LastPassFinishes : assert (!passed_q || held_q || now[9:0] == finish_q[9:0]);
      OtherPassesLeadThere : assert (!passed_q || !held_q || finish == finish_q);
      WhatWaitsIsSaved : assert (!passed_q || save == waited_q);
      SavedLanesAreExact : assert (!passed_q || (final_save & differs) == '0);
      InABurstAsBeforeTheLane : assert (!passed_q || held_q || ((in_burst ^ burst_q) & reached_q) == '0);

      LoadedOrCleared : assert (!dropped_q || now[9:0] == given_q);
      SettledWithoutAPass : assert (passed_q || settled == counter);
      NearIsTold : assert (!past_q || !near || near_reported_q);
      OnlyThenItIsHeld : assert (!advance_i || !hold || (concerned == '1 && (near || stops != '0)));
      AChangeIsTold : assert (!passed_q || changed_q == (flags != flags_q));
      OnlyAPassChanges : assert (!changed || advance_i);
      StateIsOfTheFlags : assert (state == 4'(1) << flags);
      TheBundleHasNoGap : assert ((valid_q & (valid_q + 1'b1)) == '0);
      LanesAreExecutedInOrder : assert ((executed & (executed + 1'b1)) == '0 && (executed & ~valid_q) == '0);
      OnlyWhatWaitsIsHeld : assert (executed == '0 || executed != valid_q);
      ExecutedLanesHadTheirBurst : assert ((executed & (begun_in_burst ^ burst_q)) == '0);
      OthersWillHaveTheirs : assert (executed == '0 || (reached & ~executed & (burst ^ burst_q)) == '0);
      StepsAreOneOrTheOther : assert ((inc & dec) == '0);
      OneStepWhileNear : assert (!was_near_q || ((inc | dec) & ((inc | dec) - 1'b1)) == '0);
      FarBefore : assert (near || (!set && far(base, Width'(Near - Lanes))));
      StillFar : assert (!near || was_near_q || set || far(base, Width'(Near - 2 * Lanes)));

      Overflows : cover (passed_q && flags == 2'b01);
      Zeros : cover (passed_q && flags == 2'b10);
      BothFlags : cover (passed_q && flags == 2'b11);
      ASetTakesFlagsBack : cover (passed_q && flags == '0 && was_set_q);
      SeveralPasses : cover (passed_q && held_q);
      TheLastLaneIsReplaced : cover (advance_i && replaced[Lanes-1]);
      ABurstBeginsBetweenTheLanes : cover (passed_q && !held_q && !in_burst[0] && in_burst[Lanes-1] && reached_q == '1);
    end
  end
  for (genvar k = 0; k < Lanes; k++) begin : gen_reached
    logic [5:0] step;
    assign step = steps_q[6*(4*k+flags)+:6];
    for (genvar o = 0; o < 4; o++) begin : gen_operation
      always @(posedge clk_i) begin
        if (rst_ni) cover (advance_i && valid_q[k] && !executed[k] && step[2:1] == 2'(o));
      end
    end
  end
endmodule
