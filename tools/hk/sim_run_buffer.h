#pragma once
// The device buffers of one `hk sim run`: made and filled before it, written to files after it.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "device/driver.h"
#include "sim_run_argument.h"
#include "sim_run_npy.h"

namespace hk::command {

class RunBuffers {
 public:
  explicit RunBuffers(device::Driver& driver);
  ~RunBuffers();
  RunBuffers(const RunBuffers&) = delete;
  RunBuffers& operator=(const RunBuffers&) = delete;

  // What a buffer holds at first, and whether its output is possible. Looks at the output's folder, so that a run
  // is not lost for a file that cannot be written. Fails with invalid_argument.
  Status prepare(const BufferRequest& request);
  // Allocates and fills all that were prepared, in that order.
  Status upload();
  // Device address of a buffer, by its place in the order or by its name. The second fails with invalid_argument if
  // there is none of that name or the offset lies behind its end.
  [[nodiscard]] std::uint64_t address_of(std::size_t i) const;
  [[nodiscard]] Result<std::uint64_t> address_of(std::string_view name, std::uint64_t offset) const;
  // Writes every output file, each whole or not at all.
  Status download();

 private:
  struct Buffer;
  static Status prepare_output(Buffer& buffer);
  Status write_output(Buffer& buffer);

  device::Driver& m_driver;
  std::vector<std::unique_ptr<Buffer>> m_buffers;
};

} // namespace hk::command
