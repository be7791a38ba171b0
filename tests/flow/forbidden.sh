# Constructs outside the RTL subset (docs/rtl_subset.md) that a front end would take silently or only
# sometimes: an extended regular expression and the reason, one a line. Sourced.
forbidden=(
  '\bimport\b|packages are referenced as pkg::name (Yosys)'
  '\breturn\b|functions assign to their own name (Yosys)'
  "'\\{|no assignment patterns (Yosys)"
  '\binside\b|no set membership (Yosys)'
  '\bforeach\b|no foreach (Yosys)'
  '\bbreak\b|no break (Yosys)'
  '\bparameter type\b|no type parameters (Yosys)'
  '\bbind\b|Yosys ignores bind'
  '\binterface\b|ports are flat (Icarus)'
  '\bstruct\b|ports and signals are flat vectors (Icarus 11 fails on package structs)'
  '\bint unsigned\b|int only (Icarus 11)'
  '\]\s*\[[^]]*\]\s*[a-z_]+\s*[,;)]|one packed dimension (Yosys)'
  '\bassert property\b|assertions only through STROBE_ASSERT (Yosys)'
  '`timescale|time scales are the simulator'"'"'s (SystemC aborts on a mismatch)'
  'lint_off|waivers live in rtl/strobe.vlt'
  '#[0-9]|no delays'
  '\binitial\b|no initial values; memories are not reset'
)
# forbidden_in FILE...: prints every use outside comments, fails if there is one.
forbidden_in() {
  local file entry pattern reason found=0
  for file; do
    for entry in "${forbidden[@]}"; do
      pattern=${entry%|*} reason=${entry##*|}
      # The header that makes STROBE_ASSERT, where other tools than Yosys see it.
      if [[ $pattern == *'assert property'* && $(basename "$file") == strobe_assert.svh ]]; then continue; fi
      if sed 's,//.*,,' "$file" | grep -nE "$pattern" | sed "s,^,$file:,"; then
        echo "  $reason"
        found=1
      fi
    done
    if [ "$(basename "$file")" != strobe_ram_1r1w.sv ] &&
      sed 's,//.*,,' "$file" | grep -nE 'logic\s*(\[[^]]*\])?\s*[a-z_]+\s*\[' | sed "s,^,$file:,"; then
      echo "  memories live in strobe_ram_1r1w only"
      found=1
    fi
  done
  return $found
}
