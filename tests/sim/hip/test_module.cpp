#include <array>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/hip/hip_check.h"
#include "sim/hip/kernels.h"

using namespace hk::sim::testing;

TEST_SUITE_BEGIN("sim_hip");

namespace {

constexpr const char* k_gfx942 = "gfx942:sramecc+:xnack-";
constexpr const char* k_gfx950 = "gfx950:sramecc+:xnack-";

void expect_refusal(const void* image, hipError_t expected, const char* part) {
  hipModule_t module = reinterpret_cast<hipModule_t>(1);
  CHECK_HIP_IS(hipModuleLoadData(&module, image), expected);
  CHECK(module == reinterpret_cast<hipModule_t>(1)); // nothing is written on failure
  INFO(last_error_text());
  CHECK(contains(last_error_text(), part));
}

template <typename T>
void append(std::vector<std::byte>& bytes, const T& value) {
  const std::byte* begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

void append_text(std::vector<std::byte>& bytes, const std::string& text) {
  for (const char character : text)
    bytes.push_back(static_cast<std::byte>(character));
}

// An offload bundle (Clang documentation, "Bundled Binary File Layout") of two objects at 4096-byte boundaries.
std::vector<std::byte> bundle_of(const std::vector<std::byte>& first, const std::string& first_target,
                                 const std::vector<std::byte>& second, const std::string& second_target) {
  const std::uint64_t second_offset = (4096 + first.size() + 4095) / 4096 * 4096;
  std::vector<std::byte> bytes;
  append_text(bytes, "__CLANG_OFFLOAD_BUNDLE__");
  append(bytes, std::uint64_t{2});
  const std::array<std::string, 2> names = {"hipv4-amdgcn-amd-amdhsa--" + first_target,
                                            "hipv4-amdgcn-amd-amdhsa--" + second_target};
  const std::array<std::uint64_t, 2> offsets = {4096, second_offset};
  const std::array<std::uint64_t, 2> sizes = {first.size(), second.size()};
  for (std::size_t i = 0; i < 2; ++i) {
    append(bytes, offsets[i]);
    append(bytes, sizes[i]);
    append(bytes, std::uint64_t{names[i].size()});
    append_text(bytes, names[i]);
  }
  bytes.resize(4096);
  bytes.insert(bytes.end(), first.begin(), first.end());
  bytes.resize(second_offset);
  bytes.insert(bytes.end(), second.begin(), second.end());
  return bytes;
}

// Bytes directly in front of an inaccessible page.
class BytesAtTheEdge {
 public:
  explicit BytesAtTheEdge(const std::vector<std::byte>& bytes) {
    m_size = (bytes.size() + 4095) / 4096 * 4096 + 4096;
    m_mapping =
        static_cast<std::byte*>(mmap(nullptr, m_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(m_mapping != MAP_FAILED);
    m_begin = m_mapping + m_size - 4096 - bytes.size();
    std::memcpy(m_begin, bytes.data(), bytes.size());
    REQUIRE(mprotect(m_mapping + m_size - 4096, 4096, PROT_NONE) == 0);
  }
  ~BytesAtTheEdge() { munmap(m_mapping, m_size); }
  BytesAtTheEdge(const BytesAtTheEdge&) = delete;
  BytesAtTheEdge& operator=(const BytesAtTheEdge&) = delete;
  [[nodiscard]] const void* get() const { return m_begin; }

 private:
  std::size_t m_size;
  std::byte* m_mapping;
  std::byte* m_begin;
};

} // namespace

TEST_CASE("A code object for another target is no binary for this GPU, and the message names both") {
  const std::optional<std::vector<std::byte>>& code = test_kernels(k_gfx950);
  if (!code)
    return;
  const OnDevice on(k_mi300x);
  expect_refusal(code->data(), hipErrorNoBinaryForGpu, "gfx950");
  CHECK(contains(last_error_text(), "gfx942"));
  CHECK_HIP(hipSetDevice(k_mi355x));
  hipModule_t module = nullptr;
  CHECK_HIP(hipModuleLoadData(&module, code->data()));
  CHECK_HIP(hipModuleUnload(module));
}

TEST_CASE("A code object for a processor that is not simulated is no binary for this GPU") {
  const std::optional<std::vector<std::byte>>& code = test_kernels(k_gfx942);
  if (!code)
    return;
  const OnDevice on(k_mi300x);
  std::vector<std::byte> other = *code;
  other[48] = std::byte{0x3f}; // EF_AMDGPU_MACH_AMDGCN_GFX90A
  expect_refusal(other.data(), hipErrorNoBinaryForGpu, "");
}

TEST_CASE("What is no code object is an invalid image") {
  const OnDevice on;
  const std::vector<char> text(200, 'x');
  expect_refusal(text.data(), hipErrorInvalidImage, "neither an ELF file nor an offload bundle");
  const std::string compressed = "CCOB" + std::string(60, 'x');
  expect_refusal(compressed.data(), hipErrorInvalidImage, "compressed");
  expect_refusal(reinterpret_cast<const void*>(0x1000), hipErrorInvalidImage, "not readable");
  hipModule_t module = nullptr;
  CHECK_HIP_IS(hipModuleLoadData(&module, nullptr), hipErrorInvalidValue);
  CHECK_HIP_IS(hipModuleLoadData(nullptr, text.data()), hipErrorInvalidValue);
  CHECK_HIP_IS(hipModuleLoad(&module, "/no/such/file.co"), hipErrorFileNotFound);
}

TEST_CASE("A truncated image is refused wherever it was cut, without touching what lies behind it") {
  const std::optional<std::vector<std::byte>>& code = test_kernels(k_gfx942);
  if (!code)
    return;
  const OnDevice on(k_mi300x);
  for (std::size_t size = 24; size < code->size(); size += 509) {
    CAPTURE(size);
    const BytesAtTheEdge cut(std::vector<std::byte>(code->begin(), code->begin() + static_cast<std::ptrdiff_t>(size)));
    hipModule_t module = nullptr;
    CHECK_HIP_IS(hipModuleLoadData(&module, cut.get()), hipErrorInvalidImage);
  }
  const BytesAtTheEdge whole(*code);
  hipModule_t module = nullptr;
  CHECK_HIP(hipModuleLoadData(&module, whole.get()));
  CHECK_HIP(hipModuleUnload(module));
}

TEST_CASE("Damaged headers are refused") {
  const std::optional<std::vector<std::byte>>& code = test_kernels(k_gfx942);
  if (!code)
    return;
  const OnDevice on(k_mi300x);
  const auto with = [&](std::size_t offset, std::uint64_t value) {
    std::vector<std::byte> damaged = *code;
    std::memcpy(damaged.data() + offset, &value, sizeof value);
    return damaged;
  };
  for (const std::size_t offset : {offsetof(Elf64_Ehdr, e_shoff), offsetof(Elf64_Ehdr, e_phoff),
                                   sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, p_offset),
                                   sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, p_filesz),
                                   sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, p_memsz)}) {
    for (const std::uint64_t value : {~std::uint64_t{0}, std::uint64_t{1} << 40, std::uint64_t{0x7fffffff}}) {
      CAPTURE(offset);
      CAPTURE(value);
      hipModule_t module = nullptr;
      CHECK_HIP_IS(hipModuleLoadData(&module, with(offset, value).data()), hipErrorInvalidImage);
    }
  }
}

