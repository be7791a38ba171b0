# cmake --install, and the Debian package that cpack makes of it. sw/files/own_files.h shows the folders. Everything in
# lib/strobe and share/strobe finds the rest by its place, so an installation may be moved as a whole.
set(lib lib/strobe)
set(share share/strobe)

# A build of some targets is not installed: what it lacks would be missed later, without a word of it.
install(CODE "
  set(BUILD \"${CMAKE_BINARY_DIR}\")
  set(SOURCE \"${PROJECT_SOURCE_DIR}\")
  include(\"${CMAKE_CURRENT_LIST_DIR}/strobe_whole_build.cmake\")")
install(TARGETS strobe strobe-experiments RUNTIME DESTINATION ${lib}/bin)
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/install")
file(CREATE_LINK ../lib/strobe/bin/strobe "${CMAKE_BINARY_DIR}/install/strobe" SYMBOLIC)
install(FILES "${CMAKE_BINARY_DIR}/install/strobe" DESTINATION bin)

# The software of the modeled core. The objects of the programs are there to be edited (strobe instrument).
install(DIRECTORY "${CMAKE_BINARY_DIR}/guest/" DESTINATION ${lib}/guest
        PATTERN "*.d" EXCLUDE PATTERN "objects/firmware" EXCLUDE PATTERN "objects/handlers" EXCLUDE
        PATTERN "objects/observer" EXCLUDE)

# Verilated RTL. A list of an object's sources names them below share/strobe.
install(DIRECTORY "${CMAKE_BINARY_DIR}/rtl/" DESTINATION ${lib}/rtl
        FILES_MATCHING PATTERN "*.so" PATTERN "*.so.sources" PATTERN "*.so.sha256")
install(CODE "
  file(GLOB lists \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${lib}/rtl/*.sources\")
  foreach(list \${lists})
    file(READ \"\${list}\" text)
    string(REPLACE \"  ${PROJECT_SOURCE_DIR}/\" \"  \" text \"\${text}\")
    file(WRITE \"\${list}\" \"\${text}\")
  endforeach()")

# What a run reads of the source tree: configurations, and what another design point is Verilated and compiled of.
install(DIRECTORY configs rtl DESTINATION ${share})
install(DIRECTORY sc_models/port DESTINATION ${share}/sc_models FILES_MATCHING PATTERN "*.h")
install(DIRECTORY sc_models/profiling/verilated DESTINATION ${share}/sc_models/profiling
        USE_SOURCE_PERMISSIONS PATTERN "CMakeLists.txt" EXCLUDE)
install(FILES sw/synth/design/strobe_yardstick.sv DESTINATION ${share}/sw/synth/design)
# The shells' completion.
install(CODE "
  set(completions \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/bash-completion/completions\")
  file(MAKE_DIRECTORY \"\${completions}\")
  execute_process(COMMAND \"${CMAKE_BINARY_DIR}/bin/strobe\" completion bash
                  OUTPUT_FILE \"\${completions}/strobe\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES LICENSE README.md DESTINATION share/doc/strobe)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME strobe)
set(CPACK_PACKAGE_CONTACT "The Strobe authors <strobe@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "workbench for hardware program-profiling support")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Without these, what they are for says what it misses: other design points, disassembly, instrumentation, synthesis.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, verilator, binutils-riscv64-linux-gnu")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++-riscv64-linux-gnu, yosys, berkeley-abc, opensta, nextpnr-ice40, fpga-icestorm")
include(CPack)
