#!/usr/bin/env bash
# Runs every command of the `sh` blocks of README.md, docs/index.md and docs/tour.md, as written, in the source tree,
# and compares what they print with the `text` block that follows. The lines of a `text` block are those of the
# output, in order and complete; where a line says `...`, any number of lines is left out. The text of a page may name
# a figure (12,345, 0.1234, 1.23 %) only if one of its `text` blocks shows it.
#
# `scripts/test` runs this check, so of the two commands that build and test everything, `scripts/demo` is replaced by
# the run that it ends with, and `scripts/test` is left out.
set -euo pipefail
cd "$1"
strobe=build/release/bin/strobe
quickstart="$strobe run configs/runs/quickstart.yaml --out results/quickstart --force --quiet"

fail() { echo "error: $*" >&2; exit 1; }

# compare PLACE EXPECTED OUTPUT
compare() {
  local place=$1 at=0 skip=0 line
  local -a expected output
  mapfile -t expected <<<"$2"
  mapfile -t output <<<"$3"
  for line in "${expected[@]}"; do
    if [ "$line" = ... ]; then skip=1; continue; fi
    if [ "$skip" = 1 ]; then
      while [ "$at" -lt "${#output[@]}" ] && [ "${output[at]}" != "$line" ]; do at=$((at + 1)); done
    fi
    if [ "$at" -ge "${#output[@]}" ] || [ "${output[at]}" != "$line" ]; then
      fail "$place: the page shows the line
$line
but the commands above it print
$3"
    fi
    at=$((at + 1)) skip=0
  done
  [ "$skip" = 1 ] || [ "$at" -eq "${#output[@]}" ] || fail "$place: the commands above the block print more:
$3"
}

run_page() {
  local page=$1 number=0 inside="" command="" block="" output="" prose="" blocks="" line printed figure
  while IFS= read -r line; do
    number=$((number + 1))
    case "$inside:$line" in
      ':```sh') inside=sh output="" command="" ;;
      ':```text') inside=text block="" ;;
      'sh:```') inside="" ;;
      'text:```')
        inside=""
        compare "$page:$number" "${block%$'\n'}" "$output"
        compared=$((compared + 1)) blocks+=$block
        ;;
      text:*) block+=$line$'\n' ;;
      sh:*)
        line=$(sed 's/ \+# .*$//' <<<"$line")
        if [[ "$line" == *\\ ]]; then command+=${line%\\}; continue; fi
        command+=$line
        case "$command" in
          "" | ./scripts/test*) command=""; continue ;;
          ./scripts/demo*) command=$quickstart ;;
        esac
        echo "+ $command"
        printed=$(bash -euo pipefail -c "$command") || fail "$page:$number: the command failed: $command"
        printf '%s\n' "$printed"
        output+=${output:+$'\n'}$printed
        commands=$((commands + 1)) command=""
        ;;
      ':```'*) inside=other ;;
      'other:```') inside="" ;;
      ':|'* | other:*) ;;
      *) prose+=$line$'\n' ;;
    esac
  done <"$page"
  [ -z "$inside" ] || fail "$page: a block has no end"
  for figure in $(grep -oE '[0-9]{1,3}(,[0-9]{3})+|[0-9]+\.[0-9]{3,}|[0-9]+\.[0-9]{2} %' <<<"$prose" | tr -d ', %'); do
    tr -d , <<<"$blocks" | grep -qF -- "$figure" || fail "$page: the text says $figure, but no block of output shows it"
    figures=$((figures + 1))
  done
}

mkdir -p results
commands=0 compared=0 figures=0
for page in README.md docs/index.md docs/tour.md; do run_page "$page"; done
[ "$commands" -ge 25 ] || fail "expected at least 25 commands in the pages, found $commands"
[ "$compared" -ge 8 ] || fail "expected at least 8 blocks of output in the pages, found $compared"
[ "$figures" -ge 10 ] || fail "expected at least 10 figures in the text of the pages, found $figures"

# The figures in the pictures are those of the quickstart.
table=$($strobe report results/quickstart --format text)
shown=$(sed -n 's/.*<text class="out"[^>]*>\(.*\)<\/text>.*/\1/p' docs/figures/result-table.svg)
[ "$(wc -l <<<"$shown")" -ge 12 ] || fail "docs/figures/result-table.svg: expected at least 12 lines of class out"
while IFS= read -r line; do
  grep -qxF -- "$line" <<<"$table" || fail "docs/figures/result-table.svg shows the line
$line
but the quickstart prints
$table"
done <<<"$shown"

# expect_in PICTURE NUMBER...: each number, with its thousands apart, is in the picture.
expect_in() {
  local picture=docs/figures/$1 number
  shift
  for number; do
    [ -n "$number" ] || fail "$picture shows a figure that the quickstart's result does not have"
    number=$(sed ':a; s/\B[0-9]\{3\}\>/,&/; ta' <<<"$number")
    grep -qF -- "$number" "$picture" || fail "$picture does not show $number, which the quickstart has"
  done
}
# count PC VALUE: of that edge in the profile. figure KEY: of the result.
count() { awk -F, -v pc="$1" -v value="$2" '$1 == 0 && $2 == pc && $3 == value { print $4 }' results/quickstart/profile.stratified.csv; }
figure() { sed -n "s/^ *\"$1\": \([0-9]*\),*$/\1/p" results/quickstart/result.json | head -n 1; }
expect_in event-to-profile.svg "$(count 0x10c90 0x10c78)" "$(count 0x10c78 0x10cf0)" "$(count 0x10c80 0x10cde)"
cycles=$(figure cycles) baseline=$(figure baseline_cycles) handler=$(figure core.cpi.handler)
entry=$(figure core.cpi.interrupt_entry)
expect_in two-runs.svg "$cycles" "$baseline" "$handler" "$entry" "$(figure core.interrupts)" "$((cycles - baseline))" \
  "$((cycles - baseline - handler - entry))" "$(figure messages)" "$(figure overhead_analytical_cycles)"

# Every page can be reached from the index; a page of explorations from theirs.
for page in docs/*.md docs/blocks/*.md docs/reproductions/*.md docs/explorations/index.md; do
  link=${page#docs/}
  [ "$link" = index.md ] || grep -qF "]($link" docs/index.md || fail "docs/index.md has no link to $link"
done
for page in docs/explorations/*.md; do
  link=${page##*/}
  [ "$link" = index.md ] || grep -qF "]($link" docs/explorations/index.md || fail "docs/explorations/index.md has no link to $link"
done