TEST_CASE("Of an offload bundle the device's own entry is loaded") {
  const std::optional<std::vector<std::byte>>& first = test_kernels(k_gfx942);
  const std::optional<std::vector<std::byte>>& second = test_kernels(k_gfx950);
  if (!first || !second)
    return;
  const std::vector<std::byte> both = bundle_of(*first, k_gfx942, *second, k_gfx950);
  for (const int device : {k_mi300x, k_mi325x, k_mi355x}) {
    CAPTURE(device);
    const OnDevice on(device);
    hipModule_t module = nullptr;
    CHECK_HIP(hipModuleLoadData(&module, both.data()));
    hipFunction_t function = nullptr;
    CHECK_HIP(hipModuleGetFunction(&function, module, "vector_add"));
    int version = 0;
    CHECK_HIP(hipFuncGetAttribute(&version, HIP_FUNC_ATTRIBUTE_BINARY_VERSION, function));
    CHECK(version == (device == k_mi355x ? 95 : 94));
    CHECK_HIP(hipModuleUnload(module));
  }
  const OnDevice on(k_mi300x);
  const std::vector<std::byte> neither = bundle_of(*second, k_gfx950, *second, "gfx1100");
  expect_refusal(neither.data(), hipErrorNoBinaryForGpu, "no entry for gfx942");
}

