#include "sim_run_buffer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/files.h"
#include "base/temporary_file.h"
#include "base/unique_fd.h"

namespace hk::command {
namespace {

constexpr std::uint64_t k_largest_input = std::uint64_t{1} << 36; // bytes of a .npy file
constexpr std::size_t k_chunk = std::size_t{64} << 20;            // of an output file

FailAs refused(const std::string& object, const std::string& why) {
  return fail_as(Status(StatusCode::invalid_argument, object + ": " + why));
}

// What an ordinary program gives a new file.
mode_t new_file_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

Result<NpyArray> read_npy(const std::string& path) {
  const base::FileResult<base::Bytes> bytes = base::read_file(path, k_largest_input);
  if (!bytes)
    return fail(StatusCode::invalid_argument, bytes.error().message);
  Result<NpyArray> array = parse_npy(*bytes);
  if (!array)
    return fail(StatusCode::invalid_argument, path + ": " + array.error().message);
  return array;
}

} // namespace

struct RunBuffers::Buffer {
  BufferRequest request;
  std::uint64_t bytes = 0;
  NpyArray input; // empty without an input file
  void* device = nullptr;
  SimElement output_element = SimElement::u8;
  std::vector<std::uint64_t> output_shape;
  base::UniqueFd output_folder;
  std::string output_folder_name;
  std::string output_name;
  std::optional<base::TemporaryFile> output; // in output_folder, until it is published
};

RunBuffers::RunBuffers(device::Driver& driver) : m_driver(driver) {}

RunBuffers::~RunBuffers() {
  for (const std::unique_ptr<Buffer>& buffer : m_buffers)
    if (buffer->device != nullptr)
      static_cast<void>(m_driver.free(buffer->device));
}

Status RunBuffers::prepare(const BufferRequest& request) {
  auto buffer = std::make_unique<Buffer>();
  buffer->request = request;
  buffer->bytes = request.bytes;
  for (const std::unique_ptr<Buffer>& other : m_buffers)
    if (!request.name.empty() && other->request.name == request.name)
      return refused("buffer " + request.name, "two buffers have this name");
  if (!request.input_file.empty()) {
    HK_ASSIGN_OR_RETURN(buffer->input, read_npy(request.input_file));
    if (request.bytes == 0)
      buffer->bytes = buffer->input.bytes.size();
    if (buffer->bytes == 0)
      return refused(request.input_file, "it has no elements, and a buffer needs a size");
    if (buffer->input.bytes.size() > buffer->bytes)
      return refused(request.input_file, "its " + std::to_string(buffer->input.bytes.size()) +
                                             " bytes do not fit into a buffer of " + std::to_string(buffer->bytes));
  }
  if (!request.output_file.empty())
    HK_RETURN_IF_ERROR(prepare_output(*buffer));
  m_buffers.push_back(std::move(buffer));
  return {};
}

Status RunBuffers::prepare_output(Buffer& buffer) {
  const BufferRequest& request = buffer.request;
  const std::string& path = request.output_file;
  const bool has_input = !request.input_file.empty();
  const SimElement initial = request.random ? request.random->element
                             : has_input    ? buffer.input.element
                                            : SimElement::u8;
  buffer.output_element = request.output_element.value_or(initial);
  const std::uint64_t size = bytes_of(buffer.output_element);
  if (request.shape)
    buffer.output_shape = *request.shape;
  else if (has_input && bytes_of(buffer.output_element, buffer.input.shape) == buffer.bytes)
    buffer.output_shape = buffer.input.shape;
  else
    buffer.output_shape = {buffer.bytes / size};
  if (bytes_of(buffer.output_element, buffer.output_shape) != buffer.bytes)
    return refused(path, shape_text(buffer.output_shape) + " elements of " + std::to_string(size) +
                             " bytes are not the buffer's " + std::to_string(buffer.bytes) + " bytes");
  const std::size_t slash = path.rfind('/');
  buffer.output_folder_name = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  buffer.output_name = slash == std::string::npos ? path : path.substr(slash + 1);
  auto opened = base::open_file(AT_FDCWD, buffer.output_folder_name, O_RDONLY | O_DIRECTORY);
  if (!opened)
    return refused(path, "it cannot be written: " + opened.error().message);
  if (faccessat(opened->get(), ".", W_OK | X_OK, AT_EACCESS) != 0)
    return refused(path, "it cannot be written: " + base::file_error("access", buffer.output_folder_name).message);
  buffer.output_folder = std::move(*opened);
  return {};
}

Status RunBuffers::upload() {
  for (const std::unique_ptr<Buffer>& buffer : m_buffers) {
    HK_ASSIGN_OR_RETURN(buffer->device, m_driver.allocate(buffer->bytes));
    base::Bytes initial = std::move(buffer->input.bytes);
    if (const std::optional<RandomFill>& random = buffer->request.random) {
      initial.resize(buffer->bytes);
      fill_random(initial, random->element, random->distribution, random->seed);
    }
    // What is not filled stays as the simulator gives it: zero.
    if (!initial.empty())
      HK_RETURN_IF_ERROR(m_driver.copy(buffer->device, initial.data(), initial.size(), nullptr));
  }
  return {};
}

std::uint64_t RunBuffers::address_of(std::size_t i) const {
  return reinterpret_cast<std::uint64_t>(m_buffers[i]->device);
}

Result<std::uint64_t> RunBuffers::address_of(std::string_view name, std::uint64_t offset) const {
  for (std::size_t i = 0; i < m_buffers.size(); ++i) {
    if (m_buffers[i]->request.name != name)
      continue;
    if (offset >= m_buffers[i]->bytes)
      return refused("ptr:" + std::string(name), "offset " + std::to_string(offset) + " lies behind its " +
                                                     std::to_string(m_buffers[i]->bytes) + " bytes");
    return address_of(i) + offset;
  }
  return refused("ptr:" + std::string(name), "no buffer has this name; give one name=" + std::string(name));
}

Status RunBuffers::write_output(Buffer& buffer) {
  auto output = base::TemporaryFile::create(buffer.output_folder.get(), buffer.output_folder_name, new_file_mode());
  if (!output)
    return refused(buffer.request.output_file, "it cannot be written: " + output.error().message);
  const std::string header = npy_header(buffer.output_element, buffer.output_shape);
  auto written = output->write(base::as_bytes(header));
  base::Bytes chunk(std::min<std::uint64_t>(buffer.bytes, k_chunk));
  for (std::uint64_t at = 0; written && at < buffer.bytes; at += chunk.size()) {
    const std::size_t length = std::min<std::uint64_t>(chunk.size(), buffer.bytes - at);
    const std::byte* const source = static_cast<const std::byte*>(buffer.device) + at;
    HK_RETURN_IF_ERROR(m_driver.copy(chunk.data(), source, length, nullptr));
    written = output->write(base::ByteView(chunk).first(length));
  }
  if (!written)
    return refused(buffer.request.output_file, "it cannot be written: " + written.error().message);
  buffer.output.emplace(std::move(*output));
  return {};
}

Status RunBuffers::download() {
  for (const std::unique_ptr<Buffer>& buffer : m_buffers)
    if (!buffer->request.output_file.empty())
      HK_RETURN_IF_ERROR(write_output(*buffer));
  // Only now does any file get its name: all of them or, but for a failing rename, none.
  for (const std::unique_ptr<Buffer>& buffer : m_buffers) {
    if (!buffer->output)
      continue;
    if (auto published = buffer->output->publish_replacing(buffer->output_name); !published)
      return refused(buffer->request.output_file, "it cannot be written: " + published.error().message);
  }
  return {};
}

} // namespace hk::command
