// SPDX-License-Identifier: Apache-2.0
// Any one entry: a read of Lanes successive entries that includes it, also across the table's end, gives its
// last written word on its lane, until the next read.
// prove: induction 2
// prove: cover 8
// peek: word_0 u_dut.gen_bank[0].u_ram.mem[0]
// peek: word_1 u_dut.gen_bank[1].u_ram.mem[0]
// peek: word_2 u_dut.gen_bank[0].u_ram.mem[1]
// peek: word_3 u_dut.gen_bank[1].u_ram.mem[1]
// peek: word_4 u_dut.gen_bank[0].u_ram.mem[2]
// peek: word_5 u_dut.gen_bank[1].u_ram.mem[2]
// peek: word_6 u_dut.gen_bank[0].u_ram.mem[3]
// peek: word_7 u_dut.gen_bank[1].u_ram.mem[3]
module strobe_replacement_table_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic write_i,
    input logic [2:0] write_entry_i,
    input logic [59:0] wdata_i,
    input logic read_i,
    input logic [2:0] entry_i
);
  logic [119:0] words;
  strobe_replacement_table #(
      .Lanes(2),
      .Replacements(8)
  ) u_dut (
      .clk_i, .write_i, .write_entry_i, .wdata_i, .read_i, .entry_i, .words_o(words)
  );
  initial assume (!rst_ni);
  always_comb assume (!write_i || !read_i);

  logic [59:0] word_0, word_1, word_2, word_3, word_4, word_5, word_6, word_7, held;
  (* anyconst *) logic [2:0] watched;
  logic [479:0] all_words;
  assign all_words = {word_7, word_6, word_5, word_4, word_3, word_2, word_1, word_0};
  assign held = all_words[60*watched+:60];

  logic written_q, read_q, lane_q;
  logic [59:0] word_q, read_word_q;
  logic [2:0] lane;
  assign lane = watched - entry_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      written_q <= 1'b0;
      read_q <= 1'b0;
    end else begin
      if (write_i && write_entry_i == watched) written_q <= 1'b1;
      if (read_i) read_q <= written_q && lane < 3'd2;
    end
  end
  always_ff @(posedge clk_i) begin
    if (write_i && write_entry_i == watched) word_q <= wdata_i;
    if (read_i) begin
      lane_q <= lane[0];
      read_word_q <= word_q;
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      TableHoldsTheWord : assert (!written_q || held == word_q);
      TableGivesTheWord : assert (!read_q || words[60*lane_q+:60] == read_word_q);
      TableGivesItBehindTheEnd : cover (read_q && lane_q && watched == '0);
    end
  end
endmodule
