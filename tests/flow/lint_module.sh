#!/usr/bin/env bash
# Lints one module alone, at one parameter point, with all three front ends.
# Usage: lint_module.sh RTL_DIR MODULE [Name=value...]
set -euo pipefail
rtl=$1
shift
source "$(dirname "$0")/front_ends.sh"
lint_verilator "$@"
lint_yosys "$@"
lint_icarus "$@"
