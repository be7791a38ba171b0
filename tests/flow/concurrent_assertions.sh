#!/usr/bin/env bash
# Every module with assertions elaborates with its concurrent assertions, and has no others.
# Usage: concurrent_assertions.sh RTL_DIR
set -euo pipefail
rtl=$1
source "$(dirname "$0")/front_ends.sh"
concurrent='assert property (@(posedge clk_i) disable iff (!rst_ni) ('
mapfile -t files < <(grep -l 'STROBE_ASSERT(' "$rtl"/*/*.sv)
[ ${#files[@]} -gt 5 ] || { echo "no assertions found in $rtl" >&2; exit 1; }
for file in "${files[@]}"; do
  # Verilator warns that `disable iff` reads the reset that flip-flops have asynchronously, which is intended.
  lint_verilator "$(basename "$file" .sv)" --assert -DSTROBE_SVA -Wno-SYNCASYNCNET
  assertions=$(verilator -E -P -DSTROBE_SVA -I"$rtl/common" "$file" | grep -w assert || true)
  if [ -z "$assertions" ] || grep -vF "$concurrent" <<<"$assertions" >&2; then
    echo "$file: with STROBE_SVA expected only '$concurrent', got the lines above, or none" >&2
    exit 1
  fi
done
