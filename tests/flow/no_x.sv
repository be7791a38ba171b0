// A four-state run of the whole path: every payload of a channel that is not valid is X, nothing has a value before it is
// written, and no valid, ready, interrupt or answer to software may ever be X. Icarus runs it (no_x.sh); Verilator has no X.
//
// Software configures, drains, reads the table and clears in between; the core retires in phases of different density; memory
// takes the ring's words when it likes.
module no_x #(
    parameter int Cycles = 2000,
    // strobe-gen: parameters
    parameter int Lanes = 2,
    parameter int Selectors = 2,
    parameter int QueueDepth = 8,
    parameter int Strata = 16,
    parameter int CounterWidth = 4,
    parameter int BufferDepth = 8,
    parameter int Compressor = strobe_pkg::CompressorStratified,
    parameter int Sampler = strobe_pkg::SamplerPeriodic,
    parameter int Hash = strobe_pkg::HashPaper,
    parameter int Banks = 1,
    parameter int Ways = 2,
    parameter int TagBits = 2,
    parameter int MissWidth = 3,
    parameter int SecondEntries = 0,
    parameter int SecondWidth = 16,
    parameter int Ring = 0,
    parameter int PcWidth = strobe_pkg::MaxPcWidth,
    parameter int ValueWidth = strobe_pkg::MaxValueWidth
    // strobe-gen: end
);
  logic clk = 1'b0, rst_n = 1'b0;
  logic [Lanes-1:0] valid = '0, trap, mispredicted, in_burst;
  logic [32*Lanes-1:0] insn;
  logic [2*Lanes-1:0] mode;
  logic [64*Lanes-1:0] pc_rdata, pc_wdata, rd_wdata, mem_addr;
  logic reg_re = 1'b0, reg_we = 1'b0, reg_error, mem_valid, mem_ready = 1'b0, mem_idle = 1'b1, irq, idle;
  logic [11:0] reg_addr;
  logic [63:0] reg_wdata, reg_rdata, ring_addr, ring_data;
  strobe_profiler #(
      // strobe-gen: profiler
      .Lanes(Lanes),
      .Selectors(Selectors),
      .QueueDepth(QueueDepth),
      .Strata(Strata),
      .CounterWidth(CounterWidth),
      .BufferDepth(BufferDepth),
      .Compressor(Compressor),
      .Sampler(Sampler),
      .Hash(Hash),
      .Banks(Banks),
      .Ways(Ways),
      .TagBits(TagBits),
      .MissWidth(MissWidth),
      .SecondEntries(SecondEntries),
      .SecondWidth(SecondWidth),
      .Ring(Ring),
      .PcWidth(PcWidth),
      .ValueWidth(ValueWidth)
      // strobe-gen: end
  ) u_dut (
      .clk_i(clk), .rst_ni(rst_n), .rvfi_valid_i(valid), .rvfi_insn_i(insn), .rvfi_trap_i(trap),
      .rvfi_mode_i(mode), .rvfi_pc_rdata_i(pc_rdata), .rvfi_pc_wdata_i(pc_wdata),
      .rvfi_rd_wdata_i(rd_wdata), .rvfi_mem_addr_i(mem_addr), .retire_mispredicted_i(mispredicted),
      .retire_in_burst_i(in_burst), .profile_en_i(1'b1), .reg_re_i(reg_re), .reg_we_i(reg_we), .reg_addr_i(reg_addr),
      .reg_wdata_i(reg_wdata), .reg_rdata_o(reg_rdata), .reg_error_o(reg_error),
      .mem_valid_o(mem_valid), .mem_addr_o(ring_addr), .mem_data_o(ring_data),
      .mem_ready_i(mem_ready), .mem_idle_i(mem_idle), .irq_o(irq), .idle_o(idle)
  );

  integer seed = 1;
  function integer below(input integer limit);
    below = $unsigned($random(seed)) % limit;
  endfunction

  // An instruction a lane: a load, a branch, an addition; a lane that is not valid holds nothing.
  task retire(input integer density);
    begin
      insn = 'x;
      trap = 'x;
      mode = 'x;
      mispredicted = 'x;
      in_burst = 'x;
      pc_rdata = 'x;
      pc_wdata = 'x;
      rd_wdata = 'x;
      mem_addr = 'x;
      for (int k = 0; k < Lanes; k++) begin
        valid[k] = below(100) < density;
        if (valid[k]) begin
          case (below(3))
            0: insn[32*k+:32] = 32'h0001_3503;
            1: insn[32*k+:32] = 32'h00b5_0463;
            default: insn[32*k+:32] = 32'h0000_0013;
          endcase
          trap[k] = below(20) == 0;
          mode[2*k+:2] = below(2) == 0 ? 2'd0 : 2'd3;
          mispredicted[k] = below(2) == 0;
          in_burst[k] = below(2) == 0;
          pc_rdata[64*k+:64] = 64'h1000 + 64'(4 * below(4));
          pc_wdata[64*k+:64] = 64'h2000 + 64'(4 * below(4));
          rd_wdata[64*k+:64] = 64'(below(3));
          mem_addr[64*k+:64] = 64'(8 * below(3));
        end
      end
    end
  endtask

  task write(input logic [11:0] address, input logic [63:0] data);
    begin
      reg_we = 1'b1;
      reg_addr = address;
      reg_wdata = data;
    end
  endtask
  task read(input logic [11:0] address);
    begin
      reg_re = 1'b1;
      reg_addr = address;
    end
  endtask

  // What software does in this cycle: first it configures, then at random.
  integer round = 0, records = 0;
  task access(input integer cycle);
    begin
      reg_re = 1'b0;
      reg_we = 1'b0;
      reg_addr = 'x;
      reg_wdata = 'x;
      case (cycle)
        0: write(strobe_reg_pkg::PeriodOffset, 3);
        1: write(strobe_reg_pkg::ThresholdOffset, 64'hf000_0000);
        2: write(strobe_reg_pkg::WatermarkOffset, 4);
        3: write(strobe_reg_pkg::IntrEnableOffset, 3);
        10: write(strobe_reg_pkg::EvictionOffset, 64'h0002_0003);
        4: write(strobe_reg_pkg::SelCtrlOffset, 64'hffff_0031);
        5: write(strobe_reg_pkg::SelCtrlOffset + strobe_reg_pkg::SelCtrlStride, 64'h0008_0133);
        6: write(strobe_reg_pkg::RingConfigOffset, 2);
        7: write(strobe_reg_pkg::RingBaseOffset, 64'h4000);
        8: write(strobe_reg_pkg::RingCtrlOffset, 1);
        9: write(strobe_reg_pkg::CtrlOffset, 1);
        default:
        if (below(3) == 0) begin
          round = round + 1;
          case (round % 4)
            0: read(strobe_reg_pkg::MsgPcOffset);
            1: read(strobe_reg_pkg::MsgValueOffset);
            2: read(strobe_reg_pkg::MsgMetaOffset);
            default:
            case (below(8))
              0: read(12'(8 * below(64)));
              1: read(strobe_reg_pkg::StatusOffset);
              2: read(strobe_reg_pkg::EventsOffset);
              3: write(strobe_reg_pkg::TableIndexOffset, 64'(below(Strata)));
              4: write(strobe_reg_pkg::TableIndexOffset, 64'h8000 + 64'(below(16)));
              5: write(strobe_reg_pkg::RingConsOffset, 64'(records));
              6: if (below(40) == 0) write(strobe_reg_pkg::CtrlOffset, 3);
              default: write(strobe_reg_pkg::RingCtrlOffset, 64'(below(2)));
            endcase
          endcase
        end
      endcase
    end
  endtask

  integer still = 0;  // cycles in which nothing moved: the table's read-out is good
  task must_be_known(input logic known, input string name, input integer cycle);
    if (known !== 1'b1) begin
      $display("no_x: cycle %0d: expected no X on %s, got one (register %h)", cycle, name, reg_addr);
      $fatal;
    end
  endtask
  task look(input integer cycle);
    begin
      must_be_known(^{irq, idle, mem_valid} !== 1'bx, "irq_o, idle_o, mem_valid_o", cycle);
      must_be_known(!mem_valid || ^{ring_addr, ring_data} !== 1'bx, "the ring writer's word", cycle);
      must_be_known(!(reg_re || reg_we) || reg_error !== 1'bx, "reg_error_o", cycle);
      if (reg_re && (still >= 4 || reg_addr < strobe_reg_pkg::TableDataOffset ||
                     reg_addr > strobe_reg_pkg::TableValueOffset)) begin
        must_be_known(^reg_rdata !== 1'bx, "reg_rdata_o", cycle);
      end
      must_be_known(^{u_dut.sel_valid, u_dut.arrived, u_dut.drop} !== 1'bx, "the queue's input", cycle);
      must_be_known(^{u_dut.group_valid, u_dut.group_ready} !== 1'bx, "the queue's head", cycle);
      must_be_known(^{u_dut.msg_valid, u_dut.msg_ready} !== 1'bx, "the message's valid and ready", cycle);
      must_be_known(^{u_dut.buf_valid, u_dut.pop, u_dut.level} !== 1'bx, "the buffer's head", cycle);
      must_be_known(!u_dut.msg_valid || ^{u_dut.msg_tuple, u_dut.msg_count} !== 1'bx,
                    "a valid message", cycle);
      still = idle && !reg_re && !reg_we ? still + 1 : 0;
    end
  endtask

  integer density = 0, messages = 0;
  initial begin
    retire(0);
    access(-1);
    #1 clk = 1'b1;
    #1 clk = 1'b0;
    rst_n = 1'b1;
    for (int cycle = 0; cycle < Cycles; cycle++) begin
      if (cycle % 64 == 0) density = cycle / 64 % 4 == 0 ? 0 : 5 + below(80);
      retire(density);
      access(cycle);
      mem_ready = below(3) == 0;
      mem_idle = below(2) == 0;
      #1 look(cycle);
      if (u_dut.msg_valid && u_dut.msg_ready) messages = messages + 1;
      if (u_dut.clear) records = 0;
      else if (u_dut.pop_by_ring) records = records + 1;
      clk = 1'b1;
      #1 clk = 1'b0;
    end
    if (messages < Cycles / 200) begin
      $display("no_x: expected at least %0d messages, got %0d: the run says nothing", Cycles / 200, messages);
      $fatal;
    end
    $display("no_x: %0d cycles, %0d messages", Cycles, messages);
    $finish;
  end
endmodule
