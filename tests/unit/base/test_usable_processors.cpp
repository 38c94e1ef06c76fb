#include <doctest/doctest.h>

#include <sched.h>

#include <thread>

#include "base/usable_processors.h"

using hk::base::usable_processors;

TEST_SUITE_BEGIN("base.usable_processors");

TEST_CASE("the affinity mask counts, not the machine") {
  cpu_set_t all;
  REQUIRE(::sched_getaffinity(0, sizeof all, &all) == 0);
  CHECK(usable_processors() == static_cast<unsigned>(CPU_COUNT(&all)));

  unsigned counted = 0;
  std::thread([&all, &counted] { // a mask of its own, gone with the thread
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int i = CPU_SETSIZE - 1; i >= 0 && CPU_COUNT(&one) == 0; --i)
      if (CPU_ISSET(i, &all))
        CPU_SET(i, &one);
    if (::sched_setaffinity(0, sizeof one, &one) == 0)
      counted = usable_processors();
  })
      .join();
  CHECK(counted == 1);
}

TEST_SUITE_END();
