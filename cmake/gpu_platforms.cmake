# Which GPU platforms this build drives. Only headers are needed: runtimes and compilers are opened when they are used.
#   HK_HIP    hipRTC and the HIP runtime   default: on if the headers are found
#   HK_CUDA   NVRTC and the CUDA driver    default: on if the headers are found
find_path(HK_HIP_INCLUDE_DIR hip/hip_runtime_api.h PATHS /opt/rocm/include)
find_path(HK_CUDA_INCLUDE_DIR nvrtc.h PATHS /usr/local/cuda/include)

foreach(platform HIP CUDA)
  set(found OFF)
  if(HK_${platform}_INCLUDE_DIR)
    set(found ON)
  endif()
  option(HK_${platform} "Drive GPUs through ${platform} (needs its headers)" ${found})
  if(HK_${platform} AND NOT found)
    message(FATAL_ERROR "HK_${platform} is ON, but its headers were not found: set HK_${platform}_INCLUDE_DIR")
  endif()
endforeach()
