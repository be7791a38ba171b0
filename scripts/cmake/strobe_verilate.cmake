# Verilating: shared objects of a whole top for the simulator, static libraries of single blocks for the benches.

find_program(STROBE_VERILATOR verilator)
if(NOT STROBE_VERILATOR)
  message(FATAL_ERROR "verilator is not in PATH: install the Debian package verilator (scripts/setup)")
endif()
execute_process(COMMAND "${STROBE_VERILATOR}" --getenv VERILATOR_ROOT
                OUTPUT_VARIABLE STROBE_VERILATOR_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)

set(STROBE_RTL_DIR "${PROJECT_SOURCE_DIR}/rtl")

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
      DEPENDS "${glue}/build_point.sh" "${glue}/parts_of.sh"
      DEPFILE "${object}.d"  # the RTL and the glue that the object is made of
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
  set(all "${folder}/${prefix}_all.cpp")
  add_custom_command(OUTPUT "${all}" "${folder}/${prefix}.h"
    COMMAND "${PROJECT_SOURCE_DIR}/scripts/cmake/verilate_block.sh" ${name} ${ARG_TOP} "${folder}" ${coverage} ${ARG_PARAMETERS}
    DEPENDS "${PROJECT_SOURCE_DIR}/scripts/cmake/verilate_block.sh"
            "${PROJECT_SOURCE_DIR}/sc_models/profiling/verilated/parts_of.sh"
    DEPFILE "${folder}/${prefix}_all.d"  # the RTL that the model is made of
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
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
