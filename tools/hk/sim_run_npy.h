#pragma once
// numpy's .npy files, format 1.0: one dense array, row-major, little-endian.
// Source: numpy, "numpy.lib.format", section Format Version 1.0.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"
#include "sim_run_element.h"

namespace hk::command {

struct NpyArray {
  SimElement element = SimElement::u8;
  std::vector<std::uint64_t> shape; // empty: one number
  base::Bytes bytes;
};

// "3x4x128"; "1" for a single number.
std::string shape_text(const std::vector<std::uint64_t>& shape);

// Product of shape and element size; nothing if it is 2^63 or more.
std::optional<std::uint64_t> bytes_of(SimElement element, const std::vector<std::uint64_t>& shape);

// Never crashes, whatever the bytes. Fails with invalid_argument, saying what is wrong with the file: magic, version,
// header, byte order, Fortran order, element type, or a length that does not fit the shape.
Result<NpyArray> parse_npy(base::ByteView file);

// Magic, version and header; the elements follow it. At most 32 dimensions.
std::string npy_header(SimElement element, const std::vector<std::uint64_t>& shape);

} // namespace hk::command
