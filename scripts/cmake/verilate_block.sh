#!/usr/bin/env bash
# Verilates one module for a bench: the C++ model V<NAME>, all of it included by V<NAME>_all.cpp, and a depfile for the
# build that names the RTL of which the model is made. Run in the source tree, because relative names let a compiler
# cache recognize the C++ in another checkout.
#
# Usage: verilate_block.sh NAME MODULE FOLDER [VERILATOR_OPTION...]
set -euo pipefail
source sc_models/profiling/verilated/parts_of.sh
name=$1 module=$2 folder=$3 prefix=V$1
shift 3

rm -rf "$folder"  # earlier RTL may have made more files
mapfile -t parts < <(parts_of rtl "$module")
verilator --cc -O3 --assert --threads 1 --no-timing --x-assign unique --x-initial unique "$@" \
  -Irtl/common -y rtl/common -y rtl/dise -y rtl/hps -y rtl/sampler -y rtl/message -y rtl/top \
  --top-module "$module" --prefix "$prefix" --Mdir "$folder" rtl/strobe.vlt "${parts[@]}"

cd "$folder"
sed -E "s,^.*  ?: ,$folder/${prefix}_all.cpp: ,; s, (rtl/), $OLDPWD/\1,g" "${prefix}__ver.d" >"${prefix}_all.d"
printf '#include "%s"\n' "$prefix"*.cpp >all.tmp
mv all.tmp "${prefix}_all.cpp"
