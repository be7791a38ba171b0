# Functions that define the targets of the tree.

if(STROBE_SANITIZE)
  add_custom_target(sanitized_tests COMMENT "What the sanitizer build tests in scripts/test")
endif()

# strobe_library(NAME SOURCES file... [DEPS target...]) Adds a static library of one room. Headers are included from
# the top: "sc_models/isa/hart/hart.h".
function(strobe_library name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;DEPS")
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC ${ARG_DEPS} PRIVATE strobe_warnings)
endfunction()

# strobe_test(NAME SOURCES file... [DEPS target...] [LABELS label] [TIMEOUT seconds]
#             [FIXTURES name...] [NIGHTLY filter...] [SYSTEMC] [SANITIZED [SLOW_SANITIZED filter...]])
# Adds a GoogleTest program, in which every TEST is a ctest. SYSTEMC gives it an sc_main that runs the tests; such a
# program elaborates one topology, and each of its tests runs in a process of its own. SANITIZED means that the
# program parses untrusted input or does pointer work: in the sanitizer build its tests get the label sanitized, and
# scripts/test runs them with sanitizers too. scripts/nightly runs all tests with sanitizers. Tests that a NIGHTLY
# filter names (Suite.Test, with * for any text) get the label nightly, and scripts/test leaves them out. Tests that a
# SLOW_SANITIZED filter names do not get the label sanitized.
function(strobe_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "SYSTEMC;SANITIZED" "LABELS;TIMEOUT" "SOURCES;DEPS;FIXTURES;NIGHTLY;SLOW_SANITIZED")
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  if(ARG_SYSTEMC)
    target_sources(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/sysc/gtest_sc_main.cpp")
    target_link_libraries(${name} PRIVATE ${ARG_DEPS} strobe_tree GTest::gmock strobe_systemc strobe_warnings)
  else()
    target_link_libraries(${name} PRIVATE ${ARG_DEPS} strobe_tree GTest::gmock GTest::gtest_main strobe_warnings)
  endif()
  # One filter per label, and one for the remaining tests.
  set(label_nightly nightly)
  set(filters_nightly ${ARG_NIGHTLY})
  set(label_slow "${ARG_LABELS}")
  set(label_other "${ARG_LABELS}")
  if(STROBE_SANITIZE AND ARG_SANITIZED)
    set(label_other sanitized)
    set(filters_slow ${ARG_SLOW_SANITIZED})
  endif()
  set(forms other)
  set(not_other "")
  foreach(form nightly slow)
    if(filters_${form})
      list(APPEND forms ${form})
      list(APPEND not_other ${filters_${form}})
      list(JOIN filters_${form} ":" filter_${form})
    endif()
  endforeach()
  list(JOIN not_other ":" filter_other)
  if(filter_other)
    string(PREPEND filter_other "-")
  endif()
  foreach(form ${forms})
    gtest_discover_tests(${name} TEST_FILTER "${filter_${form}}"
                         PROPERTIES LABELS "${label_${form}}" TIMEOUT ${ARG_TIMEOUT} FIXTURES_REQUIRED "${ARG_FIXTURES}"
                         TEST_LIST ${name}_${form} DISCOVERY_TIMEOUT 60)
  endforeach()
  # Benches compute much themselves, so they are optimized. The others compile in two thirds of the time without
  # optimization.
  target_compile_options(${name} PRIVATE $<IF:$<STREQUAL:${ARG_LABELS},tb>,-O1,-O0>)
  if(STROBE_SANITIZE)
    target_compile_options(${name} PRIVATE -fno-sanitize=fuzzer-no-link)  # fuzz targets do not link tests
    if(ARG_SANITIZED)
      add_dependencies(sanitized_tests ${name})
    endif()
  endif()
endfunction()

# strobe_fuzz_test(NAME TEST name SOURCES file... [DEPS target...] RUNS n [ARGS arg...]) Adds a libFuzzer program to
# the sanitizer build, which the ctest `name` runs briefly with a fixed seed. Its findings stay in the build tree.
# ARGS are further options and folders of seeds; inputs that tests/fuzz/run.py kept are in the folder corpus.
function(strobe_fuzz_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TEST;RUNS" "SOURCES;DEPS;ARGS")
  if(NOT STROBE_SANITIZE)
    return()
  endif()
  set(found "${CMAKE_CURRENT_BINARY_DIR}/found")
  file(MAKE_DIRECTORY "${found}")
  if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/corpus")
    list(APPEND ARG_ARGS "${CMAKE_CURRENT_SOURCE_DIR}/corpus")
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} strobe_warnings)
  add_test(NAME ${ARG_TEST}
           COMMAND ${name} -runs=${ARG_RUNS} -seed=1 -max_total_time=5 "${found}" ${ARG_ARGS})
  set_tests_properties(${ARG_TEST} PROPERTIES LABELS sanitized TIMEOUT 120)
  add_dependencies(sanitized_tests ${name})
endfunction()

# strobe_check(NAME LABELS label... TIMEOUT seconds [RTL file...] [FILES file...] [TOOLS tool...] COMMAND command...)
# Adds a ctest that runs a command, unless the command passed on this machine on the same text with the same tools
# (tests/unchanged/unchanged.py). The arguments must name everything that determines the result: RTL files (their
# parts are found), other FILES, and the TOOLS whose versions matter.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
function(strobe_check name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TIMEOUT" "LABELS;RTL;FILES;TOOLS;COMMAND")
  set(arguments "${name}")
  foreach(kind RTL FILES TOOLS)
    if(ARG_${kind})
      string(TOLOWER "--${kind}" option)
      list(APPEND arguments ${option} ${ARG_${kind}})
    endif()
  endforeach()
  add_test(NAME ${name} COMMAND Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tests/unchanged/unchanged.py" run ${arguments}
           -- ${ARG_COMMAND})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
endfunction()
