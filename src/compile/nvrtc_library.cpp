#include "compile/nvrtc_library.h"

#include <chrono>
#include <vector>

#include <nvrtc.h>

#include "compile/compile_options.h"
#include "compile/compiler_log.h"
#include "compile/open_library.h"

namespace hk::compile {

struct NvrtcFunctions {
  decltype(&::nvrtcCreateProgram) create_program = nullptr;
  decltype(&::nvrtcDestroyProgram) destroy_program = nullptr;
  decltype(&::nvrtcCompileProgram) compile_program = nullptr;
  decltype(&::nvrtcGetProgramLogSize) get_log_size = nullptr;
  decltype(&::nvrtcGetProgramLog) get_log = nullptr;
  decltype(&::nvrtcGetCUBINSize) get_code_size = nullptr;
  decltype(&::nvrtcGetCUBIN) get_code = nullptr;
  decltype(&::nvrtcGetErrorString) get_error_string = nullptr;
};

namespace {

constexpr const char* k_product = "CUDA's NVRTC";

bool find_functions(void* handle, NvrtcFunctions& functions) {
  return find_function(handle, "nvrtcCreateProgram", functions.create_program) &&
         find_function(handle, "nvrtcDestroyProgram", functions.destroy_program) &&
         find_function(handle, "nvrtcCompileProgram", functions.compile_program) &&
         find_function(handle, "nvrtcGetProgramLogSize", functions.get_log_size) &&
         find_function(handle, "nvrtcGetProgramLog", functions.get_log) &&
         find_function(handle, "nvrtcGetCUBINSize", functions.get_code_size) &&
         find_function(handle, "nvrtcGetCUBIN", functions.get_code) &&
         find_function(handle, "nvrtcGetErrorString", functions.get_error_string);
}

// One nvrtcProgram.
class Program {
 public:
  Program(const NvrtcFunctions& functions, const CompileRequest& request) : m_functions(functions) {
    std::vector<const char*> texts;
    std::vector<const char*> names;
    for (const SourceHeader& header : request.headers) {
      texts.push_back(header.text.c_str());
      names.push_back(header.name.c_str());
    }
    m_created = m_functions.create_program(&m_program, request.source.c_str(), request.program_name.c_str(),
                                           static_cast<int>(texts.size()), texts.data(), names.data());
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (m_created == NVRTC_SUCCESS)
      m_functions.destroy_program(&m_program);
  }

  nvrtcResult compile(const std::vector<std::string>& options) {
    if (m_created != NVRTC_SUCCESS)
      return m_created;
    std::vector<const char*> texts;
    texts.reserve(options.size());
    for (const std::string& option : options)
      texts.push_back(option.c_str());
    return m_functions.compile_program(m_program, static_cast<int>(texts.size()), texts.data());
  }

  [[nodiscard]] std::string log() const {
    std::size_t size = 0;
    if (m_created != NVRTC_SUCCESS || m_functions.get_log_size(m_program, &size) != NVRTC_SUCCESS || size == 0)
      return {};
    std::string text(size, '\0');
    if (m_functions.get_log(m_program, text.data()) != NVRTC_SUCCESS)
      return {};
    text.resize(text.find_last_not_of('\0') + 1); // the size counts the terminating zero
    return text;
  }

  [[nodiscard]] base::Bytes code() const {
    std::size_t size = 0;
    if (m_functions.get_code_size(m_program, &size) != NVRTC_SUCCESS)
      return {};
    base::Bytes bytes(size);
    if (size != 0 && m_functions.get_code(m_program, reinterpret_cast<char*>(bytes.data())) != NVRTC_SUCCESS)
      return {};
    return bytes;
  }

 private:
  const NvrtcFunctions& m_functions;
  nvrtcProgram m_program = nullptr;
  nvrtcResult m_created = NVRTC_SUCCESS;
};

} // namespace

Result<std::unique_ptr<CompilerLibrary>> NvrtcLibrary::open(const std::string& nvrtc_path,
                                                            const std::string& builtins_path) {
  HK_ASSIGN_OR_RETURN([[maybe_unused]] const void* builtins, open_library(builtins_path, k_product));
  HK_ASSIGN_OR_RETURN(void* const nvrtc, open_library(nvrtc_path, k_product));
  auto functions = std::make_shared<NvrtcFunctions>();
  if (!find_functions(nvrtc, *functions))
    return fail(StatusCode::no_compiler, "library " + nvrtc_path +
                                             " lacks functions of NVRTC; install CUDA 12.4 or "
                                             "newer");
  return std::unique_ptr<CompilerLibrary>(new NvrtcLibrary(std::move(functions)));
}

Result<CompilerOutput> NvrtcLibrary::compile(const CompileRequest& request) const {
  const auto start = std::chrono::steady_clock::now();
  Program program(*m_functions, request);
  const nvrtcResult result = program.compile(all_options(request));
  CompilerOutput output;
  output.log = program.log();
  if (result != NVRTC_SUCCESS)
    return fail(compile_failure(request, output.log, m_functions->get_error_string(result)));
  output.code_object = program.code();
  output.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return output;
}

} // namespace hk::compile
