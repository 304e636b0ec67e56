// SPDX-License-Identifier: MIT

#include "aio/timeout.hpp"

#include "aio/cancelled.hpp"
#include "aio/sleep.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

namespace aio::test {
namespace {

using namespace std::chrono_literals;
using Seconds = std::chrono::duration<double>;
using testing::ElementsAre;

const char* const timed_out = "TimeoutError('timed out')";

asio::awaitable<std::unique_ptr<int>> give_after(Seconds delay) {
  co_await sleep(delay);
  co_return std::make_unique<int>(1);
}

asio::awaitable<void> fail_after(Seconds delay) {
  co_await sleep(delay);
  throw std::invalid_argument("broken");
}

// When cancelled it takes two seconds to end, and then does what `how` says.
asio::awaitable<void> end_late(std::string how, Log* log) {
  try {
    co_await sleep(60s);
  } catch (const Cancelled&) {
    log->push_back("cancelled");
  }
  co_await sleep(2s);
  if (how == "fail") throw std::invalid_argument("late");
}

asio::awaitable<void> note(Log* log) {
  log->push_back("started");
  co_return;
}

TEST(Timeout, GivesWhatTheBodyReturnsInTime) {
  VirtualLoop loop;
  const auto task = loop.spawn(timeout(2s, give_after(1s)));

  loop.run(task);

  EXPECT_EQ(*task.result(), 1);
  EXPECT_EQ(now(), 1s);
}

TEST(Timeout, ThrowsWhatTheBodyThrowsInTime) {
  EXPECT_EQ(run_virtually(timeout(2s, fail_after(1s))).outcome, "ValueError('broken')");
}

TEST(Timeout, CancelsTheBodyWhenTheTimeIsUp) {
  const RunResult run = run_virtually(timeout(1s, sleep(60s)));

  EXPECT_EQ(run.outcome, timed_out);
  EXPECT_EQ(run.time, 1s);
}

TEST(Timeout, WaitsForTheCleanupOfTheBody) {
  for (const std::string how : {"return", "fail"}) {
    Log log;

    const RunResult run = run_virtually(timeout(1s, end_late(how, &log)));

    EXPECT_EQ(run.outcome, timed_out);
    EXPECT_EQ(run.time, 3s);
    EXPECT_THAT(log, ElementsAre("cancelled"));
  }
}

TEST(Timeout, WithoutALimitWaitsForTheBody) {
  const Seconds infinity(std::numeric_limits<double>::infinity());

  const RunResult run = run_virtually(timeout(infinity, sleep(1h)));

  EXPECT_EQ(run.outcome, "ok");
  EXPECT_EQ(run.time, 1h);
}

TEST(Timeout, RejectsNanBeforeTheBodyStarts) {
  Log log;
  const Seconds nan(std::numeric_limits<double>::quiet_NaN());

  const RunResult run = run_virtually(timeout(nan, note(&log)));

  EXPECT_EQ(run.outcome, "ValueError('a delay must not be NaN')");
  EXPECT_TRUE(log.empty());
}

TEST(Timeout, OfABodyThatEndsAtThatInstantGoesEitherWay) {
  under_all_schedules([](const std::string& schedule) {
    const RunResult run = run_virtually(timeout(1s, sleep(1s)), schedule);

    EXPECT_TRUE(run.outcome == "ok" || run.outcome == timed_out) << run.outcome;
    EXPECT_EQ(run.time, 1s);
  });
}

TEST(TimeoutCancel, CancelsTheBodyAndWaitsForIt) {
  Log log;
  VirtualLoop loop;
  const Task<void> task = loop.spawn(timeout(30s, end_late("return", &log)));
  loop.spawn(after(1s, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_THAT(log, ElementsAre("cancelled"));
  EXPECT_EQ(now(), 3s);
}

TEST(TimeoutCancel, AgainStillWaitsForTheBody) {
  Log log;
  VirtualLoop loop;
  const Task<void> task = loop.spawn(timeout(30s, end_late("return", &log)));
  for (const auto when : {1s, 2s}) loop.spawn(after(when, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_THAT(log, ElementsAre("cancelled"));
  EXPECT_EQ(now(), 3s);
}

TEST(TimeoutCancel, DuringTheCleanupAfterTheTimeWasUpWins) {
  Log log;
  VirtualLoop loop;
  const Task<void> task = loop.spawn(timeout(1s, end_late("return", &log)));
  loop.spawn(after(2s, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_EQ(now(), 3s);
}

}  // namespace
}  // namespace aio::test
