# guest_firmware: ${CMAKE_BINARY_DIR}/guest/firmware.elf

# The compiler's library for plain rv64imac serves; only start.S touches CSRs.
set(firmware_abi -mabi=lp64 -mcmodel=medany)
set(firmware_cxx_flags
    -march=rv64imac ${firmware_abi} ${guest_warnings} -std=c++17 -O2 -g -ffreestanding
    "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/="
    -fno-exceptions -fno-rtti)
set(firmware_sources
    firmware/driver.cpp firmware/main.cpp firmware/shared_memory.cpp handlers/drain.cpp
    handlers/fold.cpp handlers/serve.cpp)

set(firmware_objects)
foreach(source ${firmware_sources})
  set(object "${guest_dir}/objects/${source}.o")
  guest_compile("${object}" "${CMAKE_CURRENT_SOURCE_DIR}/${source}"
                "${STROBE_riscv64_unknown_elf_g__}" ${firmware_cxx_flags})
  list(APPEND firmware_objects "${object}")
endforeach()

set(object "${guest_dir}/objects/firmware/start.o")
guest_compile("${object}" "${CMAKE_CURRENT_SOURCE_DIR}/firmware/start.S"
              "${STROBE_riscv64_unknown_elf_g__}" -march=rv64imac_zicsr ${firmware_abi})
list(APPEND firmware_objects "${object}")

set(linker_script "${guest_dir}/objects/firmware/firmware.ld")
add_custom_command(
  OUTPUT "${linker_script}"
  COMMAND "${STROBE_riscv64_unknown_elf_g__}" -I "${PROJECT_SOURCE_DIR}" -E -P -x c
          "${CMAKE_CURRENT_SOURCE_DIR}/firmware/firmware.ld" -o "${linker_script}"
  DEPENDS firmware/firmware.ld "${PROJECT_SOURCE_DIR}/sc_models/port/address_map.h"
  VERBATIM)

add_custom_command(
  OUTPUT "${guest_dir}/firmware.elf"
  COMMAND "${STROBE_riscv64_unknown_elf_g__}" -march=rv64imac ${firmware_abi} -nostdlib -static
          -Wl,-T,${linker_script} -Wl,--fatal-warnings ${firmware_objects}
          -o "${guest_dir}/firmware.elf"
  DEPENDS ${firmware_objects} "${linker_script}"
  COMMENT "Guest firmware ${guest_dir}/firmware.elf"
  VERBATIM)
add_custom_target(guest_firmware ALL DEPENDS "${guest_dir}/firmware.elf")
