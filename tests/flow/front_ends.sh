# How each of the three front ends is called on one module. Sourced; needs $rtl, the RTL folder.
#
#   lint_verilator MODULE [Name=value...] [-option...]   all warnings are errors, waivers of rtl/strobe.vlt only
#   lint_yosys MODULE [Name=value...]         elaborates, for synthesis and for proofs; no undriven or
#                                             doubly driven wire, no latch
#   lint_icarus MODULE [Name=value...]        elaborates; silent but for one limitation of its own

packages="$rtl/pkg/strobe_pkg.sv $rtl/pkg/strobe_reg_pkg.sv $rtl/pkg/strobe_hash_pkg.sv $rtl/pkg/strobe_dise_pkg.sv"

source_of() { ls "$rtl"/*/"$1".sv; }
# What a module, or a harness of several, may be made of: the decode engine and the profiling path share common and sampler.
modules_for() {
  case "$(source_of "$1" 2>/dev/null) $1" in
    */dise/* | */hps/* | *' strobe_dise_'*) ls "$rtl"/common/*.sv "$rtl"/sampler/*.sv "$rtl"/dise/*.sv "$rtl"/hps/*.sv ;;
    *) ls "$rtl"/common/*.sv "$rtl"/sampler/*.sv "$rtl"/message/*.sv "$rtl"/top/*.sv ;;
  esac
}

lint_verilator() {
  local module=$1 parameters=() parameter
  shift
  for parameter; do
    if [[ $parameter == -* ]]; then parameters+=("$parameter"); else parameters+=("-G$parameter"); fi
  done
  # shellcheck disable=SC2086
  verilator --lint-only -Wall "${parameters[@]}" --top-module "$module" -I"$rtl/common" \
    -y "$rtl/common" -y "$rtl/dise" -y "$rtl/hps" -y "$rtl/sampler" -y "$rtl/message" -y "$rtl/top" "$rtl/strobe.vlt" $packages \
    "$(source_of "$module")"
}

lint_yosys() {
  local module=$1 set="" own parameter formal
  shift
  for parameter; do set="$set -set ${parameter%=*} ${parameter#*=}"; done
  if [ -n "$set" ]; then set="chparam $set $module;"; fi
  own=$(source_of "$module")
  # -defer: the other modules are elaborated where this one has them, not each by itself. Not this one: hierarchy -chparam
  # of a deferred module fails in Yosys 0.23 on some of the points.
  for formal in "" -formal; do
    # shellcheck disable=SC2086
    yosys -q -p "read_verilog -sv -defer $formal -I$rtl/common $(echo $packages $(modules_for $module | grep -vxF "$own"))
      read_verilog -sv $formal -I$rtl/common $own; $set
      hierarchy -check -top $module; proc; check -assert
      select -assert-none t:\$dlatch t:\$dlatchsr t:\$sr" || return
  done
}

lint_icarus() {
  local module=$1 parameters=() parameter output status=0
  shift
  for parameter; do parameters+=("-P$module.$parameter"); done
  # The design has no timescale on purpose (docs/rtl_subset.md), so that warning says nothing.
  # shellcheck disable=SC2086
  output=$(iverilog -g2012 -Wall -Wno-timescale -I"$rtl/common" "${parameters[@]}" -s "$module" \
    -t null $packages $(modules_for "$module") 2>&1) || status=$?
  # Icarus 11 widens the sensitivity of a part select in always_comb and says so; that is harmless.
  output=$(grep -v 'sorry: constant selects in always_' <<<"$output" || true)
  if [ -n "$output" ]; then
    echo "$output" >&2
    return 1
  fi
  return "$status"
}
