// SPDX-License-Identifier: MIT
// Virtual time: it stands still until nothing is ready, and then jumps to the next timer.

#include "driver/sim/virtual_clock.hpp"

#include "tests/unit/sim/simulated.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/system_timer.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <sys/time.h>
#include <time.h>
#include <vector>

namespace sim::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

using Nanoseconds = std::chrono::nanoseconds;

// When timers that are started together fire, in the order in which they do.
std::vector<std::int64_t> firing_times(const std::vector<Nanoseconds>& delays,
                                       const std::string& schedule = "fifo") {
  Simulated simulation(schedule);
  std::vector<std::int64_t> times;
  std::vector<std::unique_ptr<asio::steady_timer>> timers;
  for (const Nanoseconds delay : delays) {
    timers.push_back(std::make_unique<asio::steady_timer>(simulation.executor(), delay));
    timers.back()->async_wait(
        [&times](boost::system::error_code) { times.push_back(clock::now_ns()); });
  }
  simulation.run();
  return times;
}

TEST(VirtualClock, FiresATimerAtItsOwnNanosecond) {
  for (const Nanoseconds delay :
       {Nanoseconds(1ns), Nanoseconds(999ns), Nanoseconds(1us), Nanoseconds(1001ns),
        Nanoseconds(1ms), Nanoseconds(5min) + 7ns, Nanoseconds(1h), Nanoseconds(50h) + 999ns}) {
    EXPECT_THAT(firing_times({delay}), ElementsAre(delay.count()));
  }
}

TEST(VirtualClock, KeepsTimersApartThatAreOneNanosecondApart) {
  EXPECT_THAT(firing_times({1'000'002ns, 1'000'000ns, 1'000'001ns}, "lifo"),
              ElementsAre(1'000'000, 1'000'001, 1'000'002));
}

TEST(VirtualClock, FiresEqualTimersAtOneInstant) {
  EXPECT_THAT(firing_times({3s, 3s, 3s}), ElementsAre(3'000'000'000, 3'000'000'000, 3'000'000'000));
}

TEST(VirtualClock, StandsStillWhileSomethingIsReady) {
  Simulated simulation;
  std::int64_t time_of_last_step = -1;
  asio::steady_timer timer(simulation.executor(), 1ns);
  timer.async_wait([](boost::system::error_code) {});
  for (int i = 0; i < 100; ++i) {
    asio::post(simulation.executor(), [&] { time_of_last_step = clock::now_ns(); });
  }

  simulation.run();

  EXPECT_EQ(time_of_last_step, 0);
}

TEST(VirtualClock, SkipsATimerThatWasCancelled) {
  Simulated simulation;
  std::vector<std::int64_t> times;
  asio::steady_timer cancelled(simulation.executor(), 1s);
  asio::steady_timer other(simulation.executor(), 2s);
  cancelled.async_wait([&](boost::system::error_code) { times.push_back(clock::now_ns()); });
  other.async_wait([&](boost::system::error_code) { times.push_back(clock::now_ns()); });

  cancelled.cancel();
  simulation.run();

  EXPECT_THAT(times, ElementsAre(0, 2'000'000'000));
}

TEST(VirtualClock, DrivesTimersOfTheCalendarToo) {
  Simulated simulation;
  std::int64_t time = -1;
  asio::system_timer timer(simulation.executor(), std::chrono::system_clock::now() + 3s);
  timer.async_wait([&](boost::system::error_code) { time = clock::now_ns(); });

  simulation.run();

  EXPECT_EQ(time, 3'000'000'000);
}

TEST(VirtualClock, IsWhatEveryClockShows) {
  Simulated simulation;
  asio::steady_timer timer(simulation.executor(), 1500ms);
  timer.async_wait([](boost::system::error_code) {});
  bool has_fired = false;
  timer.async_wait([&](boost::system::error_code) { has_fired = true; });
  simulation->run_until(has_fired);

  timeval calendar{};
  gettimeofday(&calendar, nullptr);
  EXPECT_EQ(std::chrono::steady_clock::now().time_since_epoch(), 1500ms);
  EXPECT_EQ(std::chrono::system_clock::now().time_since_epoch(), 1'000'000'000s + 1500ms);
  EXPECT_EQ(::time(nullptr), 1'000'000'001);
  EXPECT_EQ(calendar.tv_sec, 1'000'000'001);
  EXPECT_EQ(calendar.tv_usec, 500'000);
}

TEST(VirtualClock, LeavesTheTimeSpentByTheProcessReal) {
  Simulated simulation;
  timespec spent{};

  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);

  EXPECT_GT(spent.tv_sec * 1'000'000'000 + spent.tv_nsec, 0);
}

TEST(VirtualClock, IsRealAgainWhenItIsStopped) {
  {
    Simulated simulation;
    EXPECT_TRUE(clock::is_virtual());
    EXPECT_EQ(std::chrono::steady_clock::now().time_since_epoch(), 0s);
  }

  EXPECT_FALSE(clock::is_virtual());
  EXPECT_GT(std::chrono::steady_clock::now().time_since_epoch(), 0s);
}

TEST(VirtualClock, HasNoAlarmBeforeTheFirstTimer) {
  Simulated simulation;

  EXPECT_EQ(clock::next_alarm_ns(), std::nullopt);
}

}  // namespace
}  // namespace sim::test
