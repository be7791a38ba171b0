#!/usr/bin/env bash
# no_x.sh must see an X that comes from a counter that was never written and reaches the valid of a message.
# Usage: no_x_sees.sh RTL_DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$1" "$work/rtl"
sed -i 's/assign emit = .*/assign emit = exit_valid_q || sum[CountWidth];/' "$work/rtl/sampler/strobe_associative_table.sv"
cmp -s "$work/rtl/sampler/strobe_associative_table.sv" "$1/sampler/strobe_associative_table.sv" &&
  { echo "no_x_sees: expected a line 'assign emit = ' that differs in strobe_associative_table.sv, got none" >&2; exit 1; }
for point in "Compressor=2" "SecondEntries=16 SecondWidth=5"; do
  if "$here/no_x.sh" "$work/rtl" "$point" >"$work/log" 2>&1; then
    echo "no_x_sees: expected an X to be seen at point '$point', got none:" >&2
    cat "$work/log" >&2
    exit 1
  fi
  grep -q "expected no X on" "$work/log" || { cat "$work/log" >&2; exit 1; }
done
