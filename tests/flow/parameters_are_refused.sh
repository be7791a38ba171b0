#!/usr/bin/env bash
# A parameter out of range must stop each front end at elaboration; the defaults must not.
# Usage: parameters_are_refused.sh RTL_DIR
set -euo pipefail
rtl=$1
source "$(dirname "$0")/front_ends.sh"
accepted=$(mktemp)
trap 'rm -f "$accepted"' EXIT
jobs=0
refused() {
  if [ "$jobs" -ge "$(nproc)" ]; then wait -n; else jobs=$((jobs + 1)); fi
  for tool in lint_verilator lint_yosys lint_icarus; do
    if "$tool" "$@" >/dev/null 2>&1; then echo "$tool accepts $*" >>"$accepted"; fi
  done &
}
for tool in lint_verilator lint_yosys lint_icarus; do "$tool" strobe_profiler; done
refused strobe_ram_1r1w Depth=0
refused strobe_onehot_mux Inputs=0
refused strobe_carry_save Rows=2
refused strobe_selector Lanes=9
refused strobe_selector Selectors=0
refused strobe_selector PcWidth=0
refused strobe_selector ValueWidth=65
refused strobe_tuple_queue Depth=48
refused strobe_tuple_queue Lanes=8 Depth=8
refused strobe_tuple_queue Heads=2
refused strobe_tuple_queue TupleWidth=0
refused strobe_bank_router Banks=3
refused strobe_bank_router RowBits=12
refused strobe_bank_router TupleWidth=0
refused strobe_message_merge Banks=16
refused strobe_message_merge TupleWidth=0
refused strobe_xor_fold Bits=33
refused strobe_hash_linear IndexBits=33
refused strobe_hash_multiply_shift IndexBits=33
refused strobe_hash Hash=5
refused strobe_hash IndexBits=-1
refused strobe_sampler_pipeline Entries=3
refused strobe_sampler_pipeline WordWidth=0
refused strobe_sampler_pipeline CountWidth=33
refused strobe_sampler_pipeline TupleWidth=0
refused strobe_sampler_pipeline Table=2
refused strobe_sampler_pipeline Bank=2
refused strobe_strata Strata=8192
refused strobe_strata Sampler=4
refused strobe_strata CounterWidth=13
refused strobe_strata Bank=2
refused strobe_strata TupleWidth=0
refused strobe_hash_pipeline PcWidth=65
refused strobe_hash_pipeline ValueWidth=0
refused strobe_banked_sampler Banks=3
refused strobe_banked_sampler Strata=2
refused strobe_associative_table Entries=2
refused strobe_associative_table Entries=24
refused strobe_associative_table Entries=128
refused strobe_associative_table CountWidth=25
refused strobe_associative_table CountWidth=8 InCountWidth=9
refused strobe_associative_table InCountWidth=0
refused strobe_associative_table TupleWidth=0
refused strobe_tagged_entry TagBits=17
refused strobe_tagged_sampler Ways=3
refused strobe_tagged_sampler Strata=2 Ways=4
refused strobe_tagged_sampler HitWidth=2 MissWidth=3
refused strobe_compressor Compressor=1 Banks=2
refused strobe_compressor Heads=4
refused strobe_compressor SecondEntries=16 SecondWidth=8
refused strobe_message_buffer Depth=3
refused strobe_message_buffer TupleWidth=0
refused strobe_ring_writer CountWidth=33
refused strobe_ring_writer PcWidth=0
refused strobe_ring_writer ValueWidth=65
refused strobe_registers Selectors=9
refused strobe_rvfi Lanes=9
refused strobe_axi_writer Prot=8
refused strobe_registers SecondEntries=16 SecondWidth=32
refused strobe_registers PcWidth=65
refused strobe_registers ValueWidth=0
refused strobe_profiler BufferDepth=8192
refused strobe_profiler SecondEntries=16 SecondWidth=8
refused strobe_profiler Ring=2
refused strobe_profiler PcWidth=65
refused strobe_profiler ValueWidth=0
refused strobe_first_one Width=0
refused strobe_at_least Width=3
refused strobe_increment Width=0
refused strobe_pattern_table Lanes=3
refused strobe_pattern_table Patterns=24
refused strobe_condition_mask Counters=4
refused strobe_condition_mask FlagTiming=2
refused strobe_counter Steps=3
refused strobe_counter Width=7
refused strobe_counter_bank Counters=0
refused strobe_checkpoints Lanes=3
refused strobe_replacement_table Replacements=48
refused strobe_dise_sequencer StallCycles=0
# The values beside the ranges of configs/blocks.
# strobe-gen: compressors
refused strobe_banked_sampler Banks=0
refused strobe_banked_sampler Banks=16
refused strobe_banked_sampler Sampler=-1
refused strobe_banked_sampler Sampler=4
refused strobe_banked_sampler Hash=-1
refused strobe_banked_sampler Hash=5
refused strobe_banked_sampler Strata=0
refused strobe_banked_sampler Strata=8192
refused strobe_banked_sampler CounterWidth=0
refused strobe_banked_sampler CounterWidth=13
refused strobe_stratified_sampler Sampler=-1
refused strobe_stratified_sampler Sampler=4
refused strobe_stratified_sampler Hash=-1
refused strobe_stratified_sampler Hash=5
refused strobe_stratified_sampler Strata=0
refused strobe_stratified_sampler Strata=8192
refused strobe_stratified_sampler CounterWidth=0
refused strobe_stratified_sampler CounterWidth=13
refused strobe_tagged_sampler Hash=-1
refused strobe_tagged_sampler Hash=5
refused strobe_tagged_sampler Strata=0
refused strobe_tagged_sampler Strata=8192
refused strobe_tagged_sampler Ways=0
refused strobe_tagged_sampler Ways=8
refused strobe_tagged_sampler TagBits=0
refused strobe_tagged_sampler TagBits=17
refused strobe_tagged_sampler HitWidth=0
refused strobe_tagged_sampler HitWidth=13
refused strobe_tagged_sampler MissWidth=0
refused strobe_tagged_sampler MissWidth=13
refused strobe_compressor Compressor=-1
refused strobe_compressor Compressor=3
refused strobe_compressor Compressor=2 Strata=16 SecondEntries=16
# strobe-gen: end
wait
cat "$accepted" >&2
[ ! -s "$accepted" ]
