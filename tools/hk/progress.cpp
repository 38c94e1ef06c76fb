#include "progress.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace hk::command {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto k_period = std::chrono::milliseconds(200);
constexpr const char* k_erase_line = "\r\033[K";

} // namespace

Progress::Progress() : m_terminal(isatty(STDERR_FILENO) == 1) {
  if (m_terminal)
    m_thread = std::thread(&Progress::show, this);
}

Progress::~Progress() {
  if (!m_terminal)
    return;
  {
    const std::lock_guard lock(m_mutex);
    m_end = true;
  }
  m_wake.notify_all();
  m_thread.join();
}

void Progress::phase(const std::string& text) {
  if (!m_terminal)
    return;
  const std::lock_guard lock(m_mutex);
  m_text = text;
}

void Progress::show() {
  const Clock::time_point start = Clock::now();
  std::unique_lock lock(m_mutex);
  while (!m_wake.wait_for(lock, k_period, [this] { return m_end; })) {
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    std::fprintf(stderr, "%s%s ... %.0f s", k_erase_line, m_text.c_str(), elapsed.count());
  }
  std::fputs(k_erase_line, stderr);
}

} // namespace hk::command
