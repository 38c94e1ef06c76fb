#include "sim_run_npy.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

namespace hk::command {
namespace {

constexpr std::string_view k_magic = "\x93NUMPY";
constexpr std::size_t k_prefix = 10; // magic, two version bytes, header length
constexpr std::size_t k_header_alignment = 64;
constexpr std::size_t k_max_dimensions = 32; // numpy's own limit when the format was made

FailAs refused(const std::string& what) {
  return fail_as(Status(StatusCode::invalid_argument, what));
}

// Reads the header, a Python dictionary literal, from left to right; only what numpy writes is understood.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : m_text(text) {}

  bool take(char wanted) {
    skip_spaces();
    if (m_text.empty() || m_text.front() != wanted)
      return false;
    m_text.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view wanted) {
    skip_spaces();
    if (!m_text.starts_with(wanted))
      return false;
    m_text.remove_prefix(wanted.size());
    return true;
  }
  std::optional<std::string_view> take_string() {
    skip_spaces();
    if (m_text.empty() || (m_text.front() != '\'' && m_text.front() != '"'))
      return std::nullopt;
    const std::size_t end = m_text.find(m_text.front(), 1);
    if (end == std::string_view::npos)
      return std::nullopt;
    const std::string_view value = m_text.substr(1, end - 1);
    m_text.remove_prefix(end + 1);
    return value;
  }
  std::optional<std::uint64_t> take_number() {
    skip_spaces();
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(m_text.data(), m_text.data() + m_text.size(), value);
    if (failure != std::errc{})
      return std::nullopt;
    m_text.remove_prefix(static_cast<std::size_t>(end - m_text.data()));
    return value;
  }
  bool at_end() {
    skip_spaces();
    return m_text.empty();
  }

 private:
  void skip_spaces() {
    while (!m_text.empty() && (m_text.front() == ' ' || m_text.front() == '\n'))
      m_text.remove_prefix(1);
  }

  std::string_view m_text;
};

struct Header {
  std::string description;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

struct PartialHeader {
  std::optional<std::string> description;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::uint64_t>> shape;
};

std::optional<std::vector<std::uint64_t>> read_shape(HeaderReader& reader) {
  std::vector<std::uint64_t> shape;
  if (!reader.take('('))
    return std::nullopt;
  while (!reader.take(')')) {
    const std::optional<std::uint64_t> extent = reader.take_number();
    if (!extent || shape.size() == k_max_dimensions)
      return std::nullopt;
    shape.push_back(*extent);
    if (!reader.take(',')) {
      // "(3)" is a number in Python, not a shape.
      if (shape.size() == 1 || !reader.take(')'))
        return std::nullopt;
      break;
    }
  }
  return shape;
}

bool read_member(HeaderReader& reader, PartialHeader& header) {
  const std::optional<std::string_view> key = reader.take_string();
  if (!key || !reader.take(':'))
    return false;
  if (*key == "descr" && !header.description) {
    const std::optional<std::string_view> value = reader.take_string();
    if (value)
      header.description = std::string(*value);
    return value.has_value();
  }
  if (*key == "fortran_order" && !header.fortran_order) {
    if (reader.take_word("True"))
      header.fortran_order = true;
    else if (reader.take_word("False"))
      header.fortran_order = false;
    return header.fortran_order.has_value();
  }
  if (*key == "shape" && !header.shape) {
    header.shape = read_shape(reader);
    return header.shape.has_value();
  }
  return false;
}

std::optional<Header> read_header(std::string_view text) {
  HeaderReader reader(text);
  PartialHeader header;
  if (!reader.take('{'))
    return std::nullopt;
  while (!reader.take('}')) {
    if (!read_member(reader, header))
      return std::nullopt;
    if (!reader.take(',')) {
      if (!reader.take('}'))
        return std::nullopt;
      break;
    }
  }
  if (!reader.at_end() || !header.description || !header.fortran_order || !header.shape)
    return std::nullopt;
  return Header{std::move(*header.description), *header.fortran_order, std::move(*header.shape)};
}

} // namespace

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text;
  for (const std::uint64_t extent : shape)
    text.append(text.empty() ? "" : "x").append(std::to_string(extent));
  return text.empty() ? "1" : text;
}

std::optional<std::uint64_t> bytes_of(SimElement element, const std::vector<std::uint64_t>& shape) {
  std::uint64_t total = bytes_of(element);
  for (const std::uint64_t extent : shape) {
    if (extent != 0 && total > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / extent)
      return std::nullopt;
    total *= extent;
  }
  return total;
}

Result<NpyArray> parse_npy(base::ByteView file) {
  base::ByteReader reader(file);
  base::ByteView magic;
  std::uint8_t major = 0;
  std::uint8_t minor = 0;
  std::uint16_t length = 0;
  if (!reader.read_bytes(k_magic.size(), magic) || base::as_text(magic) != k_magic)
    return refused("it is no .npy file");
  if (!reader.read(major) || !reader.read(minor) || !reader.read(length))
    return refused("it ends inside its header");
  if (major != 1 || minor != 0)
    return refused("it has .npy format " + std::to_string(major) + "." + std::to_string(minor) +
                   "; only 1.0 is read, which numpy.save writes for ordinary arrays");
  base::ByteView text;
  if (!reader.read_bytes(length, text))
    return refused("it ends inside its header");
  const std::optional<Header> header = read_header(base::as_text(text));
  if (!header)
    return refused("its header is malformed; it must hold descr, fortran_order and shape");
  const std::optional<SimElement> element = element_of_npy(header->description);
  if (!element)
    return refused("its element type is '" + header->description + "'; use little-endian " + sim_element_names() +
                   " (bf16 is stored as u16)");
  if (header->fortran_order && header->shape.size() > 1)
    return refused("it is in Fortran order; store it row-major (numpy.ascontiguousarray)");
  const std::optional<std::uint64_t> bytes = bytes_of(*element, header->shape);
  if (!bytes || *bytes != reader.remaining())
    return refused("its shape " + shape_text(header->shape) +
                   " does not fit its length: " + std::to_string(reader.remaining()) + " bytes follow the header");
  NpyArray array;
  array.element = *element;
  array.shape = header->shape;
  base::ByteView elements;
  if (!reader.read_bytes(*bytes, elements))
    return refused("it ends inside its elements");
  array.bytes.assign(elements.begin(), elements.end());
  return array;
}

std::string npy_header(SimElement element, const std::vector<std::uint64_t>& shape) {
  std::string text = "{'descr': '" + std::string(npy_description(element)) + "', 'fortran_order': False, 'shape': (";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text.append(i == 0 ? "" : ", ").append(std::to_string(shape[i]));
  text += shape.size() == 1 ? ",), }" : "), }";
  const std::size_t unpadded = k_prefix + text.size() + 1;
  text.append((k_header_alignment - unpadded % k_header_alignment) % k_header_alignment, ' ').append("\n");
  std::string header(k_magic);
  header.append({'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)});
  return header + text;
}

} // namespace hk::command
