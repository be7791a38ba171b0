#!/usr/bin/env bash
# scripts/coverage on three small blocks: all of their lines are covered. With a bench that does nothing it names the
# block and the lines, and it refuses a name that is not a block.
set -euo pipefail
cd "$1"

fail() { printf '%s\n' "$*" >&2; exit 1; }

STROBE_TB_CYCLES=20000 scripts/coverage lfsr message_buffer ring_registers || fail "expected 95 % of the lines"

if said=$(STROBE_TB_CYCLES=1 scripts/coverage lfsr 2>&1); then fail "one cycle covers the block: $said"; fi
grep -q '^rtl/common/strobe_lfsr.sv: [0-9.]* % of its lines are covered, expected 95 % at least; not covered: 3' <<<"$said" ||
  fail "expected the block and its lines, got: $said"

if said=$(scripts/coverage nothing 2>&1); then fail "there is no such block"; fi
grep -q "expected blocks that have a bench tb/BLOCK_test.cpp, got 'nothing'" <<<"$said" || fail "got: $said"
