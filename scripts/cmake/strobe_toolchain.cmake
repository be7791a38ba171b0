# The compiler settings of the whole tree: C++17, warnings, and ccache and mold if they are installed.

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

find_program(STROBE_CCACHE ccache)
if(STROBE_CCACHE)
  # ccache treats paths below the checkout as relative and ignores the build folder, so that another checkout finds
  # what this one compiled. A sanitizer's trace may then name files of the first checkout.
  set(launcher "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${STROBE_CCACHE}")
  add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")  # makes __FILE__ relative too
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
endif()

find_program(STROBE_MOLD mold)
if(STROBE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

if(STROBE_SANITIZE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "STROBE_SANITIZE needs clang (libFuzzer); use 'cmake --preset asan'")
  endif()
  # With fuzzer-no-link every library counts its coverage, so the fuzz targets can link the libraries unchanged. The
  # path is relative, so that ccache recognizes it in another checkout.
  file(RELATIVE_PATH STROBE_SYSTEM_HEADERS "${CMAKE_BINARY_DIR}" "${CMAKE_CURRENT_LIST_DIR}/system_headers.ignore")
  add_compile_options(-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all
                      -fsanitize-ignorelist=${STROBE_SYSTEM_HEADERS} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# The warnings for the project's own targets; generated code (Verilator) does not link this. Sign conversion is left
# out, because clang includes it in -Wconversion and g++ does not, and fields of instructions often change sign.
add_library(strobe_warnings INTERFACE)
target_compile_options(strobe_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                                 -Wno-sign-conversion $<$<BOOL:${STROBE_WERROR}>:-Werror>)

# Debian's Python has the packages of scripts/setup. It starts in a tenth of the time that a version manager's Python
# takes.
set(Python3_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "Python of the tests")

find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(GTest REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(OpenSSL REQUIRED)
include(GoogleTest)

# Debian ships no CMake package for SystemC, only the library and its header.
find_path(STROBE_SYSTEMC_INCLUDE systemc REQUIRED)
find_library(STROBE_SYSTEMC_LIBRARY systemc REQUIRED)
add_library(strobe_systemc INTERFACE)
target_include_directories(strobe_systemc SYSTEM INTERFACE "${STROBE_SYSTEMC_INCLUDE}")
target_link_libraries(strobe_systemc INTERFACE "${STROBE_SYSTEMC_LIBRARY}")

# A symbol of libsystemc encodes the C++ standard with which it was built, so code of another standard does not link.
file(WRITE "${CMAKE_BINARY_DIR}/check_systemc.cpp"
     "#include <systemc>\nint sc_main(int, char**) { return 0; }\n")
try_compile(STROBE_SYSTEMC_LINKS "${CMAKE_BINARY_DIR}/check_systemc"
            "${CMAKE_BINARY_DIR}/check_systemc.cpp"
            LINK_LIBRARIES "${STROBE_SYSTEMC_LIBRARY}"
            CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON
            OUTPUT_VARIABLE STROBE_SYSTEMC_OUTPUT)
if(NOT STROBE_SYSTEMC_LINKS)
  message(FATAL_ERROR
    "A SystemC program does not link with ${STROBE_SYSTEMC_LIBRARY} as C++17. Strobe needs a libsystemc "
    "built as C++17 (Debian 12's libsystemc-dev is): install that one with scripts/setup, or rebuild "
    "SystemC with -DCMAKE_CXX_STANDARD=17 and point STROBE_SYSTEMC_LIBRARY at it.\n"
    "${STROBE_SYSTEMC_OUTPUT}")
endif()
