#!/usr/bin/env bash
# The subset check must see each construct it forbids.
# Usage: subset_sees.sh RTL_DIR
set -euo pipefail
source "$(dirname "$0")/forbidden.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
while IFS= read -r line; do
  echo "$line" >"$work/line.sv"
  if forbidden_in "$work/line.sv" >/dev/null; then
    echo "not seen: $line" >&2
    failed=1
  fi
done <<'END'
  import strobe_pkg::*;
    return a + b;
  assign p = '{a: 1, b: 2};
  if (x inside {1, 2}) y = 1;
  foreach (a[i]) b = a[i];
      if (done) break;
module m #(parameter type T = logic) ();
bind strobe_selector checker u_checker (.*);
interface bus;
  typedef struct packed { logic a; } t;
  parameter int unsigned N = 4,
  input logic [3:0][7:0] data,
  assert property (@(posedge clk_i) a |-> b);
`timescale 1ns/1ns
  /* verilator lint_off WIDTH */
  a <= #1 b;
  initial a = 0;
  logic [7:0] memory [16];
END
exit $failed
