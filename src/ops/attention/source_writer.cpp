#include "ops/attention/source_writer.h"

namespace hk::ops {
namespace {

const char* mask_constant(AttentionMask mask) {
  switch (mask) {
  case AttentionMask::causal_bottom_right:
    return "causal_bottom_right";
  case AttentionMask::causal_top_left:
    return "causal_top_left";
  case AttentionMask::none:
    break;
  }
  return "none";
}

std::string constant(const char* name, std::int32_t value) {
  return std::string("  static constexpr int ") + name + " = " + std::to_string(value) + ";\n";
}

std::string constant(const char* name, bool value) {
  return std::string("  static constexpr bool ") + name + " = " + (value ? "true" : "false") + ";\n";
}

} // namespace

std::string attention_source(const AttentionSpec& spec) {
  const std::string symbol = symbol_of(spec);
  std::string text = "// " + symbol + "\n#include <hk/target.h>\n#include <kernels/attention_forward.h>\n\n";
  text += "namespace hk {\nstruct Config {\n  using Element = hk::";
  text += spec.element == ElementType::bfloat16 ? "bfloat16" : "float16";
  text += ";\n" + constant("head_dim", spec.head_dim);
  text += std::string("  static constexpr MaskKind mask = MaskKind::") + mask_constant(spec.mask) + ";\n";
  text += constant("write_lse", spec.write_lse) + constant("aligned", spec.aligned);
  text += constant("group_size", spec.group_size) + constant("seq_q", spec.seq_q) + constant("seq_k", spec.seq_k);
  text += constant("waves", spec.configuration.waves) + constant("tile_q", spec.configuration.tile_q) +
          constant("tile_kv", spec.configuration.tile_kv);
  text += "};\n} // namespace hk\n\n";
  text += "extern \"C\" __global__ HK_LAUNCH_BOUNDS(hk::Config) void " + symbol +
          "(hk::AttentionForwardArguments arguments) {\n  hk::attention_forward<hk::Config>(arguments);\n}\n";
  text += "HK_TELL_SHARED_BYTES(" + symbol + ", hk::AttentionForwardTypes<hk::Config>::k_shared_bytes);\n";
  return text;
}

} // namespace hk::ops
