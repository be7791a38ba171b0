# guest_firmware: ${CMAKE_BINARY_DIR}/guest/firmware.elf, and in guest/prefetching the same with another loop of the handler.
# `STROBE_GUEST_DIR=build/release/guest/prefetching` runs the programs with that one.

# The compiler's library for plain rv64imac is used. Only start.S and sample.cpp access CSRs.
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
foreach(source ${firmware_sources} handlers/drain_prefetching.cpp ${handler_sources})
  set(object "${guest_dir}/objects/${source}.o")
  set(flags ${firmware_cxx_flags})
  if(source IN_LIST handler_sources)
    list(APPEND flags ${handler_cxx_flags})
  elseif(source STREQUAL "firmware/epoch.cpp")
    list(APPEND flags -march=rv64imac_zifencei)
  endif()
  guest_compile("${object}" "${CMAKE_CURRENT_SOURCE_DIR}/${source}"
                "${STROBE_riscv64_unknown_elf_g__}" ${flags})
  if(NOT source STREQUAL "handlers/drain_prefetching.cpp")
    list(APPEND firmware_objects "${object}")
  endif()
endforeach()

set(object "${guest_dir}/objects/firmware/start.o")
guest_compile("${object}" "${CMAKE_CURRENT_SOURCE_DIR}/firmware/start.S"
              "${STROBE_riscv64_unknown_elf_g__}" -march=rv64imac_zicsr ${firmware_abi})
list(APPEND firmware_objects "${object}")

set(object "${guest_dir}/objects/firmware/sample.o")
guest_compile("${object}" "${CMAKE_CURRENT_SOURCE_DIR}/firmware/sample.cpp"
              "${STROBE_riscv64_unknown_elf_g__}" ${firmware_cxx_flags} -march=rv64imac_zicsr)
list(APPEND firmware_objects "${object}")

set(linker_script "${guest_dir}/objects/firmware/firmware.ld")
add_custom_command(
  OUTPUT "${linker_script}"
  COMMAND "${STROBE_riscv64_unknown_elf_g__}" -I "${PROJECT_SOURCE_DIR}" -E -P -x c
          "${CMAKE_CURRENT_SOURCE_DIR}/firmware/firmware.ld" -o "${linker_script}"
  DEPENDS firmware/firmware.ld "${PROJECT_SOURCE_DIR}/sc_models/port/address_map.h"
  VERBATIM)

# guest_link_firmware(ELF OBJECT...)
function(guest_link_firmware elf)
  add_custom_command(
    OUTPUT "${elf}"
    COMMAND "${STROBE_riscv64_unknown_elf_g__}" -march=rv64imac ${firmware_abi} -nostdlib -static
            -Wl,-T,${linker_script} -Wl,--fatal-warnings ${ARGN}
            -o "${elf}"
    DEPENDS ${ARGN} "${linker_script}"
    COMMENT "Guest firmware ${elf}"
    VERBATIM)
endfunction()

guest_link_firmware("${guest_dir}/firmware.elf" ${firmware_objects})
set(prefetching_objects ${firmware_objects})
list(TRANSFORM prefetching_objects REPLACE "handlers/drain.cpp.o$" "handlers/drain_prefetching.cpp.o")
file(MAKE_DIRECTORY "${guest_dir}/prefetching")
file(CREATE_LINK ../workloads "${guest_dir}/prefetching/workloads" SYMBOLIC)
guest_link_firmware("${guest_dir}/prefetching/firmware.elf" ${prefetching_objects})
add_custom_target(guest_firmware ALL
  DEPENDS "${guest_dir}/firmware.elf" "${guest_dir}/prefetching/firmware.elf")
