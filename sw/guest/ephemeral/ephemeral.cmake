# What the stubs of ephemeral instrumentation share: ${CMAKE_BINARY_DIR}/guest/ephemeral/unhook.o. Its functions save every
# register that they use, because a stub stands anywhere in the program.
set(unhook "${guest_dir}/ephemeral/unhook.o")
set(unhook_flags -march=rv64gc_zifencei -mabi=lp64d -std=c11 -O2 -ffreestanding -fno-builtin -fno-optimize-sibling-calls)
foreach(register t0 t1 t2 t3 t4 t5 t6 a0 a1 a2 a3 a4 a5 a6 a7)
  list(APPEND unhook_flags -fcall-saved-${register})
endforeach()
guest_compile("${unhook}" "${CMAKE_CURRENT_LIST_DIR}/unhook.c" "${STROBE_riscv64_linux_gnu_gcc}" ${unhook_flags}
              ${guest_warnings})
add_custom_target(guest_ephemeral ALL DEPENDS "${unhook}")
