#!/usr/bin/env bash
# Software, memory and the core never see an X in any composition of the path: Icarus runs no_x.sv. The short form runs
# a point of each kind; with STROBE_NIGHTLY every sampler and hash, and many more cycles.
# Usage: no_x.sh RTL_DIR ["Name=value..." ...]     the points given, or all of the form
set -euo pipefail
rtl=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
source "$here/front_ends.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

points=("$@") cycles=600
if [ -n "${STROBE_NIGHTLY:-}" ]; then cycles=20000; fi
if [ ${#points[@]} -eq 0 ]; then
  points=("" "Ring=1" "Lanes=4 Banks=4 Strata=64" "Lanes=3 Banks=2" "Sampler=1 Strata=1 SecondEntries=16 SecondWidth=5"
    "Banks=2 Sampler=2 Hash=4 CounterWidth=6 SecondEntries=4 SecondWidth=7"
    "Sampler=3 Hash=2" "Compressor=1 MissWidth=2 SecondEntries=4 SecondWidth=5" "Compressor=1 Hash=4 Ways=4 Ring=1"
    "Compressor=2 Strata=4" "SecondEntries=4 SecondWidth=5 Ring=1" "Hash=4 Ring=1 PcWidth=40 ValueWidth=16")
  if [ -n "${STROBE_NIGHTLY:-}" ]; then
    for second in 0 4; do
      for ring in 0 1; do
        for hash in 0 1 2 3 4; do
          for sampler in 0 1 2 3; do
            for banks in 1 2; do
              points+=("Sampler=$sampler Hash=$hash Banks=$banks SecondEntries=$second SecondWidth=8 Ring=$ring")
            done
          done
          for ways in 1 2 4; do
            points+=("Compressor=1 Hash=$hash Ways=$ways SecondEntries=$second SecondWidth=8 Ring=$ring")
          done
        done
      done
    done
    for sampler in 0 1 2 3; do points+=("Lanes=4 Banks=4 Strata=64 Sampler=$sampler"); done
    points+=("Lanes=3 Banks=8 Strata=64 SecondEntries=4 Ring=1" "Lanes=8 QueueDepth=32 Banks=8 Strata=64")
    points+=("Compressor=2 Ring=1" "Compressor=2 Strata=64 CounterWidth=1")
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
