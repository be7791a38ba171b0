# What a tool reads of the RTL for one module. Sourced.
#
#   named_by RTL_DIR FILE...   prints the files and every file of the RTL that they, or a file named by them, name.
#   parts_of RTL_DIR MODULE    prints the packages that MODULE or one of its parts names, and then MODULE's own file.
#                              Verilator finds the other modules by their names; it has to be given the packages.
named_by() {
  local rtl=$1 found waiting names
  shift
  found=$(printf '%s\n' "$@") waiting=$found
  while [ -n "$waiting" ]; do
    # The names in the text, without its comments, and the files of the names. grep's exit code 1 says that there is none,
    # which is right for a module without parts; any other one ends the caller.
    # shellcheck disable=SC2086
    names=$(sed 's,//.*,,' $waiting | { grep -oE 'strobe_[a-z0-9_]+' || [ $? -eq 1 ]; } | sort -u | paste -sd'|')
    waiting=$(ls "$rtl"/*/*.sv "$rtl"/*/*.svh | { grep -E "/($names)\.svh?\$" || [ $? -eq 1 ]; } |
      { grep -vxF "$found" || [ $? -eq 1 ]; })
    if [ -n "$waiting" ]; then found+=$'\n'$waiting; fi
  done
  echo "$found"
}
parts_of() {
  local top
  top=$(ls "$1"/*/"$2".sv)
  named_by "$1" "$top" | { grep /pkg/ || [ $? -eq 1 ]; }
  echo "$top"
}
