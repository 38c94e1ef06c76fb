#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "device/used_streams.h"

TEST_SUITE_BEGIN("device");

using hk::device::Stream;
using hk::device::UsedStreams;

namespace {

Stream stream_at(std::uintptr_t address) {
  return reinterpret_cast<Stream>(address); // NOLINT(performance-no-int-to-ptr): a handle that nobody follows
}

std::vector<Stream> sorted(std::vector<Stream> streams) {
  std::sort(streams.begin(), streams.end());
  return streams;
}

} // namespace

TEST_CASE("device.used_streams: each stream is listed once, the default stream too") {
  UsedStreams streams;
  CHECK(streams.list().empty());
  // The first two begin their search at the same slot of 256.
  const std::vector<Stream> used = {nullptr, stream_at(0x10000), stream_at(0x10000 + 256 * 16), stream_at(0x10010)};
  for (int round = 0; round < 3; ++round)
    for (const Stream stream : used)
      streams.note(stream);
  CHECK(sorted(streams.list()) == sorted(used));
  CHECK(streams.complete());
}

TEST_CASE("device.used_streams: a forgotten stream is not listed, and the others still are") {
  UsedStreams streams;
  const std::vector<Stream> used = {stream_at(0x10000), stream_at(0x10000 + 256 * 16), stream_at(0x10010)};
  for (const Stream stream : used)
    streams.note(stream);
  streams.forget(used[0]);
  CHECK(sorted(streams.list()) == std::vector<Stream>{used[2], used[1]});
  streams.note(used[1]); // takes the place that is free, and has its own still
  streams.forget(used[1]);
  CHECK(streams.list() == std::vector<Stream>{used[2]});
}

TEST_CASE("device.used_streams: it says when there were too many") {
  UsedStreams streams;
  for (std::uintptr_t i = 1; i <= 256; ++i)
    streams.note(stream_at(i * 64));
  CHECK(streams.complete());
  CHECK(streams.list().size() == 256);
  streams.note(stream_at(64)); // known
  CHECK(streams.complete());
  streams.note(stream_at(64000));
  CHECK(!streams.complete());
}

TEST_CASE("device.used_streams: threads that note the same streams at once lose none") {
  UsedStreams streams;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (std::uintptr_t i = 1; i <= 200; ++i)
        streams.note(stream_at(i * 256)); // 16 first slots for all of them
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(streams.list().size() == 200);
  CHECK(streams.complete());
}

TEST_SUITE_END();
