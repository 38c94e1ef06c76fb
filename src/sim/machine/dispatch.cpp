#include "sim/machine/dispatch.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <system_error>
#include <thread>
#include <vector>

#include "base/usable_processors.h"
#include "sim/machine/launch_state.h"
#include "sim/machine/modelled_time.h"
#include "sim/machine/schedule_random.h"
#include "sim/machine/workgroup_run.h"

namespace hk::sim {

namespace {

// Instructions that a workgroup executes before others get a turn, in case it waits for one of them.
constexpr std::uint64_t k_slice = 1 << 17;
constexpr std::uint64_t k_no_fault = std::numeric_limits<std::uint64_t>::max();

// The order in which workgroups start: as numbered, or i -> (a i + b) mod n with a coprime to n.
class DispatchOrder {
 public:
  DispatchOrder(std::uint64_t count, std::optional<std::uint64_t> seed) : m_count(count) {
    if (!seed.has_value() || count < 2)
      return;
    ScheduleRandom random;
    random.seed(*seed);
    m_first = random() % count;
    do {
      m_step = 1 + random() % (count - 1);
    } while (std::gcd(m_step, count) != 1);
  }
  [[nodiscard]] std::uint64_t index(std::uint64_t position) const {
    return std::uint64_t((static_cast<unsigned __int128>(m_step) * position + m_first) % m_count);
  }

 private:
  std::uint64_t m_count;
  std::uint64_t m_step = 1;
  std::uint64_t m_first = 0;
};

// What the host threads of one dispatch share.
struct Shared {
  const LaunchTemplate& launch;
  const DispatchOptions& options;
  DispatchOrder order;
  std::uint64_t count;
  std::size_t resident_limit; // workgroups of one thread
  std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> fault_position{k_no_fault};
  std::mutex mutex; // of what follows
  DispatchResult result;
  ModelledTime time;
  bool out_of_memory = false;

  void report(std::uint64_t position, const Fault& fault) {
    const std::scoped_lock lock(mutex);
    if (position >= fault_position)
      return;
    fault_position = position;
    result.fault = fault;
  }
};

// Workgroups that one host thread has begun and not ended, and their sums.
class Worker {
 public:
  explicit Worker(Shared& shared) : m_shared(shared), m_time(*shared.launch.device) {}

  void run() {
    bool crowded = false;
    while (true) {
      // Another one beside those that go on: they may be waiting for it.
      if (m_resident.empty() || (crowded && m_resident.size() < m_shared.resident_limit))
        admit();
      if (m_resident.empty())
        break;
      crowded = !run_slices();
      if (m_shared.options.cancel != nullptr && *m_shared.options.cancel)
        cancel();
    }
    const std::scoped_lock lock(m_shared.mutex);
    m_shared.time.add(m_time);
    m_shared.result.workgroups += m_workgroups;
    m_shared.result.waves += m_waves;
    for (std::size_t i = 0; i < m_by_class.size(); ++i)
      m_shared.result.instructions_by_class[i] += m_by_class[i];
    m_shared.result.instructions += m_instructions;
    m_shared.result.missing_waits += m_missing_waits;
  }

 private:
  void admit() {
    const std::uint64_t position = m_shared.next++;
    if (position >= m_shared.count || position > m_shared.fault_position)
      return;
    if (m_free.empty())
      m_free.push_back(std::make_unique<WorkgroupRun>(m_shared.launch, m_shared.options));
    m_free.back()->start(m_shared.order.index(position), position, m_shared.options.schedule_seed);
    m_resident.push_back(std::move(m_free.back()));
    m_free.pop_back();
  }

  // One slice for each; whether any of them came to its end.
  bool run_slices() {
    bool any_left = false;
    for (std::size_t i = 0; i < m_resident.size();) {
      WorkgroupRun& run = *m_resident[i];
      if (run.position() <= m_shared.fault_position) {
        const WorkgroupRun::Outcome outcome = run.run_slice(k_slice);
        if (outcome == WorkgroupRun::Outcome::unfinished) {
          ++i;
          continue;
        }
        if (outcome == WorkgroupRun::Outcome::faulted)
          m_shared.report(run.position(), run.fault());
        count(run.workgroup());
      }
      any_left = true;
      m_free.push_back(std::move(m_resident[i]));
      m_resident.erase(m_resident.begin() + std::ptrdiff_t(i));
    }
    return any_left;
  }

