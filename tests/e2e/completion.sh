#!/usr/bin/env bash
# Does bash complete a command line with what strobe has? Usage: completion.sh STROBE
set -euo pipefail
PATH=$(dirname "$1"):$PATH
failed=0

source <(strobe completion bash)
[[ $(complete -p strobe) == *"-F _strobe strobe" ]] || { echo "error: bash does not call _strobe: $(complete -p strobe)"; failed=1; }

# expect "CANDIDATE..." WORD...: what bash would offer in place of the last word of the line.
expect() {
  local wanted=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  # compgen fails where nothing begins like the word; what counts is the reply, which is compared below.
  _strobe || true
  if [ "${COMPREPLY[*]}" != "$wanted" ]; then
    echo "error: '$*': expected '$wanted', got '${COMPREPLY[*]}'"
    failed=1
  fi
}

expect "record replay report reproduce" strobe re
expect "run" strobe ru
expect "" strobe rnu
expect "check explain schema" strobe config ""
expect "--out" strobe run --o
expect "--out" strobe run configs/runs/quickstart.yaml --set core.rob=64 --ou
expect "" strobe run configs/runs/quickstart.yaml --out ""  # bash then offers files
expect "" strobe run conf                                    # and here
expect "sweep synth" strobe config schema s
expect "core" strobe config check a.yaml --kind c
expect "core" strobe config check a.yaml --kind = c
expect "--kind" strobe config check --k
expect "markdown" strobe report results/a --format ma
# Commands of bin/strobe-experiments.
expect "--dry-run" strobe sweep configs/sweeps/small.yaml --dr
expect "--list --limits" strobe reproduce --li
expect "--layout" strobe optimize --la
expect "bolt" strobe optimize a.elf --layout b

help=$(strobe --help)
if grep -q __complete <<<"$help"; then echo "error: the help shows __complete"; failed=1; fi
# Every command of the help is offered, and nothing else.
listed=$(sed -n '/^Subcommands:/,$ s/^  \([a-z-]*\) .*/\1/p' <<<"$help" | sort)
offered=$(strobe __complete "" | sort)
[ "$listed" = "$offered" ] || { echo "error: the help lists $listed, but offered are $offered"; failed=1; }
exit $failed
