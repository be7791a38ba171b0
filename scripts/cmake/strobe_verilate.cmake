# Verilating: shared objects of a whole top for the simulator, static libraries of single blocks for the benches.

find_program(STROBE_VERILATOR verilator)
if(NOT STROBE_VERILATOR)
  message(FATAL_ERROR "verilator is not in PATH: install the Debian package verilator (scripts/setup)")
endif()
execute_process(COMMAND "${STROBE_VERILATOR}" --getenv VERILATOR_ROOT
                OUTPUT_VARIABLE STROBE_VERILATOR_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)

set(STROBE_RTL_DIR "${PROJECT_SOURCE_DIR}/rtl")
file(GLOB_RECURSE STROBE_RTL_SOURCES CONFIGURE_DEPENDS "${STROBE_RTL_DIR}/*.sv" "${STROBE_RTL_DIR}/*.svh"
     "${STROBE_RTL_DIR}/*.vlt")

# Verilator's code for coverage is many times as long. Without optimization it compiles five times as fast and is fast
# enough.
set(STROBE_RECORDING none)
set(STROBE_MODEL_OPTIMISATION -O1)
if(STROBE_COVERAGE)
  set(STROBE_RECORDING coverage)
  set(STROBE_MODEL_OPTIMISATION -O0)
  set(STROBE_COVERAGE_ARGUMENTS --coverage-line --coverage-toggle)
endif()
# Verilator's output is not the project's code and would take seven times as long to compile with sanitizers, so it is
# not sanitized. The benches around it are.
set(STROBE_NOT_SANITIZED $<$<BOOL:${STROBE_SANITIZE}>:-fno-sanitize=all>)

# strobe_rtl_points(TARGET top point...) Makes a shared object of the top for each point ("Name=value Name=value", or
# default) in ${PROJECT_BINARY_DIR}/rtl, with the recipe that is also used at run time.
function(strobe_rtl_points target top)
  set(glue "${PROJECT_SOURCE_DIR}/sc_models/profiling/verilated")
  set(objects)
  foreach(point ${ARGN})
    string(REPLACE "=" "" key "${point}")
    string(REPLACE " " "_" key "${key}")
    set(name "lib${top}_${key}.so")
    separate_arguments(values UNIX_COMMAND "${point}")
    list(REMOVE_ITEM values default)
    set(object "${PROJECT_BINARY_DIR}/rtl/${name}")
    add_custom_command(OUTPUT "${object}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/rtl"
      COMMAND "${glue}/build_point.sh" "${PROJECT_SOURCE_DIR}" ${top} "${object}" ${STROBE_RECORDING} ${values}
      DEPENDS ${STROBE_RTL_SOURCES} "${glue}/build_point.sh" "${glue}/model.cpp" "${glue}/model_abi.h"
              "${glue}/coverage.h"
              "${glue}/lane_ports.h" "${glue}/wave_writer.h" "${glue}/clock_edge.h"
              "${glue}/model_context.h"
              "${glue}/dise_model.cpp" "${glue}/dise_model.h" "${glue}/pipelined_engine.h"
              "${PROJECT_SOURCE_DIR}/sc_models/port/decode_engine.h"
              "${PROJECT_SOURCE_DIR}/sc_models/port/path_interface.h"
              "${PROJECT_SOURCE_DIR}/sc_models/port/path_params.h"
              "${PROJECT_SOURCE_DIR}/sc_models/port/path_params_generated.h"
              "${PROJECT_SOURCE_DIR}/sc_models/port/retire.h"
      COMMENT "Verilating ${name}" VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${objects})
  set_target_properties(${target} PROPERTIES STROBE_POINTS "${ARGN}")
endfunction()

# strobe_verilated_block(NAME TOP module [PARAMETERS Name=value...]) Adds a static library with the --cc model of one
# module, with the class and header V<NAME> and assertions on. A bench links it and drives the module alone. State
# without reset and 'x values are random at the start.
function(strobe_verilated_block name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TOP" "PARAMETERS")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/verilated_${name}")
  set(prefix "V${name}")
  list(TRANSFORM ARG_PARAMETERS PREPEND "-G")
  set(coverage ${STROBE_COVERAGE_ARGUMENTS})
  if(STROBE_COVERAGE AND ARG_TOP STREQUAL strobe_dise)
    list(APPEND coverage -fno-inline)  # with inlining, coverage of its many small blocks is 200 MB of C++
  endif()
  file(GLOB top RELATIVE "${PROJECT_SOURCE_DIR}" "${STROBE_RTL_DIR}/*/${ARG_TOP}.sv")
  set(all "${folder}/${prefix}_all.cpp")
  add_custom_command(OUTPUT "${all}" "${folder}/${prefix}.h"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${folder}"  # earlier RTL may have made more files
    COMMAND "${STROBE_VERILATOR}" --cc -O3 --assert --threads 1 --no-timing
      --x-assign unique --x-initial unique ${coverage}
      -Irtl/common -y rtl/common -y rtl/dise -y rtl/hps -y rtl/sampler -y rtl/message -y rtl/top ${ARG_PARAMETERS}
      --top-module ${ARG_TOP} --prefix ${prefix} --Mdir "${folder}" rtl/strobe.vlt rtl/pkg/strobe_pkg.sv
      rtl/pkg/strobe_reg_pkg.sv rtl/pkg/strobe_hash_pkg.sv rtl/pkg/strobe_dise_pkg.sv "${top}"
    COMMAND sh -c "cd '${folder}' && for f in ${prefix}*.cpp; do echo \"#include \\\"$f\\\"\"; done > all.tmp && mv all.tmp ${prefix}_all.cpp"
    DEPENDS ${STROBE_RTL_SOURCES}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"  # relative names let a compiler cache recognize the C++ in another checkout
    COMMENT "Verilating ${name}" VERBATIM)
  add_library(${name} STATIC "${all}")
  target_link_libraries(${name} PUBLIC strobe_verilated_runtime)
  target_include_directories(${name} SYSTEM PUBLIC "${folder}")
  target_compile_options(${name} PRIVATE ${STROBE_MODEL_OPTIMISATION} -w ${STROBE_NOT_SANITIZED})
endfunction()

# Verilator's runtime, which all blocks share.
if(NOT TARGET strobe_verilated_runtime)
  find_package(Threads REQUIRED)
  set(runtime "${STROBE_VERILATOR_ROOT}/include")
  add_library(strobe_verilated_runtime STATIC "${runtime}/verilated.cpp"
                                              "${runtime}/verilated_threads.cpp"
                                              $<$<BOOL:${STROBE_COVERAGE}>:${runtime}/verilated_cov.cpp>)
  set_target_properties(strobe_verilated_runtime PROPERTIES UNITY_BUILD OFF)
  target_include_directories(strobe_verilated_runtime SYSTEM PUBLIC "${runtime}" "${runtime}/vltstd")
  target_compile_definitions(strobe_verilated_runtime PUBLIC VM_COVERAGE=$<BOOL:${STROBE_COVERAGE}> VM_SC=0 VM_TRACE=0
                             VM_TRACE_FST=0 VM_TRACE_VCD=0 VL_TIME_CONTEXT)
  target_compile_options(strobe_verilated_runtime PRIVATE -w ${STROBE_NOT_SANITIZED})
  target_link_libraries(strobe_verilated_runtime PUBLIC Threads::Threads)
endif()
