# The observer thread of SHIM: ${CMAKE_BINARY_DIR}/guest/observer.elf
set(observer_flags -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany)
guest_compile("${guest_dir}/objects/observer/observer.o" "${CMAKE_CURRENT_LIST_DIR}/observer.cpp"
              "${STROBE_riscv64_unknown_elf_g__}" ${observer_flags} ${guest_warnings} -std=c++17 -O2 -g -ffreestanding
              "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=" -fno-exceptions -fno-rtti)
guest_compile("${guest_dir}/objects/observer/start.o" "${CMAKE_CURRENT_LIST_DIR}/start.S"
              "${STROBE_riscv64_unknown_elf_g__}" ${observer_flags})
set(observer_objects "${guest_dir}/objects/observer/start.o" "${guest_dir}/objects/observer/observer.o")
set(observer_script "${guest_dir}/objects/observer/observer.ld")
add_custom_command(
  OUTPUT "${observer_script}"
  COMMAND "${STROBE_riscv64_unknown_elf_g__}" -I "${PROJECT_SOURCE_DIR}" -E -P -x c
          "${CMAKE_CURRENT_LIST_DIR}/observer.ld" -o "${observer_script}"
  DEPENDS observer/observer.ld "${PROJECT_SOURCE_DIR}/sc_models/port/address_map.h"
  VERBATIM)
add_custom_command(
  OUTPUT "${guest_dir}/observer.elf"
  COMMAND "${STROBE_riscv64_unknown_elf_g__}" ${observer_flags} -nostdlib -static
          -Wl,-T,${observer_script} -Wl,--fatal-warnings ${observer_objects} -o "${guest_dir}/observer.elf"
  DEPENDS ${observer_objects} "${observer_script}"
  COMMENT "Observer thread ${guest_dir}/observer.elf"
  VERBATIM)
add_custom_target(guest_observer ALL DEPENDS "${guest_dir}/observer.elf")
