#!/usr/bin/env bash
# Proves the assertions of one harness, and of the blocks in it, with yosys-smtbmc and a solver, z3 or cvc5.
#
# Usage: prove.sh RTL_DIR HARNESS.sv [KEEP_DIR]
#
# The harness HARNESS.sv holds the module HARNESS, with clk_i and rst_ni among its inputs. One or more
# lines of its header say what to prove:
#   // prove: bmc 40         no assertion fails in the first 40 cycles
#   // prove: induction 12   no assertion ever fails: 12 cycles from the start, then by induction
#   // prove: induction 7 incremental    the same; the solver keeps what it learned from one step to the
#                          next, which shortens a few proofs and lengthens most
#   // prove: cover 30       every cover statement can be reached within 30 cycles
# A line that ends with cvc5 has that solver, which is many times as fast on some goals and as slow on others.
# An induction may need state inside the block. A line of the harness, or of a file of its folder that
# it includes, connects an undriven wire to that state:
#   // peek: wire u_dut.gen_table.u_table.mem[0]
# A line leaves out the assertions inside an instance, which are then neither proven nor assumed:
#   // leave: u_dut
# Logs, the SMT model and the trace of a failure stay in KEEP_DIR if it is given.
set -euo pipefail
[ $# -eq 2 ] || [ $# -eq 3 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
rtl=$1 harness=$2
source "$(dirname "$0")/../../tests/flow/front_ends.sh"
top=$(basename "$harness" .sv)
if [ $# -eq 3 ]; then
  work=$3
  mkdir -p "$work"
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi

goals=$(sed -nE 's,^// prove: (((bmc|cover) [0-9]+|induction [0-9]+( incremental)?)( cvc5)?)$,\1,p' "$harness")
if [ -z "$goals" ] || [ "$(grep -c '^// prove:' "$harness")" -ne "$(wc -l <<<"$goals")" ]; then
  echo "$harness: expected lines '// prove: bmc|induction|cover CYCLES', 'incremental' after an induction's, cvc5 after any, and no others, got:" \
    "$(grep '^// prove:' "$harness" || echo none); write at least one" >&2
  exit 1
fi

folder=$(dirname "$harness")
files=("$harness")
while read -r name; do
  if [ -f "$folder/$name" ]; then files+=("$folder/$name"); fi
done < <(sed -nE 's,^`include "(.*)"$,\1,p' "$harness")
peeks=$(sed -nE 's,^// peek: ([^ ]+) ([^ ]+)$,connect -set \1 \2;,p' "${files[@]}")
leaves=$(sed -nE 's,^// leave: ([^ ]+)$,chformal -assert -remove c:\1.*;,p' "$harness")

# Small memories become registers: the solver is faster on them than on its own arrays.
# shellcheck disable=SC2086
yosys -q -l "$work/yosys.log" -p "read_verilog -sv -formal -I$rtl/common -I$folder $(echo $packages $(modules_for "${top%_formal}")) $harness
  hierarchy -check -top $top; proc; flatten; $leaves opt_expr; opt_clean; memory_collect; memory_map
  $peeks opt -noff; async2sync; dffunmap; check -assert
  write_smt2 -wires $work/$top.smt2"

# solve NAME options...: with $solver
solve() {
  local name=$1
  shift
  yosys-smtbmc -s "$solver" --unroll --noprogress "$@" --dump-vcd "$work/$name.vcd" "$work/$top.smt2" >"$work/$name.log" 2>&1 || {
    echo "$harness: $name failed:" >&2
    cat "$work/$name.log" >&2
    exit 1
  }
}
while read -r goal cycles options; do
  begin=$SECONDS
  if [[ $options == *cvc5 ]]; then solver=cvc5; else solver=z3; fi
  case $goal in
    bmc) solve bmc -t "$cycles" ;;
    cover) solve cover -c -t "$cycles" ;;
    induction)
      solve base -t "$cycles"
      if [[ $options == incremental* ]]; then solve step -i -t "$cycles"; else solve step -i -t "$cycles" --noincr; fi
      ;;
  esac
  echo "$top: $goal $cycles holds ($((SECONDS - begin)) s)"
done <<<"$goals"
