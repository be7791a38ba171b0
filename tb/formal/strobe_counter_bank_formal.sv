// The counter bank: passes or not, each bundle does what its steps do one after another, each under the flags that the
// one before left: counters, flags, replaced lane, what is saved behind every lane, and whether a burst is on before it.
//
// `finish` runs the steps that are still to come from the bank's present state, one by one. A pass that is not the last must not change
// its result; the last must have that result. Every operation is reached on either lane, every flag, and every way a bundle ends.
//
// prove: bmc 5
// prove: cover 7
module strobe_counter_bank_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [63:0] copies_i,
    input logic load_i,
    input logic [7:0] load_counters_i,
    input logic [1:0] load_flags_i,
    input logic write_i,
    input logic [7:0] write_value_i,
    input logic advance_i,
    input logic [1:0] valid_i,
    // Of each lane and state: replaced, operation, register.
    input logic [6*4*2-1:0] steps_i
);
  localparam int Width = 8;
  localparam int StepBits = strobe_dise_pkg::StepCounter + strobe_dise_pkg::OpBits;

  // A bundle stays until it is done.
  logic [6*4*2-1:0] steps_q;
  logic [1:0] valid_q;
  logic hold;
  logic [63:0] copies_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (load_i || (advance_i && !hold)) valid_q <= valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (load_i || (advance_i && !hold)) steps_q <= steps_i;
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
      LanesWithoutAGap : assume (valid_i != 2'b10);
      OnlyABundleAdvances : assume (!advance_i || valid_q != '0);
      WritesWithoutABundle : assume (!write_i || valid_q == '0);
      CopiesStandStill : assume (!past_q || copies_i == copies_q);
    end
  end

  logic [StepBits*4*2-1:0] rows;
  logic [1:0] concerned;
  for (genvar k = 0; k < 2; k++) begin : gen_lane
    logic [3:0] acts;
    for (genvar f = 0; f < 4; f++) begin : gen_state
      localparam int At = StepBits * (4 * k + f);
      localparam int Op = At + strobe_dise_pkg::StepCounter;
      logic [5:0] step;
      logic [7:0] copy;
      assign step = steps_q[6*(4*k+f)+:6];
      assign copy = copies_i[8*step[5:3]+:8];
      assign acts[f] = step[2:0] != '0;
      assign rows[At+strobe_dise_pkg::StepReplaced] = step[0];
      assign rows[At+strobe_dise_pkg::StepStops] = step[0] || step[2:1] == strobe_dise_pkg::OpSet;
      assign rows[Op+strobe_dise_pkg::OpActs] = step[2:1] == strobe_dise_pkg::OpInc || step[2:1] == strobe_dise_pkg::OpDec;
      assign rows[Op+strobe_dise_pkg::OpIsInc] = step[2:1] == strobe_dise_pkg::OpInc;
      assign rows[Op+strobe_dise_pkg::OpIsSet] = step[2:1] == strobe_dise_pkg::OpSet;
      assign rows[Op+strobe_dise_pkg::OpMinusOne] = step[2:1] == strobe_dise_pkg::OpSet && copy == '1;
      assign rows[Op+strobe_dise_pkg::OpOne] = step[2:1] == strobe_dise_pkg::OpSet && copy == 8'd1;
      assign rows[Op+strobe_dise_pkg::OpRegister+:3] = step[2:1] == strobe_dise_pkg::OpSet ? step[5:3] : '0;
    end
    assign concerned[k] = acts != '0;
  end

  logic [1:0] flags, replaced, save, executed, in_burst;
  logic [7:0] counter;
  logic [3:0] state;
  logic [19:0] saved;
// peek: executed u_dut.executed_q
  strobe_counter_bank #(
      .Lanes(2),
      .Counters(1),
      .CounterWidth(Width)
  ) u_dut (
      .clk_i, .rst_ni, .copies_i, .write_i, .write_value_i, .load_i, .load_counters_i, .load_flags_i,
      .advance_i, .valid_i(valid_q), .concerned_i(concerned), .rows_i(rows),
      .hold_o(hold), .replaced_o(replaced), .flags_o(flags), .counters_o(counter),
      .state_o(state), .save_o(save), .saved_o(saved),
      .burst_o(), .in_burst_o(in_burst)
  );

  // One step: {replaced, flags, counter} from {replaced, flags, counter}; behind a replaced one nothing happens.
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

  logic [10:0] now, behind0, finish;
  assign now = {1'b0, flags, counter};
  assign behind0 = valid_q[0] && !executed[0] ? run(now, steps_q[23:0], copies_i) : now;
  assign finish = valid_q[1] && !executed[1] ? run(behind0, steps_q[47:24], copies_i) : behind0;

  // Before the lanes, as the bundle's first pass finds it.
  logic [1:0] burst_q, there_q;
  logic was_set_q;  // some flag, a cycle ago
  always_ff @(posedge clk_i) begin
    if (advance_i && executed == '0) burst_q <= {behind0[8], flags[0]};
    there_q <= {valid_q[1] && !behind0[10], valid_q[0]};
    was_set_q <= flags != '0 && !load_i;
  end

  logic passed_q, held_q, lane0_q;
  logic [10:0] finish_q, behind0_q;
  logic [1:0] replaced_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      passed_q <= 1'b0;
      held_q <= 1'b0;
    end else begin
      passed_q <= advance_i && !load_i;
      held_q <= hold;
    end
  end
  always_ff @(posedge clk_i) begin
    finish_q <= finish;
    behind0_q <= behind0;
    lane0_q <= valid_q[0] && !executed[0];
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      // In the pass: the lane that is replaced, when the bundle is done.
      ReplacedIsTheStepsOwn :
      assert (!advance_i || hold || replaced == {finish[10] && !behind0[10], behind0[10]});
      HeldBundlesAreNotReplaced : assert (!hold || replaced == '0);
      // Behind it.
      LastPassFinishes : assert (!passed_q || held_q || now[9:0] == finish_q[9:0]);
      OtherPassesLeadThere : assert (!passed_q || !held_q || finish == finish_q);
      ASavedLaneIsExact : assert (!save[0] || !passed_q || !lane0_q || saved[9:0] == {behind0_q[9:8], behind0_q[7:0]});
      InABurstAsBeforeTheLane : assert (!passed_q || held_q || ((in_burst ^ burst_q) & there_q) == '0);
      TheLastLaneIsExact : assert (!save[1] || held_q || saved[19:10] == {finish_q[9:8], finish_q[7:0]} || finish_q[10]);
      Overflows : cover (passed_q && flags == 2'b01);
      Zeros : cover (passed_q && flags == 2'b10);
      BothFlags : cover (passed_q && flags == 2'b11);
      ASetTakesFlagsBack : cover (passed_q && flags == '0 && was_set_q);
      SeveralPasses : cover (passed_q && held_q);
      TheSecondLaneIsReplaced : cover (advance_i && replaced == 2'b10);
      ABurstBeginsBetweenTheLanes : cover (passed_q && !held_q && in_burst == 2'b10 && there_q == 2'b11);
    end
  end
  for (genvar k = 0; k < 2; k++) begin : gen_reached
    logic [5:0] step;
    assign step = steps_q[6*(4*k+flags)+:6];
    for (genvar o = 0; o < 4; o++) begin : gen_operation
      always @(posedge clk_i) begin
        if (rst_ni) cover (advance_i && valid_q[k] && !executed[k] && step[2:1] == 2'(o));
      end
    end
  end
endmodule
