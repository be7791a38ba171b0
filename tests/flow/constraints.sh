#!/usr/bin/env bash
# The SDC file of the attached profiler constrains each of its ports and registers: OpenSTA reads it beside a small netlist.
# Usage: constraints.sh RTL_DIR
set -euo pipefail
rtl=$1
source "$(dirname "$0")/front_ends.sh"
top=strobe_rvfi_profiler
library=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
point="Lanes=1 Selectors=1 QueueDepth=2 Strata=1 CounterWidth=1 BufferDepth=2 Hash=1 Ring=1"
parameters=$(sed -E 's/(\w+)=(\w+)/-chparam \1 \2/g' <<<"$point")
yosys -q -l "$work/yosys.log" -p "read_verilog -sv -defer -I$rtl/common $(echo $packages $(modules_for $top))
  hierarchy -check -top $top $parameters; synth -flatten -noabc -top $top
  dfflibmap -liberty $library; abc -liberty $library -script +strash;map; opt_clean -purge
  rename -top $top; write_verilog -noattr -noexpr $work/netlist.v"

# ask SDC: what check_setup finds wanting, port by port, in $work/wanting
ask() {
  cat >"$work/ask.tcl" <<END
read_liberty $library
read_verilog $work/netlist.v
link_design $top
read_sdc $1
check_setup -verbose
END
  sta -no_splash -exit "$work/ask.tcl" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  if grep -q '^Error' "$work/log"; then cat "$work/log" >&2; exit 1; fi
  grep -v '^Warning: There \(is\|are\) .* \(missing set_input_delay\|unconstrained endpoints\)' "$work/log" |
    sed 's/^ *//' | sort >"$work/wanting"
}

# Reset is a false path; the outputs are constants of the buses.
expected=$({
  echo rst_ni
  printf 'm_axi_awaddr_o[%d]\n' 0 1 2
  printf 'm_axi_awprot_o[%d]\n' 0 1 2
  printf 'm_axi_wstrb_o[%d]\n' 0 1 2 3 4 5 6 7
  printf 's_axi_%sresp_o[0]\n' b r
} | sort)
ask "$rtl/top/$top.sdc"
diff <(echo "$expected") "$work/wanting" >&2 || {
  echo "$rtl/top/$top.sdc: expected the ports on the left to be without constraints, got those on the right" >&2
  exit 1
}
sed 's/ retire_\*//' "$rtl/top/$top.sdc" >"$work/less.sdc"
ask "$work/less.sdc"
grep -q retire_mispredicted_i "$work/wanting" || { echo "a port without constraints is not seen" >&2; exit 1; }
