#include "sim/machine/workgroup_run.h"

#include <algorithm>

#include "sim/machine/run_wave.h"
#include "sim/machine/wave_trace.h"

namespace hk::sim {

namespace {

// The longest turn of a random schedule is two to this power.
constexpr unsigned k_random_turn_bits = 8;

bool runnable(const Wave& wave) {
  return !wave.ended && !wave.at_barrier;
}

} // namespace

WorkgroupRun::WorkgroupRun(const LaunchTemplate& launch, const DispatchOptions& options)
    : m_launch(launch), m_step_limit(options.step_limit), m_turn(std::max<std::uint64_t>(1, options.turn)),
      m_forgive_missing_waits(options.forgive_missing_waits), m_trace(options.trace),
      m_scratch(*launch.dispatch->memory) {}

void WorkgroupRun::start(std::uint64_t index, std::uint64_t position, std::optional<std::uint64_t> schedule_seed) {
  m_index = index;
  m_position = position;
  m_workgroup.randomised = schedule_seed.has_value();
  m_workgroup.forgives_missing_waits = m_forgive_missing_waits;
  if (schedule_seed.has_value())
    m_workgroup.schedule_random.seed(*schedule_seed, index);
  m_workgroup.memory = m_launch.dispatch->memory;
  start_workgroup(m_launch, index, k_scratch_base, m_workgroup);
  if (m_launch.scratch_bytes_per_lane == 0)
    return;
  m_scratch.start(m_workgroup.waves.size() * k_wave_size * m_launch.scratch_bytes_per_lane,
                  uninitialised_word(m_launch.uninitialised_seed + index));
  m_workgroup.memory = &m_scratch;
}

const Fault& WorkgroupRun::fault() const {
  for (const auto& wave : m_workgroup.waves)
    if (wave->fault.any())
      return wave->fault;
  return m_workgroup.waves.front()->fault;
}

bool WorkgroupRun::all_ended() const {
  return std::all_of(m_workgroup.waves.begin(), m_workgroup.waves.end(), [](const auto& wave) { return wave->ended; });
}

void WorkgroupRun::open_barrier() {
  for (const auto& wave : m_workgroup.waves) {
    wave->at_barrier = false;
    // LDS works in the order in which it is given its instructions, so those behind the barrier come later even where
    // nobody waited.
    if (m_forgive_missing_waits)
      wave->wait_lds_and_scalar(0);
  }
}

// Returns how many instructions it executed.
std::uint64_t WorkgroupRun::run_one(Wave& wave, std::uint64_t quantum) {
  const std::uint64_t before = wave.executed;
  const std::uint64_t most = std::min(quantum, m_step_limit - before);
  if (m_trace != nullptr && m_trace->workgroup == m_index && m_trace->wave == wave.wave_index)
    run_traced_wave(wave, *m_workgroup.program, most, *m_trace);
  else
    run_wave(wave, *m_workgroup.program, most);
  if (wave.executed >= m_step_limit && !wave.ended) {
    const std::vector<Instruction>& instructions = m_workgroup.program->instructions;
    wave.raise(FaultKind::step_limit, instructions[std::min<std::size_t>(wave.next, instructions.size() - 1)],
               "the wave has executed " + std::to_string(wave.executed) +
                   " instructions, the limit of one wave, and has not ended: a loop or a wait in it may have no end; "
                   "if it has one, give each wave less work; `hk sim run --max-instructions` alone moves the limit");
  }
  return wave.executed - before;
}

WorkgroupRun::Outcome WorkgroupRun::run_slice(std::uint64_t budget) {
  return m_workgroup.randomised ? run_randomly(budget) : run_in_order(budget);
}

WorkgroupRun::Outcome WorkgroupRun::run_in_order(std::uint64_t budget) {
  std::uint64_t spent = 0;
  while (spent < budget) {
    bool any_ran = false;
    bool all_sleep = true;
    for (const auto& pointer : m_workgroup.waves) {
      Wave& wave = *pointer;
      if (!runnable(wave))
        continue;
      any_ran = true;
      spent += run_one(wave, m_turn);
      if (wave.fault.any())
        return Outcome::faulted;
      all_sleep = all_sleep && wave.yields;
    }
    if (any_ran && all_sleep)
      return Outcome::unfinished;
    if (any_ran)
      continue;
    if (all_ended())
      return Outcome::ended;
    open_barrier();
  }
  return Outcome::unfinished;
}

Wave* WorkgroupRun::random_runnable_wave() {
  // Each wave as often as its priority, plus one, says.
  std::uint64_t weights = 0;
  for (const auto& wave : m_workgroup.waves)
    weights += runnable(*wave) ? wave->priority + 1U : 0U;
  if (weights == 0)
    return nullptr;
  std::uint64_t choice = m_workgroup.schedule_random() % weights;
  for (const auto& wave : m_workgroup.waves) {
    const std::uint64_t weight = runnable(*wave) ? wave->priority + 1U : 0U;
    if (choice < weight)
      return wave.get();
    choice -= weight;
  }
  return nullptr;
}

void WorkgroupRun::complete_something_early() {
  const std::uint64_t random = m_workgroup.schedule_random();
  Wave& wave = *m_workgroup.waves[random % m_workgroup.waves.size()];
  if (wave.pending.empty())
    return;
  const std::uint64_t count = 1 + (random >> 32) % 4;
  for (std::uint64_t i = 0; i < count; ++i)
    wave.complete_early(m_workgroup.schedule_random() % wave.pending.size());
}

WorkgroupRun::Outcome WorkgroupRun::run_randomly(std::uint64_t budget) {
  std::uint64_t spent = 0;
  std::size_t sleeps = 0; // in a row
  while (spent < budget) {
    const std::uint64_t random = m_workgroup.schedule_random();
    if ((random & 1) != 0)
      complete_something_early();
    Wave* const wave = random_runnable_wave();
    if (wave == nullptr) {
      if (all_ended())
        return Outcome::ended;
      open_barrier();
      continue;
    }
    // Short turns as likely as long ones: 1..2, 1..4, ... instructions.
    const std::uint64_t longest = std::uint64_t{2} << ((random >> 8) % k_random_turn_bits);
    spent += run_one(*wave, 1 + (random >> 16) % longest);
    for (const auto& other : m_workgroup.waves)
      if (other->fault.any())
        return Outcome::faulted;
    sleeps = wave->yields ? sleeps + 1 : 0;
    if (sleeps > 2 * m_workgroup.waves.size())
      return Outcome::unfinished;
  }
  return Outcome::unfinished;
}

} // namespace hk::sim
