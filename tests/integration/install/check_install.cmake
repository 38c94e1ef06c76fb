# Installs the build into a scratch folder, moves it, and uses it as a stranger would: CMake package, pkg-config, command.
#   cmake -D BUILD=build-folder -D PROJECT=source-folder -D SCRATCH=folder -D C_COMPILER=.. -D CXX_COMPILER=.. -D FLAGS=..
#         -D GENERATOR=.. -D LIBRARY_FOLDER=lib -D SIMULATOR=ON|OFF -P check_install.cmake

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN} ended with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect text)
  if(NOT output MATCHES "${text}")
    message(FATAL_ERROR "expected \"${text}\" in:\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/first)
# Nothing may depend on where the tree was installed.
file(RENAME ${SCRATCH}/first ${SCRATCH}/moved)
set(prefix ${SCRATCH}/moved)
set(ENV{HK_CACHE_DIR} ${SCRATCH}/cache)
set(ENV{HK_DEVICE} null)

run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${PROJECT} -B ${SCRATCH}/build -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_C_FLAGS=${FLAGS}
    -DCMAKE_CXX_FLAGS=${FLAGS})
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
foreach(program c_program static_program)
  run(${SCRATCH}/build/${program})
  expect("\"device\":\"null\"")
endforeach()
run(${SCRATCH}/build/cpp_program)
expect("\"loaded\":true")

# pkg-config, with the prefix that the tree has now.
set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBRARY_FOLDER}/pkgconfig)
run(pkg-config --define-prefix --cflags --libs hk)
separate_arguments(options UNIX_COMMAND "${output}")
separate_arguments(extra UNIX_COMMAND "${FLAGS}")
run(${C_COMPILER} ${extra} ${PROJECT}/program.c -o ${SCRATCH}/pkg_config_program ${options}
    -Wl,-rpath,${prefix}/${LIBRARY_FOLDER})
run(${SCRATCH}/pkg_config_program)
expect("\"device\":\"null\"")

# The command finds the library, the worker and the simulator of its own tree.
run(${prefix}/bin/hk run attention --device null --heads 1 --kv-heads 1 --seq-q 1 --seq-k 1 --head-dim 64 --json)
expect("\"status\":\"SUCCESS\"")
if(SIMULATOR)
  run(${prefix}/bin/hk info --device sim:mi300x --json)
  expect("\"target\":\"gfx942:sramecc")
  # The path may go through bin/../: the library was found by the command's run path.
  expect("${prefix}/[^\"]*${LIBRARY_FOLDER}/[^\"]*libhksim.so")
endif()

# Only hk_* may be exported: everything else is a name that a user's program could collide with.
run(nm -D --defined-only --format=posix ${prefix}/${LIBRARY_FOLDER}/libhk.so)
string(STRIP "${output}" lines)
string(REPLACE "\n" ";" lines "${lines}")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^(hk_[a-z_]+@@HK_0|HK_0) ")
    message(FATAL_ERROR "libhk.so exports more than hk_*: ${line}")
  endif()
endforeach()
# And everything that the header declares.
file(STRINGS ${prefix}/include/hk/hk.h declarations REGEX "^HK_API .*hk_[a-z_]+\\(")
foreach(declaration IN LISTS declarations)
  string(REGEX MATCH "hk_[a-z_]+\\(" name "${declaration}")
  string(REPLACE "(" "" name "${name}")
  if(NOT output MATCHES "(^|\n)${name}@@HK_0 ")
    message(FATAL_ERROR "hk.h declares ${name}, which libhk.so does not export")
  endif()
endforeach()
# A user needs nothing but libhk and what every C++ program needs.
run(readelf -d ${prefix}/${LIBRARY_FOLDER}/libhk.so)
expect("SONAME.*libhk\\.so\\.0\\]")
string(REGEX MATCHALL "NEEDED[^\n]*" needed "${output}")
foreach(library IN LISTS needed)
  if(NOT library MATCHES "lib(stdc\\+\\+|m|gcc_s|c|pthread|dl|asan|ubsan|tsan)\\.so|ld-linux")
    message(FATAL_ERROR "libhk.so asks for ${library}")
  endif()
endforeach()
