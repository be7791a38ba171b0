#!/usr/bin/env bash
# The same false assertion must fail a bounded proof, and pass one when it is true.
# Usage: false_assertion_proof.sh RTL_DIR
set -euo pipefail
rtl=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# prove BOUND: 12 cycles, starting in reset
prove() {
  cat >"$work/top.sv" <<END
module top (input logic clk_i, input logic rst_ni);
  logic [3:0] count;
  false_assertion u_dut (.clk_i, .rst_ni, .bound_i(4'd$1), .count_o(count));
  initial assume (!rst_ni);
endmodule
END
  yosys -q -p "read_verilog -sv -formal -I$rtl/common $here/false_assertion.sv $work/top.sv
    prep -flatten -top top; async2sync; dffunmap; write_smt2 -wires $work/top.smt2"
  yosys-smtbmc -s z3 -t 12 "$work/top.smt2" >"$work/log" 2>&1
}

prove 10 || { echo "a true assertion failed the proof:" && cat "$work/log" && exit 1; }
if prove 5; then
  echo "a false assertion passed the proof:" && cat "$work/log"
  exit 1
fi
grep -q "CountStaysBelowTheBound" "$work/log" ||
  { echo "the failing assertion is not named:" && cat "$work/log" && exit 1; }
