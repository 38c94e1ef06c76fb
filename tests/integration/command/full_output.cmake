# `hk info` into a device that is always full must not exit with 0: cmake -D COMMAND=path -P full_output.cmake
execute_process(COMMAND sh -c "HK_DEVICE=null HK_CACHE_DIR=none '${COMMAND}' info > /dev/full" RESULT_VARIABLE code
  ERROR_VARIABLE errors)
if(code EQUAL 0 OR NOT errors MATCHES "could not be written")
  message(FATAL_ERROR "exit code ${code}, stderr: ${errors}")
endif()
