// SPDX-License-Identifier: Apache-2.0
// Constants of the decode engine: its registers and the fields of its tables. See
// docs/blocks/dise.md.
package strobe_dise_pkg;
  localparam int MaxLanes = 4;
  localparam int MaxCounters = 3;
  localparam int MaxPatterns = 128;
  localparam int MaxReplacements = 2048;
  localparam int DiseRegisters = 8;
  localparam int Slots = 32;
  localparam int SlotBits = 5;

  localparam logic [63:0] Id = 64'h0001_0000_4553_4944;  // "DISE", version 1.0

  localparam logic [11:0] IdOffset = 12'h000;
  localparam logic [11:0] CapOffset = 12'h008;
  localparam logic [11:0] CtrlOffset = 12'h010;
  localparam logic [11:0] StatusOffset = 12'h018;
  localparam logic [11:0] RegOffset = 12'h040;      // + 8 k
  localparam logic [11:0] CounterOffset = 12'h080;  // + 8 n
  localparam logic [11:0] PatternIndexOffset = 12'h0c0;
  localparam logic [11:0] PatternWordOffset = 12'h0c8;
  localparam logic [11:0] PatternKindOffset = 12'h0d0;
  localparam logic [11:0] PatternConditionOffset = 12'h0d8;
  localparam logic [11:0] PatternOpsOffset = 12'h0e0;
  localparam logic [11:0] ReplacementIndexOffset = 12'h0f0;
  localparam logic [11:0] ReplacementDataOffset = 12'h0f8;

  localparam logic [1:0] SignNegative = 2'd1;
  localparam logic [1:0] SignNotNegative = 2'd2;
  localparam logic [1:0] DirectionBackward = 2'd1;
  localparam logic [1:0] DirectionForward = 2'd2;

  localparam logic [1:0] OpInc = 2'd1;
  localparam logic [1:0] OpDec = 2'd2;
  localparam logic [1:0] OpSet = 2'd3;

  // One step of an instruction under one state of the flags: two bits for the step, then the bits
  // Op* for each counter.
  localparam int StepReplaced = 0;
  localparam int StepStops = 1;  // replaced, or sets a counter
  localparam int StepCounter = 2;
  localparam int OpActs = 0;      // inc or dec
  localparam int OpIsInc = 1;
  localparam int OpIsSet = 2;
  localparam int OpMinusOne = 3;  // a set to -1: the next inc overflows
  localparam int OpOne = 4;       // a set to 1: the next dec gives zero
  localparam int OpRegister = 5;  // the set's register, three bits
  localparam int OpBits = 8;

  localparam logic [2:0] KindInstruction = 3'd0;
  localparam logic [2:0] KindTrigger = 3'd1;
  localparam logic [2:0] KindValueLoad = 3'd2;
  localparam logic [2:0] KindBranch = 3'd3;
  localparam logic [2:0] KindCall = 3'd4;

  localparam int ReplacementBits = 60;  // bits 58:0 and 63 of an entry
endpackage
