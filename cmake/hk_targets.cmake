# Helpers that give every target of the project the same warnings, include roots and sanitizers.

find_package(Threads REQUIRED)
find_package(tl-expected REQUIRED)
# xxHash's own CMake package; distributions carry a .pc file instead.
find_package(xxHash CONFIG QUIET)
if(NOT TARGET xxHash::xxhash)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
  add_library(xxHash::xxhash ALIAS PkgConfig::XXHASH)
endif()

add_library(hk_options INTERFACE)
target_compile_options(hk_options INTERFACE -Wall -Wextra $<$<BOOL:${HK_WERROR}>:-Werror>)
# Includes are written from src/ ("base/status.h"); the code-object cache is a library of its own at the root ("cache/key.h").
target_include_directories(hk_options INTERFACE
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
if(HK_SANITIZE)
  target_compile_options(hk_options INTERFACE -fsanitize=${HK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(hk_options INTERFACE -fsanitize=${HK_SANITIZE})
endif()

# hk_add_library(NAME SOURCES... [LINK libs...]): a private static library of one folder.
function(hk_add_library name)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC hk_options ${arg_LINK})
endfunction()

# Everything that the sanitizers run within CI's minutes: the tests of the host code.
add_custom_target(host_tests)

# hk_add_test(NAME SOURCES... [LINK libs...] [LABELS labels...] [TIMEOUT seconds]): one doctest executable, one ctest entry.
# The label `unit` makes it a host test.
# Exit code 77 is reported as skipped, never as passed.
function(hk_add_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "LINK;LABELS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE hk_options hk_doctest_main ${arg_LINK})
  if("unit" IN_LIST arg_LABELS)
    add_dependencies(host_tests ${name})
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
endfunction()
