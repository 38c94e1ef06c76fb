// Numbers and sizes that released programs rely on. A change here breaks programs that are already built.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>

#include "base/log.h"
#include "base/status.h"
#include "hk/hk.h"

TEST_SUITE_BEGIN("api");

TEST_CASE("api.abi: status numbers are frozen and equal the internal ones") {
  using hk::StatusCode;
  struct Row {
    hk_status status;
    int number;
    StatusCode code;
    const char* name;
  };
  const Row rows[] = {
      {HK_STATUS_SUCCESS, 0, StatusCode::success, "SUCCESS"},
      {HK_STATUS_INVALID_ARGUMENT, 1, StatusCode::invalid_argument, "INVALID_ARGUMENT"},
      {HK_STATUS_UNSUPPORTED, 2, StatusCode::unsupported, "UNSUPPORTED"},
      {HK_STATUS_UNSUPPORTED_VERSION, 3, StatusCode::unsupported_version, "UNSUPPORTED_VERSION"},
      {HK_STATUS_NO_DEVICE, 4, StatusCode::no_device, "NO_DEVICE"},
      {HK_STATUS_NO_RUNTIME, 5, StatusCode::no_runtime, "NO_RUNTIME"},
      {HK_STATUS_NO_COMPILER, 6, StatusCode::no_compiler, "NO_COMPILER"},
      {HK_STATUS_COMPILE_FAILED, 7, StatusCode::compile_failed, "COMPILE_FAILED"},
      {HK_STATUS_COMPILE_TIMEOUT, 8, StatusCode::compile_timeout, "COMPILE_TIMEOUT"},
      {HK_STATUS_COMPILER_CRASHED, 9, StatusCode::compiler_crashed, "COMPILER_CRASHED"},
      {HK_STATUS_LOAD_FAILED, 10, StatusCode::load_failed, "LOAD_FAILED"},
      {HK_STATUS_LAUNCH_FAILED, 11, StatusCode::launch_failed, "LAUNCH_FAILED"},
      {HK_STATUS_WORKSPACE_TOO_SMALL, 12, StatusCode::workspace_too_small, "WORKSPACE_TOO_SMALL"},
      {HK_STATUS_NOT_PREPARED, 13, StatusCode::not_prepared, "NOT_PREPARED"},
      {HK_STATUS_NOT_CACHED, 14, StatusCode::not_cached, "NOT_CACHED"},
      {HK_STATUS_OUT_OF_MEMORY, 15, StatusCode::out_of_memory, "OUT_OF_MEMORY"},
      {HK_STATUS_FORKED, 16, StatusCode::forked, "FORKED"},
      {HK_STATUS_INTERNAL, 17, StatusCode::internal, "INTERNAL"},
  };
  for (const Row& row : rows) {
    CHECK(static_cast<int>(row.status) == row.number);
    CHECK(static_cast<int>(row.code) == row.number);
    CHECK(std::string(hk_status_name(row.number)) == row.name);
  }
  CHECK(std::string(hk_status_name(18)) == "UNKNOWN");
  CHECK(std::string(hk_status_name(-1)) == "UNKNOWN");
}

TEST_CASE("api.abi: enumeration numbers are frozen") {
  CHECK(HK_DTYPE_BFLOAT16 == 1);
  CHECK(HK_DTYPE_FLOAT16 == 2);
  CHECK(HK_MASK_NONE == 0);
  CHECK(HK_MASK_CAUSAL_BOTTOM_RIGHT == 1);
  CHECK(HK_MASK_CAUSAL_TOP_LEFT == 2);
  CHECK(HK_SPECIALIZE_DEFAULT == 0);
  CHECK(HK_SPECIALIZE_EXACT == 1);
  CHECK(HK_SPECIALIZE_FAMILY == 2);
  CHECK(HK_TUNE_DEFAULT == 0);
  CHECK(HK_TUNE_OFF == 1);
  CHECK(HK_TUNE_LOOKUP == 2);
  CHECK(HK_TUNE_MISSING == 3);
  CHECK(HK_TUNE_FORCE == 4);
  CHECK(HK_TUNING_IMPORT_MERGE == 0);
  CHECK(HK_TUNING_IMPORT_REPLACE == 1);
  CHECK(HK_TUNING_IMPORT_STORE == 2);
  CHECK(HK_REFERENCE_FP64 == 0);
  CHECK(HK_REFERENCE_INPUT_TYPE == 1);
  CHECK(HK_LOG_LEVEL_OFF == static_cast<int>(hk::base::LogLevel::off));
  CHECK(HK_LOG_LEVEL_ERROR == static_cast<int>(hk::base::LogLevel::error));
  CHECK(HK_LOG_LEVEL_WARNING == static_cast<int>(hk::base::LogLevel::warning));
  CHECK(HK_LOG_LEVEL_INFO == static_cast<int>(hk::base::LogLevel::info));
  CHECK(HK_LOG_LEVEL_DEBUG == static_cast<int>(hk::base::LogLevel::debug));
  CHECK(HK_LOG_LEVEL_OFF == 0);
  CHECK(HK_LOG_LEVEL_DEBUG == 4);
}

// Release 0.1 on a 64-bit host. Later releases append rows; no row ever changes.
TEST_CASE("api.abi: structure sizes and offsets of release 0.1") {
  CHECK(sizeof(hk_context_options) == 48);
  CHECK(sizeof(hk_statistics) == 152);
  CHECK(sizeof(hk_tensor) == 40);
  CHECK(offsetof(hk_tensor, dtype) == 8);
  CHECK(offsetof(hk_tensor, stride_batch) == 16);
  CHECK(sizeof(hk_attention_args) == 256);
  CHECK(offsetof(hk_attention_args, scale) == 8);
  CHECK(offsetof(hk_attention_args, batch) == 16);
  CHECK(offsetof(hk_attention_args, q) == 64);
  CHECK(offsetof(hk_attention_args, lse) == 224);
  CHECK(offsetof(hk_attention_args, pointer_alignment) == 248);
}

TEST_CASE("api.abi: initialisers set the size and the default scale") {
  const hk_attention_args args = HK_ATTENTION_ARGS_INIT;
  CHECK(args.struct_size == sizeof(hk_attention_args));
  CHECK(args.scale != args.scale);
  CHECK(args.lse == nullptr);
  const hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  CHECK(options.struct_size == sizeof(hk_context_options));
  const hk_statistics statistics = HK_STATISTICS_INIT;
  CHECK(statistics.struct_size == sizeof(hk_statistics));
}

TEST_SUITE_END();
