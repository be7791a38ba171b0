#!/usr/bin/env bash
# Every module file of the RTL must be named in the lint list.
# Usage: every_module_is_linted.sh RTL_DIR CMAKE_FILE
set -euo pipefail
rtl=$1 list=$2
failed=0
for file in "$rtl"/*/strobe_*.sv; do
  module=$(basename "$file" .sv)
  case $module in *_pkg) continue ;; esac
  if ! grep -q "^lint($module " "$list"; then
    echo "$list: $module is not linted; add a line lint($module ...)" >&2
    failed=1
  fi
done
exit $failed
