# guest_reproduce: programs that `strobe reproduce` runs to show one effect: ${CMAKE_BINARY_DIR}/guest/reproduce/NAME.elf
# with NAME.link, which records the link command for tools that edit objects (docs/object-editing.md).
set(reproduce_flags -std=c11 ${workload_flags})
file(MAKE_DIRECTORY "${guest_dir}/reproduce")
guest_compile("${guest_dir}/objects/reproduce/phases.o" "${CMAKE_CURRENT_LIST_DIR}/phases.c"
              "${STROBE_riscv64_linux_gnu_gcc}" ${reproduce_flags})
add_custom_command(
  OUTPUT "${guest_dir}/reproduce/phases.elf"
  COMMAND "${STROBE_riscv64_linux_gnu_gcc}" -static "${guest_dir}/objects/reproduce/phases.o"
          -o "${guest_dir}/reproduce/phases.elf"
  DEPENDS "${guest_dir}/objects/reproduce/phases.o"
  COMMENT "Guest program ${guest_dir}/reproduce/phases.elf"
  VERBATIM)
file(GENERATE OUTPUT "${guest_dir}/reproduce/phases.link"
     CONTENT "${STROBE_riscv64_linux_gnu_gcc}\n-static\n../objects/reproduce/phases.o\n")
add_custom_target(guest_reproduce ALL DEPENDS "${guest_dir}/reproduce/phases.elf")
