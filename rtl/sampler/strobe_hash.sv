// SPDX-License-Identifier: Apache-2.0
// The hashes that split the tuple stream into strata in one stage, by name (docs/blocks/hash.md).
//
// Combinational: {pc, value} to an index of IndexBits bits, one file for each hash. The tag does
// not enter. Multiply-shift has registers: strobe_hash_pipeline.sv.
// A user that needs a signature beside the index asks for more IndexBits.
// IndexBits = 0 (one stratum) gives index 0 in a port of one bit.
`include "strobe_assert.svh"

module strobe_hash #(
    parameter int Hash = strobe_pkg::HashPaper,
    parameter int IndexBits = 11
) (
    input  logic [63:0]                                   pc_i,
    input  logic [63:0]                                   value_i,
    output logic [(IndexBits > 0 ? IndexBits : 1) - 1:0] index_o
);
  `STROBE_REQUIRE(HashKind, Hash >= 0 && Hash < strobe_pkg::HashChoices && Hash != strobe_pkg::HashMultiplyShift,
                  "strobe_hash: Hash must be one of strobe_pkg::Hash* but HashMultiplyShift")
  `STROBE_REQUIRE(HashIndexBits, IndexBits >= 0 && IndexBits <= strobe_pkg::MaxHashBits,
                  "strobe_hash: IndexBits must be 0 to 32")

  if (Hash == strobe_pkg::HashXorFold) begin : gen_xor_fold
    strobe_xor_fold #(
        .Bits(IndexBits)
    ) u_hash (
        .word_i(pc_i ^ value_i),
        .folded_o(index_o)
    );
  end else if (Hash == strobe_pkg::HashCrc32c) begin : gen_crc32c
    strobe_hash_linear #(
        .IndexBits(IndexBits),
        .Columns(strobe_hash_pkg::CrcColumns),
        .Offset(strobe_hash_pkg::CrcOffset)
    ) u_hash (
        .pc_i,
        .value_i,
        .index_o
    );
  end else if (Hash == strobe_pkg::HashH3) begin : gen_h3
    strobe_hash_linear #(
        .IndexBits(IndexBits),
        .Columns(strobe_hash_pkg::H3Columns)
    ) u_hash (
        .pc_i,
        .value_i,
        .index_o
    );
  end else begin : gen_paper
    strobe_hash_paper #(
        .IndexBits(IndexBits)
    ) u_hash (
        .pc_i,
        .value_i,
        .index_o
    );
  end
endmodule
