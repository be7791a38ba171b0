#!/usr/bin/env bash
# An assertion that is false must stop a Verilated simulation and be named; a true one must not.
# Usage: false_assertion_simulation.sh RTL_DIR [-DSTROBE_SVA]
set -euo pipefail
rtl=$1 back_end=("${@:2}")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/main.cpp" <<'END'
#include <cstdio>
#include <cstdlib>
#include "Vfalse_assertion.h"
int main(int, char** argv) {
  Vfalse_assertion top;
  top.bound_i = static_cast<unsigned char>(std::atoi(argv[1]));
  for (int cycle = 0; cycle < 20; ++cycle) {
    top.rst_ni = cycle != 1;
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
  }
  std::puts("reached the end");
}
END
verilator --cc --assert "${back_end[@]}" --exe --build -O0 -CFLAGS -O0 -I"$rtl/common" --no-timing --Mdir "$work/model" \
  "$here/false_assertion.sv" "$work/main.cpp" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# run BOUND: output in $work/log. A subshell, so that the shell's word on the abort goes there too.
run() { (exec "$work/model/Vfalse_assertion" "$1") >"$work/log" 2>&1; }

if ! run 10 || ! grep -q "reached the end" "$work/log"; then
  echo "a true assertion stopped the simulation:" && cat "$work/log"
  exit 1
fi
if run 5; then
  echo "a false assertion did not stop the simulation:" && cat "$work/log"
  exit 1
fi
grep -q "Assertion failed in .*CountStaysBelowTheBound" "$work/log" ||
  { echo "the failing assertion is not named:" && cat "$work/log" && exit 1; }
