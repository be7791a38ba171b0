// SPDX-License-Identifier: Apache-2.0
// Widths and constants that every block of the profiling path shares.
//
// A tuple is {tag, pc, value}, the value in the low bits. It travels through one port and is stored
// as one word. The widths of pc and value are parameters of the path; these are their maxima.
package strobe_pkg;
  localparam int TagWidth = 4;
  localparam int MaxPcWidth = 64;
  localparam int MaxValueWidth = 64;
  localparam int MaxTupleWidth = TagWidth + MaxPcWidth + MaxValueWidth;

  localparam int CountWidth = 32;   // a message's count, as software sees it
  localparam int PeriodWidth = 13;  // PERIOD is 1 to 2^12

  localparam int MaxLanes = 8;
  localparam int MaxSelectors = 8;
  localparam int MaxQueueDepth = 1024;
  localparam int MaxStrata = 4096;
  localparam int IndexWidth = 12;  // a stratum's number
  localparam int MaxBanks = 8;
  localparam int MaxCounterWidth = 12;
  localparam int MaxBufferDepth = 4096;

  localparam int MaxRingBits = 16;  // log2 of a ring's records
  localparam int RingCountWidth = 32;
  localparam logic [3:0] RingVersion = 4'd1;  // the layout of a record

  // strobe-gen: compressors
  // What compresses tuples into messages; docs/blocks/compressor.md
  localparam int CompressorStratified = 0;  // H[X_r]_n
  localparam int CompressorTagged = 1;  // T
  localparam int CompressorAssociative = 2;  // A_k
  localparam int Compressors = 3;

  // What samples each stratum (docs/blocks/stratified_sampler.md).
  localparam int SamplerPeriodic = 0;
  localparam int SamplerRandom = 1;
  localparam int SamplerCountdown = 2;
  localparam int SamplerCountedRandom = 3;
  localparam int SamplerChoices = 4;

  // The hash that divides the events into strata (docs/blocks/hash.md).
  localparam int HashPaper = 0;
  localparam int HashXorFold = 1;
  localparam int HashCrc32c = 2;
  localparam int HashH3 = 3;
  localparam int HashMultiplyShift = 4;
  localparam int HashChoices = 5;

  // Run-time parameters of the compressors, in one vector.
  localparam int ShouldEvictLow = 0;
  localparam int ShouldEvictWidth = 13;
  localparam int ShouldReplaceLow = 13;
  localparam int ShouldReplaceWidth = 13;
  localparam int SettingsWidth = 26;
  // strobe-gen: end

  localparam int MaxHashBits = 32;

  localparam int ThresholdWidth = 32;  // a probability in steps of 2^-32
  localparam int SeedWidth = 64;
  localparam int DrawWidth = 24;  // random bits for the restart of a countdown
  // Bank b draws from the seed xor b * BankSeed.
  localparam logic [SeedWidth-1:0] BankSeed = 64'hd1342543de82ef95;

  localparam int Classes = 16;  // opcode classes; a mask of them has one bit each

  // Privilege modes, as in mstatus.MPP.
  localparam logic [1:0] ModeUser = 2'd0;
  localparam logic [1:0] ModeSupervisor = 2'd1;
  localparam logic [1:0] ModeMachine = 2'd3;

  // What a selector slot puts into a tuple's value; 3 acts as 0.
  localparam logic [1:0] KindNextPc = 2'd1;
  localparam logic [1:0] KindAddress = 2'd2;

  // What a selector slot requires of the branch prediction; 0 and 3 require nothing.
  localparam logic [1:0] PredictedWrong = 2'd1;
  localparam logic [1:0] PredictedRight = 2'd2;

  // The marker sltiu x0, x0, N, without the four low bits of its immediate, which are N.
  localparam logic [27:0] Marker = {8'd0, 5'd0, 3'b011, 5'd0, 7'b0010011};
endpackage
