#!/usr/bin/env bash
# Software, memory and the core never see an X in any composition of the path: Icarus runs no_x.sv. The short form runs
# a few points of each compressor; with STROBE_NIGHTLY every sampler and hash, and many more cycles.
# Usage: no_x.sh RTL_DIR ["Name=value..." ...]     the points given, or all of the form
set -euo pipefail
rtl=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
source "$here/front_ends.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The points of the compressors, from configs/blocks. A point Name=a,b stands for one with each of the values.
# strobe-gen: compressors
compressor_points=( "Lanes=4 Strata=64 Banks=4" "Lanes=3 Banks=2" "Strata=1 Sampler=1 SecondEntries=16 SecondWidth=5"
  "CounterWidth=6 Sampler=2 Hash=4 Banks=2 SecondEntries=4 SecondWidth=7" "Sampler=3 Hash=2"
  "SecondEntries=4 SecondWidth=5 Ring=1" "Hash=4 Ring=1 PcWidth=40 ValueWidth=16"
  "Compressor=1 MissWidth=2 SecondEntries=4 SecondWidth=5" "Compressor=1 Hash=4 Ways=4 Ring=1" "Strata=4 Compressor=2")
long_compressor_points=( "Sampler=0,1,2,3 Hash=0,1,2,3,4 Banks=1,2 SecondEntries=0,4 SecondWidth=8 Ring=0,1"
  "Lanes=4 Strata=64 Sampler=0,1,2,3 Banks=4" "Lanes=3 Strata=64 Banks=8 SecondEntries=4 Ring=1"
  "Lanes=8 QueueDepth=32 Strata=64 Banks=8"
  "Compressor=1 Hash=0,1,2,3,4 Ways=1,2,4 SecondEntries=0,4 SecondWidth=8 Ring=0,1" "Strata=16 Compressor=2 Ring=1"
  "Strata=64 CounterWidth=1 Compressor=2")
# strobe-gen: end

# Prints the points that a point with lists stands for, one a line.
expand() {
  if [[ $1 =~ ^(.*[A-Za-z]=)([0-9]+),([0-9,]+)(.*)$ ]]; then
    expand "${BASH_REMATCH[1]}${BASH_REMATCH[2]}${BASH_REMATCH[4]}"
    expand "${BASH_REMATCH[1]}${BASH_REMATCH[3]}${BASH_REMATCH[4]}"
  else
    echo "$1"
  fi
}

points=("$@") cycles=600
if [ ${#points[@]} -eq 0 ]; then
  points=("" "Ring=1" "${compressor_points[@]}")
  if [ -n "${STROBE_NIGHTLY:-}" ]; then
    cycles=4000  # 240 points, one after another
    for point in "${long_compressor_points[@]}"; do
      mapfile -t -O "${#points[@]}" points < <(expand "$point")
    done
  fi
fi

for point in "${points[@]}"; do
  parameters=("-Pno_x.Cycles=$cycles")
  for parameter in $point; do parameters+=("-Pno_x.$parameter"); done
  # shellcheck disable=SC2086
  iverilog -g2012 -I"$rtl/common" "${parameters[@]}" -s no_x -o "$work/no_x" $packages $(modules_for strobe_profiler) \
    "$here/no_x.sv" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
  echo "point '$point':"
  vvp -n "$work/no_x"
done
