#include "sim_run_argument.h"

#include <charconv>
#include <utility>

namespace hk::command {
namespace {

constexpr std::size_t k_pointer_bytes = 8;
constexpr std::uint64_t k_max_bytes = std::uint64_t{1} << 48; // of a size; no device has as much memory
constexpr std::uint64_t k_max_padding = 1 << 16;              // more than any kernarg segment

class ArgumentParser {
 public:
  explicit ArgumentParser(std::string_view text) : m_text(text) {
    for (std::size_t begin = 0;;) {
      const std::size_t end = text.find(':', begin);
      m_parts.emplace_back(text.substr(begin, end - begin));
      if (end == std::string_view::npos)
        break;
      begin = end + 1;
    }
  }

  Result<ArgumentValue> parse() {
    m_value.text = m_text;
    const std::string_view kind = m_parts.front();
    if (kind == "buffer")
      return buffer();
    if (kind == "ptr")
      return pointer();
    if (kind == "null" && m_parts.size() == 1)
      return raw(base::Bytes(k_pointer_bytes), k_pointer_bytes);
    if (kind == "bytes" && m_parts.size() == 2)
      return hexadecimal(m_parts[1]);
    if (kind == "pad" && m_parts.size() == 2)
      return padding(m_parts[1]);
    if (const std::optional<SimElement> element = parse_sim_element(kind); element && m_parts.size() == 2)
      return scalar(*element, m_parts[1]);
    return refused(
        "expected buffer:SIZE..., ptr:NAME[+OFFSET], null, bytes:HEX, pad:N or TYPE:VALUE with TYPE one of " +
        sim_element_names());
  }

 private:
  [[nodiscard]] tl::unexpected<Status> refused(const std::string& why) const {
    return fail(StatusCode::invalid_argument, "argument '" + std::string(m_text) + "': " + why);
  }

  Result<ArgumentValue> raw(base::Bytes bytes, std::size_t alignment) {
    m_value.bytes = std::move(bytes);
    m_value.alignment = alignment;
    return std::move(m_value);
  }

  Result<ArgumentValue> scalar(SimElement element, std::string_view number) {
    const std::optional<std::uint64_t> bits = bits_of_number(element, number);
    if (!bits)
      return refused("'" + std::string(number) + "' is no number of that type");
    base::ByteWriter writer;
    writer.write(*bits);
    base::Bytes bytes = writer.take();
    bytes.resize(bytes_of(element));
    return raw(std::move(bytes), bytes_of(element));
  }

  Result<ArgumentValue> hexadecimal(std::string_view digits) {
    if (digits.empty() || digits.size() % 2 != 0)
      return refused("bytes are pairs of hexadecimal digits");
    base::Bytes bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
      unsigned value = 0;
      const char* const begin = digits.data() + i;
      const auto [end, failure] = std::from_chars(begin, begin + 2, value, 16);
      if (failure != std::errc{} || end != begin + 2)
        return refused("'" + std::string(digits.substr(i, 2)) + "' is no pair of hexadecimal digits");
      bytes.push_back(static_cast<std::byte>(value));
    }
    return raw(std::move(bytes), 1);
  }

  Result<ArgumentValue> padding(std::string_view count) {
    const std::optional<std::uint64_t> bytes = parse_size(count);
    if (!bytes || *bytes == 0 || *bytes > k_max_padding)
      return refused("'" + std::string(count) + "' is no number of bytes between 1 and " +
                     std::to_string(k_max_padding));
    return raw(base::Bytes(*bytes), 1);
  }

  Result<ArgumentValue> pointer() {
    if (m_parts.size() != 2)
      return refused("expected ptr:NAME or ptr:NAME+OFFSET");
    m_value.form = ArgumentForm::pointer;
    const std::string_view target = m_parts[1];
    const std::size_t plus = target.find('+');
    m_value.buffer_name = target.substr(0, plus);
    if (plus != std::string_view::npos) {
      const std::optional<std::uint64_t> offset = parse_size(target.substr(plus + 1));
      if (!offset)
        return refused("'" + std::string(target.substr(plus + 1)) + "' is no offset in bytes");
      m_value.offset = *offset;
    }
    if (m_value.buffer_name.empty())
      return refused("it names no buffer");
    return raw(base::Bytes(k_pointer_bytes), k_pointer_bytes);
  }

  Result<ArgumentValue> buffer() {
    m_value.form = ArgumentForm::buffer;
    BufferRequest& buffer = m_value.buffer;
    if (m_parts.size() < 2)
      return refused("expected buffer:SIZE or buffer:auto:FILE.npy");
    if (m_parts[1] != "auto") {
      const std::optional<std::uint64_t> bytes = parse_size(m_parts[1]);
      if (!bytes || *bytes == 0)
        return refused("'" + std::string(m_parts[1]) + "' is no size; use bytes, or k, M, G behind a number, or auto");
      buffer.bytes = *bytes;
    }
    for (std::size_t i = 2; i < m_parts.size();) {
      HK_ASSIGN_OR_RETURN(const std::size_t taken, buffer_part(i, buffer));
      i += taken;
    }
    if (buffer.bytes == 0 && buffer.input_file.empty())
      return refused("the size auto needs a .npy file to take it from");
    if (buffer.output_file.empty() && (buffer.shape || buffer.output_element))
      return refused("as= and shape= describe an output; name one with out=FILE.npy");
    return raw(base::Bytes(k_pointer_bytes), k_pointer_bytes);
  }

