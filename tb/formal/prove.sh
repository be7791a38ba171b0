#!/usr/bin/env bash
# Proves the assertions of one harness, and of the blocks in it, with Yosys and ABC's bounded model checker.
#
# Usage: prove.sh RTL_DIR HARNESS.sv [KEEP_DIR]
#
# The harness HARNESS.sv holds the module HARNESS, with clk_i and rst_ni among its inputs. One or more
# lines of its header say what to prove:
#   // prove: bmc 40         no assertion fails in the first 40 cycles
#   // prove: induction 12   no assertion ever fails: 12 cycles from the start, then by induction
#   // prove: cover 30       every cover statement can be reached within 30 cycles
# An induction may need state inside the block. A line of the harness, or of a file of its folder that
# it includes, connects an undriven wire to that state:
#   // peek: wire u_dut.gen_table.u_table.mem[0]
# A line leaves out the assertions inside an instance, which are then neither proven nor assumed:
#   // leave: u_dut
# An x of the RTL is any value, new in each cycle, for an assertion, and 0 for a cover statement. What
# ABC finds to fail is tried again with yosys-smtbmc and z3, which name the property and write a trace.
# Logs, the models and the trace of a failure stay in KEEP_DIR if it is given.
set -euo pipefail
[ $# -eq 2 ] || [ $# -eq 3 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
rtl=$1 harness=$2
source "$(dirname "$0")/../../tests/flow/front_ends.sh"
source "$(dirname "$0")/../../sc_models/profiling/verilated/parts_of.sh"
top=$(basename "$harness" .sv)
if [ $# -eq 3 ]; then
  work=$3
  mkdir -p "$work"
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi

goals=$(sed -nE 's,^// prove: ((bmc|cover|induction) [0-9]+)$,\1,p' "$harness")
if [ -z "$goals" ] || [ "$(grep -c '^// prove:' "$harness")" -ne "$(wc -l <<<"$goals")" ]; then
  echo "$harness: expected lines '// prove: bmc|induction|cover CYCLES' and no others, got:" \
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

# model NAME PASSES...: writes the bits of what was elaborated, after these passes, for ABC.
script=""
model() {
  local name=$1
  shift
  script+="design -load bits; $*; simplemap; dffunmap; aigmap; write_aiger -zinit $work/$name.aig; "
}
while read -r goal cycles; do
  case $goal in
    bmc | induction) model "base" "chformal -cover -remove; setundef -undriven -anyseq" ;;&
    induction)
      # From any state: the assertions hold in the cycles before, each assumed one cycle late, and are asked after them.
      model step "chformal -cover -remove; setundef -undriven -anyseq; setattr -unset init w:*; select -set inputs t:\$assume;
        chtype -set assert_and_assume t:\$assert; techmap -map $(dirname "$0")/goals.v;
        chformal -assume -delay 1 t:\$assume @inputs %d; chformal -assert -skip $cycles"
      ;;
    cover)
      model cover "chformal -assert -remove; setundef -undriven -zero; chtype -set cover t:\$cover;
        techmap -map $(dirname "$0")/goals.v t:cover"
      ;;
  esac
done <<<"$goals"

modules=$(named_by "$rtl" "${files[@]}" | sed -n "\,^$rtl/,{/\/pkg\//d;/\.sv$/p}" | paste -sd' ')
# Small memories become registers.
# shellcheck disable=SC2086
yosys -q -l "$work/yosys.log" -p "read_verilog -sv -formal -I$rtl/common -I$folder $packages $modules $harness
  hierarchy -check -top $top; proc; flatten; $leaves opt_expr; opt_clean; memory_collect; memory_map
  $peeks opt -noff; async2sync; dffunmap; check -assert
  write_smt2 -wires $work/$top.smt2
  opt_clean; techmap; dffunmap; simplemap; design -save bits
  $script"

# fails NAME: prints the log of a goal that does not hold, and ends.
fails() {
  echo "$harness: $1 failed:" >&2
  cat "$work/$1.log" >&2
  exit 1
}
# asked NAME CYCLES COMMANDS: what ABC answers of a model: 0 if no output is asserted in these cycles, 1 if one is.
asked() {
  yosys-abc -c "read_aiger $work/$1.aig; fold; $3; bmc3 -F $2" >>"$work/$1.log" 2>&1 || fails "$1"
  case $(tail -1 "$work/$1.log") in
    *"No output asserted in $2 frames"*) return 0 ;;
    *"was asserted in frame"*) return 1 ;;
  esac
  fails "$1"
}
# refuted NAME CYCLES OPTIONS...: the goal that ABC refuted, with yosys-smtbmc, for the name and the trace.
refuted() {
  yosys-smtbmc -s z3 --unroll --noprogress "${@:3}" -t "$2" --dump-vcd "$work/$1.vcd" "$work/$top.smt2" \
    >>"$work/$1.log" 2>&1 || true  # the goal has failed in any case: what z3 says is for the reader
  fails "$1"
}
while read -r goal cycles; do
  begin=$SECONDS
  rm -f "$work"/{base,step,cover}.log
  case $goal in
    bmc | induction) asked base "$cycles" orpos || refuted base "$cycles" ;;&
    induction) asked step $((cycles + 1)) orpos || refuted step "$cycles" -i ;;
    cover)
      number=$(head -1 "$work/cover.aig" | tr -d '\0' | cut -d' ' -f7)  # "bad" outputs of the AIGER header
      if [ "${number:-0}" -eq 0 ]; then
        echo "$harness: expected a cover statement, because a line asks for 'cover $cycles', found none" >&2
        exit 1
      fi
      for ((output = 0; output < number; ++output)); do
        if asked cover "$cycles" "cone -s -O $output"; then refuted cover "$cycles" -c; fi
      done
      ;;
  esac
  echo "$top: $goal $cycles holds ($((SECONDS - begin)) s)"
done <<<"$goals"
