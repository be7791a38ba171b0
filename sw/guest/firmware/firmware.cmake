# guest_firmware: ${CMAKE_BINARY_DIR}/guest/firmware.elf

# The compiler's library for plain rv64imac is used. Only start.S accesses CSRs.
set(firmware_abi -mabi=lp64 -mcmodel=medany)
set(firmware_cxx_flags
    -march=rv64imac ${firmware_abi} ${guest_warnings} -std=c++17 -O2 -g -ffreestanding
    "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/="
    -fno-exceptions -fno-rtti)
set(firmware_sources
    firmware/driver.cpp firmware/main.cpp firmware/shared_memory.cpp handlers/drain.cpp
    handlers/serve.cpp firmware/epoch.cpp)

# A handler, which a dcall enters, runs between two instructions of the program. Every function saves
# the registers it uses, and none relies on gp or on the scratch register of a tail call.
set(handler_sources
    handlers/call_pair.cpp handlers/data_stream.cpp handlers/fold.cpp handlers/hot_method.cpp
    handlers/store_checks.cpp)
set(handler_cxx_flags -march=rv64imac_zicsr -mno-relax -fno-optimize-sibling-calls)
foreach(register t0 t1 t2 t3 t4 t5 t6 a0 a1 a2 a3 a4 a5 a6 a7)
  list(APPEND handler_cxx_flags -fcall-saved-${register})
endforeach()

set(firmware_objects)
foreach(source ${firmware_sources} ${handler_sources})
  set(object "${guest_dir}/objects/${source}.o")
  set(flags ${firmware_cxx_flags})
  if(source IN_LIST handler_sources)
    list(APPEND flags ${handler_cxx_flags})
  elseif(source STREQUAL "firmware/epoch.cpp")
    list(APPEND flags -march=rv64imac_zifencei)
  endif()
  guest_compile("${object}" "${CMAKE_CURRENT_SOURCE_DIR}/${source}"
                "${STROBE_riscv64_unknown_elf_g__}" ${flags})
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