TEST_CASE("Modules are loaded from files too") {
  const std::optional<std::vector<std::byte>>& code = test_kernels(k_gfx942);
  if (!code)
    return;
  const OnDevice on(k_mi300x);
  const std::string path = "/tmp/hk-sim-module-" + std::to_string(getpid()) + ".co";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(code->data()), static_cast<std::streamsize>(code->size()));
  hipModule_t module = nullptr;
  CHECK_HIP(hipModuleLoad(&module, path.c_str()));
  unlink(path.c_str());
  CHECK_HIP(hipModuleUnload(module));
}

TEST_CASE("Kernels and globals are found by name, and handles end with their module") {
  const OnDevice on;
  hipFunction_t function = nullptr;
  hipModule_t handle = nullptr;
  {
    const TestModule module;
    if (!module.loaded())
      return;
    handle = module.get();
    CHECK_HIP_IS(hipModuleGetFunction(&function, handle, "no_such_kernel"), hipErrorNotFound);
    CHECK(contains(last_error_text(), "no_such_kernel"));
    CHECK_HIP_IS(hipModuleGetFunction(&function, handle, ""), hipErrorInvalidValue);
    function = module.function("vector_add");
    CHECK(function == module.function("vector_add"));
    hipDeviceptr_t address = nullptr;
    std::size_t bytes = 0;
    CHECK_HIP_IS(hipModuleGetGlobal(&address, &bytes, handle, "no_such_variable"), hipErrorNotFound);
    CHECK_HIP_IS(hipModuleGetGlobal(&address, &bytes, handle, "vector_add"), hipErrorNotFound);
    CHECK_HIP(hipModuleGetGlobal(&address, &bytes, handle, "counter"));
    CHECK(bytes == 4);
    int value = 0;
    CHECK_HIP(hipMemcpy(&value, address, 4, hipMemcpyDeviceToHost));
    CHECK(value == 41);
    CHECK_HIP_IS(hipFree(address), hipErrorInvalidValue);
  }
  CHECK_HIP_IS(hipModuleUnload(handle), hipErrorInvalidHandle);
  CHECK_HIP_IS(hipModuleGetFunction(&function, handle, "vector_add"), hipErrorInvalidHandle);
  CHECK_HIP_IS(launch(function, 1, 64, 0, nullptr, {}), hipErrorInvalidHandle);
}

TEST_CASE("Device variables and constants can be set by the host and are used by kernels") {
  for (const int device : {k_mi300x, k_mi355x}) {
    CAPTURE(device);
    const OnDevice on(device);
    const TestModule module;
    if (!module.loaded())
      return;
    const DeviceBuffer<int> out(2);
    int* pointer = out.get();
    CHECK_HIP(launch(module.function("read_globals"), 1, 1, 0, nullptr, {&pointer}));
    CHECK(out.read() == std::vector<int>{42, 2});
    hipDeviceptr_t counter = nullptr;
    hipDeviceptr_t scale = nullptr;
    CHECK_HIP(hipModuleGetGlobal(&counter, nullptr, module.get(), "counter"));
    CHECK_HIP(hipModuleGetGlobal(&scale, nullptr, module.get(), "scale"));
    int new_counter = 1000;
    float new_scale = 7.0f;
    CHECK_HIP(hipMemcpyHtoD(counter, &new_counter, 4));
    CHECK_HIP(hipMemcpyHtoD(scale, &new_scale, 4));
    CHECK_HIP(launch(module.function("read_globals"), 1, 1, 0, nullptr, {&pointer}));
    CHECK(out.read() == std::vector<int>{1001, 7});
  }
}

TEST_CASE("A module takes device memory and gives it back") {
  const OnDevice on(k_mi300x);
  std::size_t before = 0;
  std::size_t during = 0;
  std::size_t after = 0;
  CHECK_HIP(hipMemGetInfo(&before, nullptr));
  {
    const TestModule module;
    if (!module.loaded())
      return;
    CHECK_HIP(hipMemGetInfo(&during, nullptr));
  }
  CHECK_HIP(hipMemGetInfo(&after, nullptr));
  CHECK(during < before);
  CHECK(after == before);
}

TEST_SUITE_END();
