#!/usr/bin/env bash
# Yosys' part of the lint must see a latch, a wire without a driver, and a wire with two drivers. It must see them at a
# point that is not the default's, in the module itself and in a module that it instantiates.
# Usage: lint_sees.sh RTL_DIR
set -euo pipefail
original=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rtl=$work/rtl
cp -r "$original" "$rtl"
source "$(dirname "$0")/front_ends.sh"
failed=0
# sees LINE EXPECTED MODULE [Name=value...]: with LINE at the end of strobe_increment, MODULE fails and says EXPECTED.
sees() {
  local line=$1 expected=$2 said
  shift 2
  sed "s/^endmodule/$line\n&/" "$original/common/strobe_increment.sv" >"$rtl/common/strobe_increment.sv"
  if said=$(lint_yosys "$@" 2>&1); then
    echo "lint_yosys $* passes with '$line'" >&2
    failed=1
  elif ! grep -q "$expected" <<<"$said"; then
    echo "lint_yosys $* with '$line': expected '$expected', got: $said" >&2
    failed=1
  fi
}
lint_yosys strobe_increment Width=27
for point in "strobe_increment Width=27" "strobe_counter Steps=2 Lanes=1 Width=32"; do
  # shellcheck disable=SC2086
  {
    sees 'logic fault; always_comb if (value_i[0]) fault = 1;' 'Latch inferred' $point
    sees 'logic fault, other; assign other = ~fault;' 'has no driver' $point
    sees 'logic fault; assign fault = ~value_i[0]; assign fault = ~value_i[1];' 'multiple conflicting drivers' $point
  }
done
exit $failed
