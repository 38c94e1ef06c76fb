#pragma once
// Progress: shows on a terminal what is going on and for how long; writes nothing anywhere else.

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace hk::command {

class Progress {
 public:
  // Shows on stderr if that is a terminal.
  Progress();
  // Removes the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // What begins now, e.g. "computing the reference".
  void phase(const std::string& text);

 private:
  void show();

  bool m_terminal;
  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::string m_text;
  bool m_end = false;
  std::thread m_thread;
};

} // namespace hk::command
