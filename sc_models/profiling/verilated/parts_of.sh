# What Verilator reads of the RTL for one module. Sourced.
#
#   parts_of RTL_DIR MODULE    prints the packages that MODULE or one of its parts names, and then MODULE's own file.
#                              Verilator finds the other modules by their names; it has to be given the packages.
parts_of() {
  local rtl=$1 top found waiting names
  top=$(ls "$rtl"/*/"$2".sv)
  found=$top waiting=$top
  while [ -n "$waiting" ]; do
    # The names in the text, without its comments, and the files of the names. grep's exit code 1 says that there is none,
    # which is right for a module without parts; any other one ends the caller.
    # shellcheck disable=SC2086
    names=$(sed 's,//.*,,' $waiting | { grep -oE 'strobe_[a-z0-9_]+' || [ $? -eq 1 ]; } | sort -u | paste -sd'|')
    waiting=$(ls "$rtl"/*/*.sv "$rtl"/*/*.svh | { grep -E "/($names)\.svh?\$" || [ $? -eq 1 ]; } |
      { grep -vxF "$found" || [ $? -eq 1 ]; })
    found+=$'\n'$waiting
  done
  grep /pkg/ <<<"$found" || [ $? -eq 1 ]
  echo "$top"
}