  // Returns how many parts it has used.
  Result<std::size_t> buffer_part(std::size_t i, BufferRequest& buffer) {
    const std::string_view part = m_parts[i];
    const auto value_of = [&](std::string_view key) { return part.substr(key.size()); };
    const bool filled = buffer.random.has_value() || m_zero || !buffer.input_file.empty();
    if ((part == "zero" || part == "random" || (part.find('=') == std::string_view::npos && part.ends_with(".npy"))) &&
        filled)
      return refused("it says twice what the buffer holds");
    if (part == "zero") {
      m_zero = true;
      return 1;
    }
    if (part == "random")
      return random_parts(i, buffer);
    if (part.starts_with("out=") && part.ends_with(".npy")) {
      buffer.output_file = value_of("out=");
      return 1;
    }
    if (part.starts_with("name=") && part.size() > 5) {
      buffer.name = value_of("name=");
      return 1;
    }
    if (part.starts_with("as=")) {
      buffer.output_element = parse_sim_element(value_of("as="));
      if (!buffer.output_element)
        return refused("as= takes one of " + sim_element_names());
      return 1;
    }
    if (part.starts_with("shape="))
      return shape_part(value_of("shape="), buffer);
    if (part.find('=') == std::string_view::npos && part.ends_with(".npy")) {
      buffer.input_file = part;
      return 1;
    }
    return refused("'" + std::string(part) +
                   "' is none of zero, random:SEED:TYPE, FILE.npy, name=NAME, out=FILE.npy, as=TYPE, shape=AxB");
  }

  Result<std::size_t> random_parts(std::size_t i, BufferRequest& buffer) {
    if (i + 2 >= m_parts.size())
      return refused("random needs a seed and a type, as in random:1:bf16");
    const std::optional<std::uint64_t> seed = bits_of_number(SimElement::u64, m_parts[i + 1]);
    const std::optional<SimElement> element = parse_sim_element(m_parts[i + 2]);
    if (!seed || !element)
      return refused("random needs a whole number and one of " + sim_element_names() + ", as in random:1:bf16");
    const bool uniform = i + 3 < m_parts.size() && m_parts[i + 3] == "uniform";
    buffer.random = {*seed, *element, uniform ? SimDistribution::uniform : SimDistribution::normal};
    return uniform ? 4 : 3;
  }

  Result<std::size_t> shape_part(std::string_view text, BufferRequest& buffer) {
    buffer.shape.emplace();
    while (true) {
      const std::size_t end = text.find('x');
      const std::optional<std::uint64_t> extent = parse_size(text.substr(0, end));
      if (!extent || *extent == 0 || buffer.shape->size() == 32)
        return refused("a shape is up to 32 numbers with x between them, as in shape=2x128");
      buffer.shape->push_back(*extent);
      if (end == std::string_view::npos)
        return 1;
      text.remove_prefix(end + 1);
    }
  }

  std::string_view m_text;
  std::vector<std::string_view> m_parts;
  ArgumentValue m_value;
  bool m_zero = false;
};

} // namespace

Result<ArgumentValue> parse_argument(std::string_view text) {
  return ArgumentParser(text).parse();
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t factor = 1;
  if (!text.empty()) {
    switch (text.back()) {
    case 'k':
      factor = 1 << 10;
      break;
    case 'M':
      factor = 1 << 20;
      break;
    case 'G':
      factor = 1 << 30;
      break;
    default:
      break;
    }
  }
  if (factor != 1)
    text.remove_suffix(1);
  const std::optional<std::uint64_t> number = bits_of_number(SimElement::u64, text);
  if (!number || *number >= k_max_bytes / factor)
    return std::nullopt;
  return *number * factor;
}

const char* argument_help() {
  return R"(Arguments, one --arg each, in the order of the kernel's parameters:
  buffer:SIZE[:FILL][:name=NAME][:out=FILE.npy[:as=TYPE][:shape=AxB]]
                   the address of new device memory of SIZE bytes (k, M, G; auto = as FILE.npy)
                   FILL: zero (default), random:SEED:TYPE (normal; :uniform for [0,1)), or FILE.npy
                   out=: written when the kernel has ended, as TYPE (default: that of FILL, else u8)
  ptr:NAME[+OFFSET]  an address inside a named buffer: several arguments may share one
  null             a null pointer
  TYPE:VALUE       a scalar: f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64; 0x... gives the bits of an integer
  bytes:HEX        a struct, byte by byte;  pad:N  N zero bytes
Where the object describes its arguments, number and sizes must fit them; arguments that it names "pad" are filled with
zeros and not counted. Otherwise, and with --packed, each value follows the one before it at its natural alignment.
Hidden arguments are filled in. Types in .npy files: the same (bf16 as u16).

Example, y = a * x + y for 1024 floats:
  hk sim run saxpy.co --kernel saxpy --grid 4 --block 256 --arg f32:2 --arg buffer:4k:random:1:f32 \
     --arg buffer:4k:y.npy:out=result.npy --arg i32:1024 --stats)";
}

} // namespace hk::command
