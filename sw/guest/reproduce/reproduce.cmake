# guest_reproduce: programs that `strobe reproduce` runs to show one effect: ${CMAKE_BINARY_DIR}/guest/reproduce/NAME.elf
# with NAME.link, which records the link command for tools that edit objects (docs/object-editing.md).
set(reproduce_flags -std=c11 ${workload_flags})
file(MAKE_DIRECTORY "${guest_dir}/reproduce")
set(reproduce_elfs)
get_filename_component(reproduce_gcc "${STROBE_riscv64_linux_gnu_gcc}" NAME)
get_filename_component(reproduce_gxx "${STROBE_riscv64_linux_gnu_g__}" NAME)
foreach(name phases producer)
  set(object "${guest_dir}/objects/reproduce/${name}.o")
  set(elf "${guest_dir}/reproduce/${name}.elf")
  guest_compile("${object}" "${CMAKE_CURRENT_LIST_DIR}/${name}.c" "${STROBE_riscv64_linux_gnu_gcc}" ${reproduce_flags})
  add_custom_command(
    OUTPUT "${elf}"
    COMMAND "${STROBE_riscv64_linux_gnu_gcc}" -static "${object}" -o "${elf}"
    DEPENDS "${object}"
    COMMENT "Guest program ${elf}"
    VERBATIM)
  file(GENERATE OUTPUT "${guest_dir}/reproduce/${name}.link"
       CONTENT "${reproduce_gcc}\n-static\n../objects/reproduce/${name}.o\n")
  list(APPEND reproduce_elfs "${elf}")
endforeach()

# succession.elf runs workloads one after the other; their mains are renamed.
set(succession_objects)
foreach(source reproduce/succession.cpp workloads/btree.c workloads/desim.cpp workloads/hashjoin.c workloads/json.cpp
        workloads/lisp.c workloads/lz.c workloads/othello.c workloads/paths.c workloads/raytrace.cpp workloads/regex.cpp)
  get_filename_component(name "${source}" NAME_WE)
  set(command "${STROBE_riscv64_linux_gnu_gcc}" -std=c11)
  if(source MATCHES "\\.cpp$")
    set(command "${STROBE_riscv64_linux_gnu_g__}" -std=c++17)
  endif()
  if(source MATCHES "^workloads/")
    list(APPEND command "-Dmain=${name}_main")
  endif()
  set(object "${guest_dir}/objects/reproduce/succession/${name}.o")
  guest_compile("${object}" "${PROJECT_SOURCE_DIR}/sw/guest/${source}" ${command} ${workload_flags})
  list(APPEND succession_objects "${object}")
  list(APPEND succession_record "../objects/reproduce/succession/${name}.o")
endforeach()
set(elf "${guest_dir}/reproduce/succession.elf")
add_custom_command(
  OUTPUT "${elf}"
  COMMAND "${STROBE_riscv64_linux_gnu_g__}" -static ${succession_objects} -o "${elf}" -lm
  DEPENDS ${succession_objects}
  COMMENT "Guest program ${elf}"
  VERBATIM)
list(JOIN succession_record "\n" record)
file(GENERATE OUTPUT "${guest_dir}/reproduce/succession.link"
     CONTENT "${reproduce_gxx}\n-static\n${record}\n-lm\n")
list(APPEND reproduce_elfs "${elf}")
add_custom_target(guest_reproduce ALL DEPENDS ${reproduce_elfs})
