#!/usr/bin/env bash
# Is an installation of a half build refused, by cmake and by cpack, with what to do?
#
# Usage: half_build.sh SOURCE BUILD
set -euo pipefail
source_dir=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "error: $*" >&2; exit 1; }

# A build that has the files that scripts/demo makes, and the other program, but not the rest.
half=$scratch/half
(cd "$source_dir" && cmake --preset release -B "$half" >/dev/null)
for file in bin/strobe bin/strobe-experiments guest/firmware.elf guest/workloads/othello.elf; do
  install -D "$build/$file" "$half/$file"
done
refused() {
  ! "$@" >"$scratch/said" 2>&1 || fail "'$*' succeeds with half a build"
  grep -q "expected a whole build in $half" <<<"$(tr '\n' ' ' <"$scratch/said" | tr -s ' ')" || fail "'$*' says: $(cat "$scratch/said")"
  grep -q "cmake --build $half --target programs" <<<"$(tr '\n' ' ' <"$scratch/said" | tr -s ' ')" || fail "'$*' does not say what to do"
}
refused cmake --install "$half" --prefix "$scratch/installed"
[ ! -e "$scratch/installed" ] || fail "something is installed all the same"
cd "$scratch"
refused cpack --config "$half/CPackConfig.cmake" -B "$scratch/packed"
[ -z "$(find "$scratch" -name '*.deb')" ] || fail "there is a package all the same"
echo "half a build is refused"
