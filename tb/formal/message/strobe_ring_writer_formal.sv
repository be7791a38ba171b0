// SPDX-License-Identifier: Apache-2.0
// The ring writer: each message goes into the ring once, unchanged and in order. Without overwriting, no
// record that software has not read is touched. An offered word stays until it is taken. A taken word is in
// flight until memory has written it, also through a clear. While memory takes words and there is room, a
// message waits at most 5 cycles. The counters of stalls and overwritten records stop at their maximum.
// High water is the highest level that a record made which found room.
//
// Messages are numbered by their pc, of 32 bits; the value has 40 bits. Software never claims to have read
// more records than there are.
//
// prove: induction 6
// prove: cover 24
// peek: level_before u_dut.waiting_q
// peek: popped u_dut.popped_q
module strobe_ring_writer_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic enable_i,
    input logic [1:0] consumed_i,  // records that software reads in this cycle
    input logic valid_i,
    input logic [43:0] message_i,  // tag and value
    input logic [7:0] count_i,
    input logic mem_ready_i,
    input logic mem_idle_i
);
  localparam logic [63:0] Base = 64'h1000;
  (* anyconst *) logic overwrite;
  (* anyconst *) logic [1:0] log2_entries;  // 1 to 8 records
  (* anyconst *) logic [31:0] watched;      // the number of one record

  // A buffer whose head stays until it is popped.
  logic pop, mem_valid, busy, in_flight;
  logic holds_q;
  logic [43:0] message_q;
  logic [7:0] count_q;
  logic [31:0] sent_q, cons_q, prod, overwritten, stalls, consumed;
  logic [63:0] mem_addr, mem_data;
  logic [16:0] high_water;
  logic valid;
  logic [43:0] message;
  logic [7:0] count;
  assign valid = holds_q || valid_i;
  assign message = holds_q ? message_q : message_i;
  assign count = holds_q ? count_q : count_i;
  assign consumed = 32'(consumed_i) > prod - cons_q ? prod - cons_q : 32'(consumed_i);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      holds_q <= 1'b0;
      sent_q  <= '0;
      cons_q  <= '0;
    end else if (clear_i) begin
      holds_q <= 1'b0;
      sent_q  <= '0;
      cons_q  <= '0;
    end else begin
      holds_q <= valid && !pop;
      sent_q  <= sent_q + 32'(pop);
      cons_q  <= cons_q + consumed;
    end
  end
  always_ff @(posedge clk_i) begin
    message_q <= message;
    count_q   <= count;
  end

  strobe_ring_writer #(
      .CountWidth(8),
      .PcWidth(32),
      .ValueWidth(40)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .enable_i, .overwrite_i(overwrite),
      .log2_entries_i(5'(log2_entries)), .base_i(Base), .cons_i(cons_q),
      .valid_i(valid), .tuple_i({message[43:40], sent_q, message[39:0]}),
      .count_i(count), .pop_o(pop), .mem_valid_o(mem_valid), .mem_addr_o(mem_addr),
      .mem_data_o(mem_data), .mem_ready_i, .mem_idle_i, .in_flight_o(in_flight), .busy_o(busy), .prod_o(prod),
      .overwritten_o(overwritten), .high_water_o(high_water), .stalls_o(stalls)
  );

  initial assume (!rst_ni);

  // The words of the present record in memory, and one word of the ring: the pc of the watched record.
  logic [31:0] entries;
  logic [1:0] words_q;
  logic [63:0] slot_pc_q, slot_address;
  assign entries = 32'd1 << log2_entries;
  assign slot_address = Base + 64'((watched & (entries - 32'd1)) * 32'd32) + 64'd8;
  logic written;
  assign written = mem_valid && mem_ready_i;
  // What was offered in the last cycle and not taken; successive cycles in which nothing blocks.
  logic waits_q, unwritten_q;  // a taken word, until memory is idle
  logic [127:0] offered_q;
  logic [2:0] free_q;
  logic room, popped;
  logic [31:0] seen_q, level_before;  // RING_CONS as the writer sees it
  assign room = overwrite || prod - seen_q < entries;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      words_q <= '0;
      waits_q <= 1'b0;
      free_q  <= '0;
      seen_q  <= '0;
      unwritten_q <= 1'b0;
    end else begin
      if (written) unwritten_q <= 1'b1;
      else if (mem_idle_i) unwritten_q <= 1'b0;
      seen_q  <= clear_i ? '0 : cons_q;
      words_q <= clear_i ? 2'd0 : words_q + 2'(written);
      waits_q <= mem_valid && !mem_ready_i && !clear_i;
      free_q  <= clear_i || pop || !valid || !enable_i || !room || !mem_ready_i ? '0 :
                 free_q == 3'd7 ? 3'd7 : free_q + 3'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    offered_q <= {mem_addr, mem_data};
    if (written && mem_addr == slot_address) slot_pc_q <= mem_data;
  end

  // The numbers of the cycle before, unless a clear made them 0: they stop at their maximum.
  logic counts_q;
  logic [31:0] stalls_q, overwritten_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) counts_q <= 1'b0;
    else counts_q <= !clear_i;
  end
  always_ff @(posedge clk_i) begin
    stalls_q <= stalls;
    overwritten_q <= overwritten;
  end

  logic [16:0] highest_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) highest_q <= '0;
    else if (clear_i) highest_q <= '0;
    else if (pop && level_before < entries && level_before[16:0] + 17'd1 > highest_q)
      highest_q <= level_before[16:0] + 17'd1;
  end

  // The watched record is in the ring: written, and not read by software.
  logic waiting;
  assign waiting = watched - cons_q < prod - cons_q;

  logic [63:0] word;
  always_comb begin
    case (words_q)
      2'd0: word = {mem_data[63:32], sent_q};
      2'd1: word = {32'd0, sent_q};
      2'd2: word = {24'd0, message[39:0]};
      default: word = {4'd1, message[43:40], sent_q[23:0], 24'd0, count};
    endcase
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      RingNumbersEveryMessage : assert (prod == sent_q);
      RingWritesWordAfterWord :
      assert (!mem_valid || (valid && mem_data == word &&
              mem_addr == Base + 64'((sent_q & (entries - 32'd1)) * 32'd32) + 64'(words_q) * 8));
      RingBeginsARecord : assert (mem_valid || words_q == 2'd0);
      RingPopsWhatIsWritten : assert (pop == (written && words_q == 2'd3));
      RingWordStays : assert (!waits_q || (mem_valid && offered_q == {mem_addr, mem_data}));
      RingKnowsWhatIsInFlight : assert (in_flight == unwritten_q);
      RingHasRoom :
      assert (overwrite || prod - seen_q < entries || (!mem_valid && prod - seen_q == entries));
      RingSeesWhatWaits :
      assert (level_before + 32'(popped) == prod - seen_q &&
              (overwrite || prod - cons_q <= prod - seen_q));
      RingHasWrittenThePc :
      assert (!mem_valid || sent_q != watched || words_q < 2'd2 || slot_pc_q == 64'(watched));
      RingHighWaterIsTheHighest : assert (high_water == highest_q);
      RingKeepsWhatWaits : assert (overwrite || !waiting || slot_pc_q == 64'(watched));
      RingOverwritesOnlyWhenTold : assert (overwrite || overwritten == '0);
      RingNeverStalls : assert (!overwrite || stalls == '0);
      RingCountersNeverFall :
      assert (!counts_q || (stalls >= stalls_q && overwritten >= overwritten_q));
      RingGoesOn : assert (free_q < 3'd5);
      RingIsClearedInFlight : cover (in_flight && prod == '0 && !mem_valid);
      RingWraps : cover (log2_entries == 2'd1 && !overwrite && prod == 32'd3 && cons_q == 32'd1);
      RingFills : cover (log2_entries == 2'd1 && !overwrite && stalls == 32'd3);
      RingOverwrites : cover (log2_entries == 2'd1 && overwritten == 32'd2);
    end
  end
endmodule
