#!/usr/bin/env bash
# Does an installation work without the source and build trees, after it was moved?
#
# Usage: installed.sh SOURCE BUILD          installs with cmake
#        installed.sh SOURCE BUILD --deb    makes the Debian package and unpacks it
set -euo pipefail
source_dir=$1 build=$2 how=${3:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "error: $*" >&2; exit 1; }

if [ "$how" = --deb ]; then
  (cd "$scratch" && cpack --config "$build/CPackConfig.cmake" -B "$scratch/packed" >/dev/null)
  package=$(ls "$scratch"/packed/strobe_*.deb)
  dpkg-deb --field "$package" Depends | grep -q libsystemc || fail "the package does not depend on libsystemc"
  dpkg-deb --extract "$package" "$scratch/unpacked"
  mv "$scratch/unpacked/usr" "$scratch/moved"
else
  cmake --install "$build" --prefix "$scratch/installed" >/dev/null
  mv "$scratch/installed" "$scratch/moved"
fi
strobe=$scratch/moved/bin/strobe share=$scratch/moved/share/strobe
mkdir "$scratch/user"
cd "$scratch/user"
export STROBE_CACHE=$scratch/cache

# Where a mount namespace is allowed, the command finds an empty folder in place of each tree.
hidden() {
  # shellcheck disable=SC2016
  unshare -rm sh -c 'mount -t tmpfs none "$1" && { [ ! -d "$2" ] || mount -t tmpfs none "$2"; } && shift 2 && exec "$@"' \
    sh "$build" "$source_dir" "$@"
}
if ! hidden true 2>/dev/null; then
  echo "the trees are not hidden: no mount namespace is allowed here"
  hidden() { "$@"; }
fi

# Every file that doctor names is one of the installation, but for the tools of the system.
found=$(hidden "$strobe" doctor) || fail "doctor: $found"
for place in "$source_dir" "$build"; do
  ! grep -F "$place/" <<<"$found" || fail "doctor names a file of $place"
done
grep -q "^ok       firmware: $scratch/moved/lib/strobe/guest/firmware.elf" <<<"$found" || fail "doctor: $found"

for file in "$share/configs/runs/quickstart.yaml" "$share/configs/cores/haswell.yaml" "$share/configs/sweeps/small.yaml"; do
  hidden "$strobe" config check "$file" >/dev/null
done

# RTL that was built with the project, by names alone.
cat >run.yaml <<'Y'
core: hps2005
workload: othello
profilers:
  - name: stratified
    kind: stratified
    active: true
    fidelity: lockstep
    selectors: [{ profile: edge }]
Y
hidden "$strobe" run run.yaml --out results --quiet --set 'workload.args=[tiny]' >table.txt
grep -q "^stratified: events = .* ok$" table.txt || fail "the run: $(cat table.txt)"
[ ! -e "$STROBE_CACHE/rtl" ] || fail "the installed RTL was not used: another was built"

# The same as of the build tree.
"$build/bin/strobe" run run.yaml --out of_build --quiet --set 'workload.args=[tiny]' >/dev/null
cmp results/result.json of_build/result.json
cmp results/config.yaml of_build/config.yaml

# Other commands' files.
hidden "$strobe" sweep "$share/configs/sweeps/small.yaml" --dry-run --out sweep >/dev/null
hidden "$strobe" top results --rows 1 >/dev/null

if [ "$how" = --deb ]; then
  # A design point that was not built: Verilated and compiled of the installed sources.
  hidden "$strobe" run run.yaml --out other --quiet --set 'workload.args=[tiny]' --set profilers.0.strata=64 >/dev/null
  ls "$STROBE_CACHE"/rtl/*/libstrobe_profiler_Strata64.so >/dev/null
else
  # Without a compiler, one sentence says what is missing.
  mkdir "$scratch/bin"
  ln -s "$(command -v bash)" "$scratch/bin/bash"
  if PATH=$scratch/bin "$strobe" run run.yaml --out other --quiet --set 'workload.args=[tiny]' \
    --set profilers.0.strata=64 >/dev/null 2>errors.txt; then
    fail "a design point was built without Verilator"
  fi
  [ "$(wc -l <errors.txt)" = 1 ] || fail "expected one sentence, got: $(cat errors.txt)"
  grep -q verilator errors.txt || fail "expected a sentence about verilator, got: $(cat errors.txt)"
fi
echo "the installation works without the trees"
