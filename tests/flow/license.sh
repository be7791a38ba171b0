#!/usr/bin/env bash
# The first line of every RTL file, and of every SystemVerilog file of the benches, is its license.
# Usage: license.sh RTL_DIR
set -euo pipefail
rtl=$1
license='// SPDX-License-Identifier: Apache-2.0'
mapfile -t files < <(find "$rtl" "$(dirname "$0")/../../tb" -name '*.sv' -o -name '*.svh' -o -name '*.vlt' -o -name '*.sdc' | sort)
[ ${#files[@]} -gt 100 ] || { echo "expected more than 100 files under $rtl and tb, found ${#files[@]}" >&2; exit 1; }
failed=0
for file in "${files[@]}"; do
  first=$(head -n 1 "$file")
  if [ "${first/#\#/\/\/}" != "$license" ]; then
    echo "$file:1: expected '$license', got '$first'" >&2
    failed=1
  fi
done
exit $failed
