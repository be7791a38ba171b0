#!/usr/bin/env bash
# Runs every command of the README's sh blocks, as written, in the source tree, and checks that the table the
# README shows is the one the quickstart prints. The two commands that build and test everything are
# left to scripts/test, which is what runs this.
set -euo pipefail
cd "$1"
count=0
while IFS= read -r command; do
  case "$command" in "" | "./scripts/demo"* | "./scripts/test"*) continue ;; esac
  echo "+ $command"
  bash -euo pipefail -c "$command"
  count=$((count + 1))
done < <(awk '/^```sh$/ { inside = 1; line = ""; next }
              /^```$/ { inside = 0; next }
              inside { sub(/ +# .*$/, ""); line = line $0
                       if (sub(/\\$/, "", line) == 0) { print line; line = "" } }' README.md)
[ "$count" -ge 5 ] || { echo "error: expected at least 5 commands in README.md, found $count" >&2; exit 1; }

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
table=$(build/release/bin/strobe run configs/runs/quickstart.yaml --out "$out/quickstart" --quiet)
if [[ "$(cat README.md)" != *"$table"* ]]; then
  echo "error: README.md does not show what the quickstart prints now:" >&2
  echo "$table" >&2
  exit 1
fi
