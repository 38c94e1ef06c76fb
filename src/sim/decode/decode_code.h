#pragma once
// A range of machine code to a Program.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "codeobj/code_object.h"
#include "sim/machine/program.h"
#include "sim/machine/target.h"

namespace hk::sim {

// Decodes everything from offset 0 to the end of `code`. `starts` are offsets where an instruction is known to begin
// (function symbols, kernel entries): decoding resumes there whatever came before. Bytes that are no instruction become
// entries that raise unknown_instruction if they are executed; they never fail the load.
Result<Program> decode_code(Target target, std::span<const std::byte> code, std::span<const std::uint64_t> starts);

// The executable segment of a code object. Fails with unsupported for another target than gfx942 and gfx950, and with
// load_failed if the object has no code.
Result<Program> decode_program(const codeobj::CodeObject& object);

} // namespace hk::sim
