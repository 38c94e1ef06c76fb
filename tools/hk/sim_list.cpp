#include "sim_list.h"

#include <cinttypes>
#include <cstdio>

#include "codeobj/inspect.h"
#include "sim_file.h"
#include "sim_run_layout.h"
#include "sim_run_report.h"

namespace hk::command {
namespace {

void print_kernel(const codeobj::Kernel& kernel) {
  const codeobj::KernelMetadata& metadata = kernel.metadata;
  const codeobj::KernelResources resources = codeobj::resources_of(kernel);
  std::printf("%s\n", metadata.name.c_str());
  std::printf("  registers: %u VGPRs, %u AGPRs, %u SGPRs\n", resources.vgprs, resources.agprs, resources.sgprs);
  std::printf("  LDS: %" PRIu64 " bytes; scratch: %" PRIu64 " bytes per work-item\n", resources.lds_bytes,
              resources.scratch_bytes);
  if (metadata.required_workgroup_size)
    std::printf("  workgroup: %u,%u,%u work-items\n", (*metadata.required_workgroup_size)[0],
                (*metadata.required_workgroup_size)[1], (*metadata.required_workgroup_size)[2]);
  else
    std::printf("  workgroup: at most %u work-items\n", resources.max_workgroup_size);
  std::printf("  kernarg segment: %" PRIu64 " bytes", metadata.kernarg_segment_size);
  std::size_t hidden = 0;
  for (const codeobj::KernelArgument& argument : metadata.arguments)
    hidden += argument.is_hidden() ? 1 : 0;
  std::printf(metadata.arguments.empty() ? ", arguments not described\n" : ", %zu hidden arguments\n", hidden);
  std::size_t position = 0;
  for (const codeobj::KernelArgument& argument : passed_arguments(metadata))
    std::printf("    %zu: offset %" PRIu64 ", %" PRIu64 " bytes, %s%s%s\n", position++, argument.offset, argument.size,
                argument.kind_text.c_str(), argument.name.empty() ? "" : " ", argument.name.c_str());
}

} // namespace

int sim_list(const std::string& file, bool json) {
  const Result<SimFile> read = read_sim_file(file, "");
  if (!read) {
    std::fprintf(stderr, "hk sim list: %s\n", read.error().message.c_str());
    return 1;
  }
  if (json) {
    std::printf("%s\n", list_json(read->object).c_str());
    return 0;
  }
  std::printf("%s, code object V%d, runs on %s\n", read->object.target.to_string().c_str(), read->object.version,
              read->device.c_str());
  for (const codeobj::Kernel& kernel : read->object.kernels)
    print_kernel(kernel);
  return 0;
}

} // namespace hk::command
