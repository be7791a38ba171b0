# guest_workloads: ${CMAKE_BINARY_DIR}/guest/workloads/NAME.elf, one for each source file NAME.c or
# NAME.cpp. They are static Linux programs with line tables. To add a workload, add its source, its
# golden output and configs/workloads/NAME.yaml.

# The prefix map makes the programs, including their debug information, the same in any clone.
set(workload_flags -O2 -g1 -static "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=" ${guest_warnings})
file(GLOB workload_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.c"
     "${CMAKE_CURRENT_LIST_DIR}/*.cpp")
file(MAKE_DIRECTORY "${guest_dir}/workloads")

set(workload_elfs)
foreach(source ${workload_sources})
  get_filename_component(name "${source}" NAME_WE)
  if(source MATCHES "\\.cpp$")
    set(command "${STROBE_riscv64_linux_gnu_g__}" -std=c++17)
  else()
    set(command "${STROBE_riscv64_linux_gnu_gcc}" -std=c11)
  endif()
  set(object "${guest_dir}/objects/workloads/${name}.o")
  set(elf "${guest_dir}/workloads/${name}.elf")
  guest_compile("${object}" "${source}" ${command} ${workload_flags})
  add_custom_command(
    OUTPUT "${elf}"
    COMMAND ${command} ${workload_flags} "${object}" -o "${elf}" -lm
    DEPENDS "${object}"
    COMMENT "Guest workload ${elf}"
    VERBATIM)
  # Records the link command, relative to its folder, for tools that edit objects (docs/object-editing.md). A record
  # names its compiler without a folder.
  list(JOIN command "\n" record)
  get_filename_component(record "${record}" NAME)
  file(GENERATE OUTPUT "${guest_dir}/workloads/${name}.link"
       CONTENT "${record}\n-static\n../objects/workloads/${name}.o\n-lm\n")
  list(APPEND workload_elfs "${elf}")
endforeach()
add_custom_target(guest_quickstart DEPENDS "${guest_dir}/workloads/othello.elf")  # configs/runs/quickstart.yaml
add_custom_target(guest_workloads ALL DEPENDS ${workload_elfs})
add_dependencies(guest_workloads guest_quickstart)
