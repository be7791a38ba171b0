# What the edited programs of bursty tracing share: ${CMAKE_BINARY_DIR}/guest/bursty/fold.o. It may use no library.
set(fold "${guest_dir}/bursty/fold.o")
guest_compile("${fold}" "${CMAKE_CURRENT_LIST_DIR}/fold.c" "${STROBE_riscv64_linux_gnu_gcc}" -std=c11 -O2 -ffreestanding
              -fno-builtin -fno-tree-loop-distribute-patterns ${guest_warnings})
add_custom_target(guest_bursty ALL DEPENDS "${fold}")
