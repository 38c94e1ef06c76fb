#include "sim/machine/wave.h"

#include <utility>

#include "sim/machine/workgroup.h"

namespace hk::sim {

namespace {

bool counts_vector_memory(const PendingAccess& access) {
  return access.counter == Counter::vector_memory || (access.counter == Counter::flat && !access.waited_vector_memory);
}

bool counts_lds(const PendingAccess& access) {
  return access.counter == Counter::lds_or_scalar || (access.counter == Counter::flat && !access.waited_lds);
}

template <unsigned Count>
bool any_of(const RegisterMarks<Count>& marks, const RegisterRange& range) {
  return marks.any(range.first, range.count);
}

template <unsigned Count>
void mark(RegisterMarks<Count>& marks, const RegisterRange& range, bool value) {
  marks.set(range.first, range.count, value);
}

bool overlap(const RegisterRange& a, const RegisterRange& b) {
  return a.scalar == b.scalar && a.first < b.first + b.count && b.first < a.first + a.count;
}

// A load may overwrite the destination of an older load of its own kind: vector memory and LDS return in order.
bool overwrites_in_order(const Instruction& instruction, const PendingAccess& older) {
  if (instruction.operation == nullptr || instruction.operation->destinations == 0 || instruction.modifiers.lds)
    return false; // no destination register: the first operand is an address
  switch (instruction.operation->operation_class) {
  case OperationClass::vector_memory:
    return older.counter == Counter::vector_memory;
  case OperationClass::lds:
    return older.counter == Counter::lds_or_scalar && !older.scalar;
  default:
    return false;
  }
}

// Vector memory and LDS each return in order; a FLAT access is in both lines, scalar loads are in none.
bool blocks(const PendingAccess& older, const PendingAccess& younger) {
  if (older.done || older.scalar || younger.scalar)
    return false;
  return older.counter == younger.counter || older.counter == Counter::flat || younger.counter == Counter::flat;
}

std::string register_name(const RegisterRange& range) {
  std::string first;
  if (range.scalar)
    first = "s" + std::to_string(range.first);
  else if (range.first >= k_accumulator_base)
    first = "a" + std::to_string(range.first - k_accumulator_base);
  else
    first = "v" + std::to_string(range.first);
  return range.count > 1 ? first + " and the " + std::to_string(range.count - 1) + " behind it" : first;
}

} // namespace

void Wave::raise(FaultKind kind, const Instruction& instruction, std::string explanation, int lane,
                 std::uint64_t address) {
  if (fault.any())
    return;
  fault.kind = kind;
  fault.wave = wave_index;
  fault.lane = lane;
  fault.offset = instruction.offset;
  fault.instruction = instruction.text;
  fault.address = address;
  fault.explanation = std::move(explanation);
  if (workgroup == nullptr)
    return;
  fault.kernel = workgroup->kernel;
  fault.offset -= workgroup->kernel_offset;
  for (int i = 0; i < 3; ++i)
    fault.workgroup[i] = workgroup->id[i];
}

PendingAccess& Wave::prepare_access(const Instruction& instruction, Counter counter) {
  PendingAccess& access = pending.prepare();
  access.instruction = &instruction;
  access.counter = counter;
  access.exec = exec();
  return access;
}

void Wave::issue_prepared(bool to_registers) {
  pending.append_prepared();
  if (!to_registers)
    return;
  PendingAccess& access = pending[pending.size() - 1];
  const Operand& target = access.instruction->operands[0];
  access.destination = {target.index, target.registers, target.kind == OperandKind::scalar_register};
  ++loads_to_registers;
  if (access.destination.scalar) {
    marks_overlap = marks_overlap || any_of(scalar_in_flight, access.destination);
    mark(scalar_in_flight, access.destination, true);
  } else {
    marks_overlap = marks_overlap || any_of(vector_in_flight, access.destination);
    mark(vector_in_flight, access.destination, true);
  }
}

void Wave::issue(PendingAccess access, bool to_registers) {
  pending.prepare() = access;
  issue_prepared(to_registers);
}

void Wave::complete_pending(std::size_t i) {
  const PendingAccess& access = pending[i];
  if (!access.done && !fault.any())
    access.complete(*this, access);
  const RegisterRange destination = access.destination;
  pending.erase(i);
  if (destination.count == 0)
    return;
  if (--loads_to_registers == 0) {
    vector_in_flight.reset();
    scalar_in_flight.reset();
    marks_overlap = false;
    return;
  }
  destination.scalar ? mark(scalar_in_flight, destination, false) : mark(vector_in_flight, destination, false);
  if (!marks_overlap)
    return;
  for (std::size_t other = 0; other < pending.size(); ++other) {
    const RegisterRange& range = pending[other].destination;
    range.scalar ? mark(scalar_in_flight, range, true) : mark(vector_in_flight, range, true);
  }
}

void Wave::complete_all() {
  while (!pending.empty())
    complete_pending(0);
}

void Wave::complete_early(std::size_t i) {
  for (std::size_t older = i; older-- > 0;)
    if (blocks(pending[older], pending[i]))
      i = older;
  PendingAccess& access = pending[i];
  if (access.done || fault.any())
    return;
  access.complete(*this, access);
  access.done = true;
}

void Wave::complete_through(std::size_t i) {
  const PendingAccess* const wanted = &pending[i];
  for (std::size_t older = 0; &pending[older] != wanted;)
    if (blocks(pending[older], *wanted))
      complete_pending(older);
    else
      ++older;
  for (std::size_t at = 0; at < pending.size(); ++at)
    if (&pending[at] == wanted)
      return complete_pending(at);
}

void Wave::reset() {
  scc = false;
  mode = 0;
  next = 0;
  scratch_base = 0;
  scratch_bytes_per_lane = 0;
  executed = 0;
  missing_waits = 0;
  issue_clocks = 0;
  executed_by_class = {};
  issue_clocks_by_class = {};
  ended = false;
  at_barrier = false;
  priority = 0;
  yields = false;
  fault = {};
  pending.clear();
  loads_to_registers = 0;
  marks_overlap = false;
  vector_in_flight.reset();
  scalar_in_flight.reset();
}

void Wave::wait_vector_memory(unsigned count) {
  std::size_t outstanding = 0;
  for (std::size_t i = 0; i < pending.size(); ++i)
    outstanding += counts_vector_memory(pending[i]);
  for (std::size_t i = 0; i < pending.size() && outstanding > count;) {
    PendingAccess& access = pending[i];
    if (!counts_vector_memory(access)) {
      ++i;
      continue;
    }
    --outstanding;
    // A FLAT access is in both counters and is done when both have been waited for.
    if (access.counter == Counter::flat && !access.waited_lds) {
      access.waited_vector_memory = true;
      ++i;
      continue;
    }
    complete_pending(i);
  }
}

void Wave::wait_lds_and_scalar(unsigned count) {
  std::size_t outstanding = 0;
  std::size_t scalars = 0;
  for (std::size_t i = 0; i < pending.size(); ++i) {
    outstanding += counts_lds(pending[i]);
    scalars += counts_lds(pending[i]) && pending[i].scalar;
  }
  if (outstanding <= count)
    return;
  // Scalar loads share the counter and return out of order with everything: unless all is waited for, the decrements
  // seen may all have been theirs, so only what exceeds their number is certain, and they themselves never are.
  std::size_t certain = outstanding - count;
  if (count > 0)
    certain -= certain < scalars ? certain : scalars;
  for (std::size_t i = 0; i < pending.size() && certain > 0;) {
    PendingAccess& access = pending[i];
    if (!counts_lds(access) || (access.scalar && count > 0)) {
      ++i;
      continue;
    }
    --certain;
    if (access.counter == Counter::flat && !access.waited_vector_memory) {
      access.waited_lds = true;
      ++i;
      continue;
    }
    complete_pending(i);
  }
}

bool Wave::uses_register_in_flight(const Instruction& instruction) {
  for (unsigned i = 0; i < instruction.touched_count; ++i) {
    const RegisterRange& range = instruction.touched[i];
    if (range.scalar ? !any_of(scalar_in_flight, range) : !any_of(vector_in_flight, range))
      continue;
    for (std::size_t older = 0; older < pending.size(); ++older) {
      const PendingAccess& access = pending[older];
      if (!overlap(range, access.destination) || (i == 0 && overwrites_in_order(instruction, access)))
        continue;
      if (workgroup != nullptr && workgroup->forgives_missing_waits) {
        ++missing_waits;
        complete_through(older);
        return fault.any() || uses_register_in_flight(instruction);
      }
      raise(FaultKind::register_in_flight, instruction,
            register_name(range) + " is used before a wait for \"" + access.instruction->text +
                "\", which loads into it");
      return true;
    }
  }
  return false;
}

} // namespace hk::sim