  void count(const Workgroup& workgroup) {
    m_time.add(workgroup);
    ++m_workgroups;
    m_waves += workgroup.waves.size();
    for (const auto& wave : workgroup.waves) {
      m_instructions += wave->executed;
      m_missing_waits += wave->missing_waits;
      for (std::size_t i = 0; i < m_by_class.size(); ++i)
        m_by_class[i] += wave->executed_by_class[i];
    }
  }

  void cancel() {
    Fault fault;
    fault.kind = FaultKind::cancelled;
    fault.kernel = m_shared.launch.dispatch->kernel->metadata.name;
    fault.explanation = "the dispatch was not finished";
    m_shared.report(0, fault);
    m_resident.clear();
  }

  Shared& m_shared;
  ModelledTime m_time;
  std::vector<std::unique_ptr<WorkgroupRun>> m_resident; // oldest first
  std::vector<std::unique_ptr<WorkgroupRun>> m_free;
  std::uint64_t m_workgroups = 0;
  std::uint64_t m_waves = 0;
  std::uint64_t m_instructions = 0;
  std::uint64_t m_missing_waits = 0;
  std::array<std::uint64_t, k_operation_class_count> m_by_class{};
};

void run_worker(Shared& shared) {
  try {
    Worker(shared).run();
  } catch (const std::bad_alloc&) {
    const std::scoped_lock lock(shared.mutex);
    shared.out_of_memory = true;
    shared.fault_position = 0;
  }
}

// As many as the host gives, up to `count`; the work is the same with fewer.
void start_helpers(Shared& shared, unsigned count, std::vector<std::thread>& helpers) {
  helpers.reserve(count);
  try {
    while (helpers.size() < count)
      helpers.emplace_back(run_worker, std::ref(shared));
  } catch (const std::system_error&) {
    return;
  }
}

unsigned thread_count(const Dispatch& dispatch, const LaunchTemplate& launch, const DispatchOptions& options) {
  const std::vector<std::uint32_t>& serial = dispatch.program->order_dependent_entries;
  if (std::find(serial.begin(), serial.end(), launch.entry) != serial.end())
    return 1;
  const unsigned allowed = options.threads != 0 ? options.threads : base::usable_processors();
  return unsigned(std::min<std::uint64_t>(allowed, dispatch.workgroup_count()));
}

} // namespace

Result<DispatchResult> run_dispatch(const Dispatch& dispatch, const DeviceModel& device,
                                    const DispatchOptions& options) {
  HK_ASSIGN_OR_RETURN(const LaunchTemplate launch, prepare_launch(dispatch, device, options.schedule_seed.value_or(0)));
  const std::uint32_t work_items = dispatch.workgroup_size[0] * dispatch.workgroup_size[1] * dispatch.workgroup_size[2];
  const std::uint64_t resident =
      std::uint64_t(device.compute_units) *
      workgroups_per_compute_unit(dispatch.kernel->descriptor, work_items, dispatch.lds_bytes(), device);
  const unsigned threads = thread_count(dispatch, launch, options);
  const std::uint64_t count = dispatch.workgroup_count();
  Shared shared{.launch = launch,
                .options = options,
                .order = DispatchOrder(count, options.schedule_seed),
                .count = count,
                .resident_limit = std::max<std::size_t>(1, resident / threads),
                .next = 0,
                .fault_position = k_no_fault,
                .mutex = {},
                .result = {},
                .time = ModelledTime(device)};
  std::vector<std::thread> helpers;
  start_helpers(shared, threads - 1, helpers);
  run_worker(shared);
  for (std::thread& helper : helpers)
    helper.join();
  if (shared.out_of_memory)
    return fail(StatusCode::out_of_memory,
                "kernel " + dispatch.kernel->metadata.name + ": the host has no memory for the registers of the waves");
  shared.result.modelled_clocks = shared.time.clocks();
  shared.result.modelled_ns = shared.time.nanoseconds();
  return std::move(shared.result);
}

} // namespace hk::sim
