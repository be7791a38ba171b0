#!/usr/bin/env bash
# Verilates one parameter point of a top module and compiles it into a shared object. The build uses
# it, and so does a run that needs a point that was not built with the project.
#
# Usage: build_point.sh SOURCE_DIR strobe_profiler|strobe_dise OUTPUT.so none|vcd|fst|coverage [PARAMETER=VALUE...]
#
# Parameters that are not given have their default. With vcd or fst the object can write waveforms of
# that format, which makes it slower (fst needs the Debian package zlib1g-dev); strobe_dise writes
# none. With coverage it counts which lines of the path's own modules ran and which bits toggled
# (coverage.h).
# The output appears complete or not at all. OUTPUT.so.sources lists its sources in the format of
# sha256sum, and OUTPUT.so.sha256 has its own SHA-256: an object that is damaged, or whose sources
# differ from the tree's, is not loaded. OUTPUT.so.d is the same list for the build.
set -euo pipefail
parts=()
source "$(dirname "$0")/parts_of.sh"

if [ $# -lt 4 ]; then
  sed -n '5s/^# //p' "$0" >&2
  exit 2
fi
source_dir=$(realpath -s "$1") top=$2 output=$(realpath -s "$3") recording=$4
shift 4

case $top in
  strobe_profiler) glue=model.cpp ;;
  strobe_dise) glue=dise_model.cpp ;;
  *)
    echo "$0: expected strobe_profiler or strobe_dise, got '$top'" >&2
    exit 2
    ;;
esac

arguments=() runtime=() libraries=() vcd=0 fst=0 coverage=0 optimisation=-O3
case $recording in
  none) ;;
  vcd) arguments=(--trace) runtime=(verilated_vcd_c) vcd=1 ;;
  fst) arguments=(--trace-fst) runtime=(verilated_fst_c) libraries=(-lz) fst=1 ;;
  coverage) arguments=(--coverage-line --coverage-toggle) runtime=(verilated_cov) coverage=1 optimisation=-O0 ;;
  *)
    echo "$0: expected none, vcd, fst or coverage, got '$recording'" >&2
    exit 2
    ;;
esac

work=$(mktemp -d "$output.XXXXXX")
trap 'rm -rf "$work"' EXIT
touch "$work/begin"

cd "$source_dir"  # relative names: a compiler cache knows the C++ in another checkout
rtl=rtl
if ((coverage)); then  # only modules that no bench drives alone; the benches count the others
  arguments+=("$work/coverage.vlt")
  echo '`verilator_config' >"$work/coverage.vlt"
  for file in "$rtl"/*/*.sv; do
    case ${file##*/} in
      strobe_profiler.sv | strobe_compressor.sv | strobe_banked_sampler.sv | strobe_bank_clear.sv) ;;
      *) echo "coverage_off -file \"$file\"" >>"$work/coverage.vlt" ;;
    esac
  done
fi
mapfile -t rtl_parts < <(parts_of "$rtl" "$top")
verilator --cc -O3 --x-assign fast --x-initial fast --noassert --threads 1 --no-timing "${arguments[@]}" \
  -I"$rtl/common" -y "$rtl/common" -y "$rtl/dise" -y "$rtl/hps" -y "$rtl/sampler" -y "$rtl/message" -y "$rtl/top" \
  "${@/#/-G}" \
  --top-module "$top" --prefix "V$top" --Mdir "$work" \
  "$rtl/strobe.vlt" "${rtl_parts[@]}"

# The model and the glue are one translation unit; Verilator's runtime is another, the same for every
# point, so a compiler cache has it after the first.
include=$(verilator --getenv VERILATOR_ROOT)/include
cd "$work"
for file in "V$top"*.cpp "sc_models/profiling/verilated/$glue"; do
  echo "#include \"$file\""
done >model_all.cpp

compiler=(g++)
if command -v ccache >/dev/null; then compiler=(env CCACHE_BASEDIR="$source_dir" ccache g++); fi
flags=(-std=c++17 -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -w -pthread
  -I"$include" -I"$include/vltstd" -DVM_COVERAGE="$coverage" -DVM_SC=0 -DVM_TRACE=$((vcd + fst))
  -DVM_TRACE_FST="$fst" -DVM_TRACE_VCD="$vcd" -DVL_TIME_CONTEXT)
for part in verilated verilated_threads "${runtime[@]}"; do
  "${compiler[@]}" "${flags[@]}" -O1 -c "$include/$part.cpp" -o "$part.o" &
  parts+=($!)
done
"${compiler[@]}" "${flags[@]}" "$optimisation" -I. -I"$source_dir" \
  -DSTROBE_POINT="\"$*\"" -MMD -MF model_all.d -c model_all.cpp -o model_all.o
for part in "${parts[@]}"; do wait "$part"; done
g++ -shared -pthread -Wl,-Bsymbolic ./*.o "${libraries[@]}" -o point.so

# What Verilator and the compiler read of the source tree, and this recipe.
words() { tr -s ' \\:' '\n' <"$1" | grep / | xargs -d '\n' realpath -s --; }
{
  (cd "$source_dir" && words "$work/V${top}__ver.d")
  words model_all.d
  printf '%s\n' "$source_dir"/sc_models/profiling/verilated/{build_point,parts_of}.sh
} | grep -F "$source_dir/" | grep -vF "$work/" | sort -u >"$work/sources"
while read -r source; do
  if [[ $source -nt $work/begin ]]; then
    echo "$0: $source was changed while $top was compiled: build it again" >&2
    exit 1
  fi
done <"$work/sources"
xargs -d '\n' sha256sum <"$work/sources" >"$work/sources.sha256"
sha256sum <"$work/point.so" | cut -d' ' -f1 >"$work/point.sha256"
rm -f "$output.sources"
{ echo "$output: \\"; sed 's/$/ \\/' "$work/sources"; } >"$output.d"
mv -f "$work/point.sha256" "$output.sha256"
mv -f "$work/point.so" "$output"
mv -f "$work/sources.sha256" "$output.sources"
