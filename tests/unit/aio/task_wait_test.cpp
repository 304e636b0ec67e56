// SPDX-License-Identifier: MIT
// Task::wait and Task::wait_for: waiting for somebody else's end.

#include "aio/cancelled.hpp"
#include "aio/sleep.hpp"
#include "aio/task.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>

namespace aio::test {
namespace {

using namespace std::chrono_literals;
using Seconds = std::chrono::duration<double>;
using testing::ElementsAre;

asio::awaitable<void> fail_after(Seconds delay) {
  co_await sleep(delay);
  throw std::runtime_error("broken");
}

asio::awaitable<void> wait_and_note(Task<void> other, std::string who, Log* log) {
  co_await other.wait();
  log->push_back(who);
}

// What one call of wait_for() came to.
struct Look {
  bool is_done = false;
  std::chrono::nanoseconds time{};
  std::string outcome;
};

asio::awaitable<void> look(Task<void> other, Seconds timeout, Look* seen) {
  seen->is_done = co_await other.wait_for(timeout);
  seen->time = now();
}

// Waits for `timeout` for a task that sleeps for `duration`.
Look wait_for(Seconds timeout, Seconds duration, const std::string& schedule = "fifo") {
  VirtualLoop loop(schedule);
  Look seen;
  const Task<void> other = loop.spawn(sleep(duration));
  const Task<void> waiting = loop.spawn(look(other, timeout, &seen));
  loop.run(waiting);
  seen.outcome = outcome(waiting);
  return seen;
}

TEST(TaskWait, ThrowsNothingOfWhatTheTaskThrew) {
  VirtualLoop loop;
  const Task<void> failing = loop.spawn(fail_after(1s));
  const Task<void> waiting = loop.spawn(failing.wait());

  loop.run(waiting);

  EXPECT_EQ(outcome(waiting), "ok");
  EXPECT_EQ(now(), 1s);
}

TEST(TaskWait, ReturnsAtOnceWhenTheTaskHasEnded) {
  VirtualLoop loop;
  const Task<void> ended = loop.spawn(sleep(1s));
  loop.run(ended);

  const Task<void> waiting = loop.spawn(ended.wait());
  loop.run(waiting);

  EXPECT_EQ(now(), 1s);
}

TEST(TaskWait, WakesAllWhoWait) {
  Log log;
  VirtualLoop loop;
  const Task<void> task = loop.spawn(sleep(1s));
  loop.spawn(wait_and_note(task, "first", &log));
  loop.spawn(wait_and_note(task, "second", &log));

  loop.run_to_rest();

  EXPECT_THAT(log, ElementsAre("first", "second"));
}

TEST(TaskWait, CancelledLeavesTheOtherTaskAlone) {
  VirtualLoop loop;
  const Task<void> other = loop.spawn(sleep(5s));
  const Task<void> waiting = loop.spawn(other.wait());
  loop.spawn(after(1s, [&] { waiting.cancel(); }));

  loop.run(other);

  EXPECT_EQ(outcome(waiting), "cancelled");
  EXPECT_EQ(outcome(other), "ok");
  EXPECT_EQ(now(), 5s);
}

TEST(TaskWaitFor, SaysWhetherTheTaskHasEndedInTime) {
  const Look in_time = wait_for(2s, 1s);
  const Look too_early = wait_for(1s, 2s);

  EXPECT_TRUE(in_time.is_done);
  EXPECT_EQ(in_time.time, 1s);
  EXPECT_FALSE(too_early.is_done);
  EXPECT_EQ(too_early.time, 1s);
}

TEST(TaskWaitFor, OfZeroOrLessTakesNoTime) {
  for (const Seconds timeout : {Seconds(0), Seconds(-0.0), Seconds(-1), Seconds(-1e300),
                                -Seconds(std::numeric_limits<double>::infinity())}) {
    const Look seen = wait_for(timeout, 1s);

    EXPECT_FALSE(seen.is_done) << timeout.count();
    EXPECT_EQ(seen.time, 0s) << timeout.count();
  }
}

TEST(TaskWaitFor, ExactToTheNanosecond) {
  const Look seen = wait_for(1ns, 1s);

  EXPECT_FALSE(seen.is_done);
  EXPECT_EQ(seen.time, 1ns);
}

TEST(TaskWaitFor, OfAnySizeWaitsForTheEnd) {
  for (const Seconds timeout : {Seconds(std::numeric_limits<double>::infinity()), Seconds(1e300),
                                Seconds(9.3e9), Seconds(std::chrono::hours(24 * 365))}) {
    const Look seen = wait_for(timeout, 3s);

    EXPECT_TRUE(seen.is_done) << timeout.count();
    EXPECT_EQ(seen.time, 3s) << timeout.count();
  }
}

TEST(TaskWaitFor, RejectsNan) {
  const Look seen = wait_for(Seconds(std::numeric_limits<double>::quiet_NaN()), 1s);

  EXPECT_EQ(seen.outcome, "ValueError('a delay must not be NaN')");
}

TEST(TaskWaitFor, AtTheTaskInstantReturnsAtThatInstant) {
  under_all_schedules([](const std::string& schedule) {
    const Look seen = wait_for(1s, 1s, schedule);

    EXPECT_EQ(seen.outcome, "ok");
    EXPECT_EQ(seen.time, 1s);
  });
}

TEST(TaskWaitFor, CancelledLeavesTheOtherTaskAlone) {
  VirtualLoop loop;
  Look seen;
  const Task<void> other = loop.spawn(sleep(5s));
  const Task<void> waiting = loop.spawn(look(other, 2s, &seen));
  loop.spawn(after(1s, [&] { waiting.cancel(); }));

  loop.run(other);

  EXPECT_EQ(outcome(waiting), "cancelled");
  EXPECT_EQ(outcome(other), "ok");
}

TEST(TaskWaitFor, LeavesNoTimerBehind) {
  VirtualLoop loop;
  Look seen;
  const Task<void> other = loop.spawn(sleep(1s));
  const Task<void> waiting = loop.spawn(look(other, 1h, &seen));

  loop.run(waiting);

  EXPECT_EQ(loop.simulation().outstanding(), 0U);
}

}  // namespace
}  // namespace aio::test
