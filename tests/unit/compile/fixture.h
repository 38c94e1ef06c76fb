#pragma once
// Programs to compile, options to compile them with, and folders that go away.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "base/remove_tree.h"
#include "compile/compiler.h"

namespace hk::compile {

// Its own folder below /tmp for each test case.
class TestFolder {
 public:
  TestFolder() {
    std::string pattern = "/tmp/hk-test-compile-XXXXXX";
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    m_path = pattern;
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() { (void)base::remove_tree(m_path); }

  [[nodiscard]] const std::string& path() const { return m_path; }
  [[nodiscard]] std::size_t entries() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(m_path))
      ++count;
    return count;
  }

 private:
  std::string m_path;
};

inline const char* const k_vector_add = R"(#include "index.h"
extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = global_index();
  if (i < n)
    c[i] = a[i] + b[i];
}
)";

inline CompileRequest vector_add_request(const std::string& target_id = "gfx942:sramecc+:xnack-") {
  CompileRequest request;
  request.program_name = "vector_add.hip";
  request.source = k_vector_add;
  request.headers = {{"index.h", "__device__ int global_index() { return blockIdx.x * blockDim.x + threadIdx.x; }\n"}};
  request.target_id = target_id;
  request.symbol = "vector_add";
  return request;
}

// A program that keeps the compiler busy for longer than any test waits: it expands to 2^24 statements.
inline CompileRequest endless_request() {
  CompileRequest request = vector_add_request();
  std::string source = "#define A0 x = x * 3 + n; x ^= x >> 7;\n";
  for (int i = 1; i <= 24; ++i)
    source += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + " A" + std::to_string(i - 1) + "\n";
  request.program_name = "endless.hip";
  request.source = source + "extern \"C\" __global__ void vector_add(int* p, int n) { int x = *p; A24 *p = x; }\n";
  return request;
}

inline CompilerOptions options_in(const TestFolder& folder) {
  CompilerOptions options;
  options.temporary_folder = folder.path();
  if (const char* library_path = std::getenv("LD_LIBRARY_PATH"))
    options.library_path = library_path;
  return options;
}

// One of the programs in stub_worker.cpp, under the name that tells it what to do.
inline std::string stub_worker(const TestFolder& folder, const std::string& behaviour) {
  const std::string path = folder.path() + "/" + behaviour;
  std::filesystem::create_symlink(HK_STUB_WORKER, path);
  return path;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace hk::compile
