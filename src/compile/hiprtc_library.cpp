#include "compile/hiprtc_library.h"

#include <chrono>
#include <vector>

#include <hip/hiprtc.h>

#include "compile/compile_options.h"
#include "compile/compiler_log.h"
#include "compile/open_library.h"

namespace hk::compile {

struct HiprtcFunctions {
  decltype(&::hiprtcCreateProgram) create_program = nullptr;
  decltype(&::hiprtcDestroyProgram) destroy_program = nullptr;
  decltype(&::hiprtcCompileProgram) compile_program = nullptr;
  decltype(&::hiprtcGetProgramLogSize) get_log_size = nullptr;
  decltype(&::hiprtcGetProgramLog) get_log = nullptr;
  decltype(&::hiprtcGetCodeSize) get_code_size = nullptr;
  decltype(&::hiprtcGetCode) get_code = nullptr;
  decltype(&::hiprtcGetErrorString) get_error_string = nullptr;
};

namespace {

constexpr const char* k_product = "ROCm's hipRTC and comgr";

bool find_functions(void* handle, HiprtcFunctions& functions) {
  return find_function(handle, "hiprtcCreateProgram", functions.create_program) &&
         find_function(handle, "hiprtcDestroyProgram", functions.destroy_program) &&
         find_function(handle, "hiprtcCompileProgram", functions.compile_program) &&
         find_function(handle, "hiprtcGetProgramLogSize", functions.get_log_size) &&
         find_function(handle, "hiprtcGetProgramLog", functions.get_log) &&
         find_function(handle, "hiprtcGetCodeSize", functions.get_code_size) &&
         find_function(handle, "hiprtcGetCode", functions.get_code) &&
         find_function(handle, "hiprtcGetErrorString", functions.get_error_string);
}

// One hiprtcProgram.
class Program {
 public:
  Program(const HiprtcFunctions& functions, const CompileRequest& request) : m_functions(functions) {
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
    if (m_created == HIPRTC_SUCCESS)
      m_functions.destroy_program(&m_program);
  }

  hiprtcResult compile(const std::vector<std::string>& options) {
    if (m_created != HIPRTC_SUCCESS)
      return m_created;
    std::vector<const char*> texts;
    texts.reserve(options.size());
    for (const std::string& option : options)
      texts.push_back(option.c_str());
    return m_functions.compile_program(m_program, static_cast<int>(texts.size()), texts.data());
  }

  [[nodiscard]] std::string log() const {
    std::size_t size = 0;
    if (m_created != HIPRTC_SUCCESS || m_functions.get_log_size(m_program, &size) != HIPRTC_SUCCESS || size == 0)
      return {};
    std::string text(size, '\0');
    if (m_functions.get_log(m_program, text.data()) != HIPRTC_SUCCESS)
      return {};
    text.resize(text.find_last_not_of('\0') + 1); // the size counts the terminating zero
    return text;
  }

  [[nodiscard]] base::Bytes code() const {
    std::size_t size = 0;
    if (m_functions.get_code_size(m_program, &size) != HIPRTC_SUCCESS)
      return {};
    base::Bytes bytes(size);
    if (size != 0 && m_functions.get_code(m_program, reinterpret_cast<char*>(bytes.data())) != HIPRTC_SUCCESS)
      return {};
    return bytes;
  }

 private:
  const HiprtcFunctions& m_functions;
  hiprtcProgram m_program = nullptr;
  hiprtcResult m_created = HIPRTC_SUCCESS;
};

} // namespace

Result<std::unique_ptr<CompilerLibrary>> HiprtcLibrary::open(const std::string& hiprtc_path,
                                                             const std::string& comgr_path) {
  HK_ASSIGN_OR_RETURN([[maybe_unused]] const void* comgr, open_library(comgr_path, k_product));
  HK_ASSIGN_OR_RETURN(void* const hiprtc, open_library(hiprtc_path, k_product));
  auto functions = std::make_shared<HiprtcFunctions>();
  if (!find_functions(hiprtc, *functions))
    return fail(StatusCode::no_compiler,
                "library " + hiprtc_path + " lacks functions of hipRTC; install ROCm 6.4 or newer");
  return std::unique_ptr<CompilerLibrary>(new HiprtcLibrary(std::move(functions)));
}

Result<CompilerOutput> HiprtcLibrary::compile(const CompileRequest& request) const {
  const auto start = std::chrono::steady_clock::now();
  Program program(*m_functions, request);
  const hiprtcResult result = program.compile(all_options(request));
  CompilerOutput output;
  output.log = program.log();
  if (result != HIPRTC_SUCCESS)
    return fail(compile_failure(request, output.log, m_functions->get_error_string(result)));
  output.code_object = program.code();
  output.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return output;
}

} // namespace hk::compile
