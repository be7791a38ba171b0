#!/usr/bin/env bash
# The RTL must stay in the subset of docs/rtl_subset.md.
# Usage: subset.sh RTL_DIR
set -euo pipefail
rtl=$1
source "$(dirname "$0")/forbidden.sh"
mapfile -t files < <(find "$rtl/" -name '*.sv' -o -name '*.svh' | sort)
[ ${#files[@]} -gt 5 ] || { echo "no RTL found in $rtl" >&2; exit 1; }
forbidden_in "${files[@]}"
