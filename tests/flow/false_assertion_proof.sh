#!/usr/bin/env bash
# The same false assertion must fail each kind of proof and be named, and pass when it is true; a
# cover statement that cannot be reached must fail.
# Usage: false_assertion_proof.sh RTL_DIR
set -euo pipefail
rtl=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# prove BOUND GOAL [COUNT]: the output in $work/log; COUNT is the count to be reached
prove() {
  {
    echo "// prove: $2"
    cat "$here/false_assertion.sv"
    cat <<END
module top_formal (input logic clk_i, input logic rst_ni);
  logic [3:0] count;
  false_assertion u_dut (.clk_i, .rst_ni, .bound_i(4'd$1), .count_o(count));
  initial assume (!rst_ni);
  always @(posedge clk_i) CountIsReached : cover (count == 4'd${3:-9});
endmodule
END
  } >"$work/top_formal.sv"
  "$here/../../tb/formal/prove.sh" "$rtl" "$work/top_formal.sv" >"$work/log" 2>&1
}
complain() {
  echo "$1:"
  cat "$work/log"
  exit 1
}

for goal in "bmc 12" "induction 12"; do
  prove 10 "$goal" || complain "a true assertion failed $goal"
  if prove 5 "$goal"; then complain "a false assertion passed $goal"; fi
  grep -q "CountStaysBelowTheBound" "$work/log" || complain "the failing assertion is not named"
done
prove 10 "cover 14" 9 || complain "a cover statement that can be reached failed"
if prove 10 "cover 14" 10; then complain "a cover statement that cannot be reached passed"; fi
grep -q "Unreached cover statement at CountIsReached" "$work/log" || complain "the unreached statement is not named"
if prove 10 "nothing"; then complain "a harness without a goal passed"; fi
grep -q "expected lines '// prove: bmc|induction|cover CYCLES'" "$work/log" ||
  complain "a harness without a goal is not explained"
