# guest_reproduce: programs that `strobe reproduce` runs to show one effect: ${CMAKE_BINARY_DIR}/guest/reproduce/NAME.elf
# with NAME.link, which records the link command for tools that edit objects (docs/object-editing.md).
set(reproduce_flags -std=c11 ${workload_flags})
file(MAKE_DIRECTORY "${guest_dir}/reproduce")
set(reproduce_elfs)
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
       CONTENT "${STROBE_riscv64_linux_gnu_gcc}\n-static\n../objects/reproduce/${name}.o\n")
  list(APPEND reproduce_elfs "${elf}")
endforeach()
add_custom_target(guest_reproduce ALL DEPENDS ${reproduce_elfs})
