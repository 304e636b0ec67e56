// SPDX-License-Identifier: MIT
// How a simulation runs, comes to rest and ends; virtual_clock_test.cpp has its time.

#include "driver/sim/simulation.hpp"

#include "tests/unit/sim/simulated.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/defer.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sim::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

using Log = std::vector<std::string>;

asio::awaitable<void> wait(std::chrono::nanoseconds delay) {
  asio::steady_timer timer(co_await asio::this_coro::executor, delay);
  co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<void> wait_holding(std::shared_ptr<int> held) {
  co_await wait(1h);
  *held = 1;
}

void post_for_ever(const asio::any_io_executor& executor) {
  asio::post(executor, [executor] { post_for_ever(executor); });
}

TEST(Simulation, RunsNothingBeforeItIsTold) {
  Simulated simulation;
  bool has_run = false;

  asio::post(simulation.executor(), [&] { has_run = true; });
  asio::dispatch(simulation.executor(), [&] { has_run = true; });
  EXPECT_FALSE(has_run);

  simulation.run();
  EXPECT_TRUE(has_run);
}

TEST(Simulation, DispatchesAtOnceInsideAStep) {
  Log log;
  Simulated simulation;
  const asio::any_io_executor executor = simulation.executor();
  asio::post(executor, [&] {
    asio::post(executor, [&] { log.push_back("posted"); });
    asio::defer(executor, [&] { log.push_back("deferred"); });
    asio::dispatch(executor, [&] { log.push_back("dispatched"); });
    log.push_back("step");
  });

  simulation.run();

  EXPECT_THAT(log, ElementsAre("dispatched", "step", "posted", "deferred"));
}

TEST(Simulation, DoesNotRunATimersHandlerInsideItsOwnPoll) {
  Simulated simulation;
  bool was_in_step = false;
  asio::steady_timer timer(simulation.executor(), 1s);
  timer.async_wait([&](boost::system::error_code) { was_in_step = simulation->is_in_step(); });

  simulation.run();

  EXPECT_TRUE(was_in_step);
}

TEST(Simulation, StopsRightAfterTheStepThatItWaitedFor) {
  Simulated simulation;
  bool is_finished = false;
  bool went_on = false;
  asio::post(simulation.executor(), [&] { is_finished = true; });
  asio::post(simulation.executor(), [&] { went_on = true; });

  EXPECT_EQ(simulation->run_until(is_finished), RunEnd::finished);

  EXPECT_FALSE(went_on);
  EXPECT_EQ(simulation->steps(), 1U);
}

TEST(Simulation, RunsNothingWhenWhatItWaitsForIsThere) {
  Simulated simulation;
  const bool is_finished = true;
  post_for_ever(simulation.executor());

  EXPECT_EQ(simulation->run_until(is_finished), RunEnd::finished);

  EXPECT_EQ(simulation->steps(), 0U);
}

TEST(Simulation, IsIdleWhenNobodyCanGoOn) {
  Simulated simulation;
  const bool is_finished = false;
  asio::co_spawn(simulation.executor(), wait(5s), asio::detached);

  EXPECT_EQ(simulation->run_until(is_finished), RunEnd::idle);
}

TEST(Simulation, IsIdleWhenTheNextTimerIsBeyondItsEnd) {
  Simulation::Limits limits;
  limits.end_ns = std::chrono::nanoseconds(10s).count();
  Simulated simulation("fifo", limits);
  bool has_fired = false;
  asio::steady_timer timer(simulation.executor(), 11s);
  timer.async_wait([&](boost::system::error_code) { has_fired = true; });

  EXPECT_EQ(simulation->run_until(has_fired), RunEnd::idle);
  EXPECT_FALSE(has_fired);
}

TEST(Simulation, CallsTooManyStepsALivelock) {
  Simulation::Limits limits;
  limits.steps = 100;
  Simulated simulation("fifo", limits);
  const bool is_finished = false;
  post_for_ever(simulation.executor());

  EXPECT_EQ(simulation->run_until(is_finished), RunEnd::livelock);

  EXPECT_EQ(simulation->steps(), 100U);
}

asio::awaitable<void> wait_for_nothing() {
  for (;;) co_await wait(0ns);
}

TEST(Simulation, CallsTimersThatNeverMoveTheTimeALivelock) {
  Simulation::Limits limits;
  limits.steps = 100;
  Simulated simulation("fifo", limits);
  const bool is_finished = false;
  asio::co_spawn(simulation.executor(), wait_for_nothing(), asio::detached);

  EXPECT_EQ(simulation->run_until(is_finished), RunEnd::livelock);
}

TEST(Simulation, LetsAnExceptionOutOfAStep) {
  Simulated simulation;
  bool has_run = false;
  asio::post(simulation.executor(), [] { throw std::runtime_error("broken"); });
  asio::post(simulation.executor(), [&] { has_run = true; });

  EXPECT_THROW(simulation.run(), std::runtime_error);
  EXPECT_FALSE(simulation->is_in_step());
  EXPECT_FALSE(has_run);

  simulation.run();
  EXPECT_TRUE(has_run);
}

TEST(SimulationOutstanding, CountsARawCoSpawnUntilItEnds) {
  Simulated simulation;
  EXPECT_EQ(simulation->outstanding(), 0U);

  asio::co_spawn(simulation.executor(), wait(1s), asio::detached);
  EXPECT_GT(simulation->outstanding(), 0U);

  simulation.run();
  EXPECT_EQ(simulation->outstanding(), 0U);
}

TEST(SimulationOutstanding, CountsACoroutineThatNeverEnds) {
  Simulated simulation;
  asio::steady_timer never(simulation.executor(), asio::steady_timer::time_point::max());
  auto wait_on = [](asio::steady_timer* timer) -> asio::awaitable<void> {
    co_await timer->async_wait(asio::use_awaitable);
  };
  asio::co_spawn(simulation.executor(), wait_on(&never), asio::detached);

  simulation.run();

  EXPECT_GT(simulation->outstanding(), 0U);
}

TEST(SimulationOutstanding, DoesNotCountACancelledOperation) {
  Simulated simulation;
  asio::steady_timer timer(simulation.executor(), 1h);
  timer.async_wait([](boost::system::error_code) {});
  EXPECT_EQ(simulation->outstanding(), 1U);

  timer.cancel();

  EXPECT_EQ(simulation->outstanding(), 0U);
}

TEST(SimulationOutstanding, IsReleasedByACancelledCoSpawn) {
  Simulated simulation;
  asio::cancellation_signal signal;
  asio::co_spawn(simulation.executor(), wait(1h),
                 asio::bind_cancellation_slot(signal.slot(), asio::detached));
  simulation.run(1);

  signal.emit(asio::cancellation_type::terminal);
  simulation.run();

  EXPECT_EQ(simulation->outstanding(), 0U);
}

TEST(SimulationEnd, DestroysSuspendedCoroutines) {
  const auto held = std::make_shared<int>(0);
  {
    Simulated simulation;
    for (int i = 0; i < 5; ++i) {
      asio::co_spawn(simulation.executor(), wait_holding(held), asio::detached);
    }
    simulation.run(5);
    EXPECT_EQ(held.use_count(), 6);
  }

  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(*held, 0);
}

TEST(SimulationEnd, DestroysStepsThatNeverRan) {
  const auto held = std::make_shared<int>(0);
  {
    Simulated simulation;
    asio::post(simulation.executor(), [held] { *held = 1; });
    asio::co_spawn(simulation.executor(), wait_holding(held), asio::detached);
  }

  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(*held, 0);
}

TEST(SimulationEnd, LeavesNothingToTheNextOne) {
  {
    Simulated first;
    asio::co_spawn(first.executor(), wait(1s), asio::detached);
    first.run();
  }
  Simulated second;

  EXPECT_EQ(clock::now_ns(), 0);
  EXPECT_EQ(second->steps(), 0U);
  EXPECT_EQ(second->outstanding(), 0U);
}

}  // namespace
}  // namespace sim::test
