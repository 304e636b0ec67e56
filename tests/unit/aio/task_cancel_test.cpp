// SPDX-License-Identifier: MIT
// What a cancellation does to a task, at every moment of its life.

#include "aio/cancelled.hpp"
#include "aio/event.hpp"
#include "aio/sleep.hpp"
#include "aio/task.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>

namespace aio::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

asio::awaitable<int> nap(Log* log) {
  log->push_back("start");
  co_await sleep(10s);
  log->push_back("end");
  co_return 1;
}

// Sleeps `times` times and writes down how each sleep ended.
asio::awaitable<int> stubborn(Log* log, int times) {
  for (int i = 0; i < times; ++i) {
    try {
      co_await sleep(1s);
      log->push_back("slept");
    } catch (const Cancelled&) {
      log->push_back("cancelled");
    }
  }
  co_return times;
}

TEST(TaskCancel, BeforeTheFirstStepKeepsTheBodyFromStarting) {
  under_all_schedules([](const std::string& schedule) {
    Log log;
    VirtualLoop loop(schedule);
    const Task<int> task = loop.spawn(nap(&log));

    EXPECT_TRUE(task.cancel());
    EXPECT_EQ(loop.run(task), sim::RunEnd::finished);

    EXPECT_EQ(outcome(task), "cancelled");
    EXPECT_TRUE(log.empty());
  });
}

TEST(TaskCancel, EndsASleepAtOnce) {
  Log log;
  VirtualLoop loop;
  const Task<int> task = loop.spawn(nap(&log));
  loop.spawn(after(3s, [&] { EXPECT_TRUE(task.cancel()); }));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_THAT(log, ElementsAre("start"));
  EXPECT_EQ(now(), 3s);
  EXPECT_THROW(task.result(), Cancelled);
  EXPECT_THROW(task.exception(), Cancelled);
}

TEST(TaskCancel, OfAFinishedTaskDoesNothing) {
  VirtualLoop loop;
  Log log;
  const Task<int> task = loop.spawn(stubborn(&log, 1));
  loop.run(task);

  EXPECT_FALSE(task.cancel());

  EXPECT_EQ(task.cancel_requests(), 0U);
  EXPECT_EQ(task.result(), 1);
}

TEST(TaskCancel, IsDeliveredOnceToATaskThatGoesOn) {
  Log log;
  VirtualLoop loop;
  const Task<int> task = loop.spawn(stubborn(&log, 3));
  loop.spawn(after(500ms, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_THAT(log, ElementsAre("cancelled", "slept", "slept"));
  EXPECT_EQ(task.result(), 3);
  EXPECT_EQ(now(), 2500ms);
}

TEST(TaskCancel, ReachesATaskAgainAfterItWasCaught) {
  Log log;
  VirtualLoop loop;
  const Task<int> task = loop.spawn(stubborn(&log, 3));
  loop.spawn(after(500ms, [&] { task.cancel(); }));
  loop.spawn(after(600ms, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_THAT(log, ElementsAre("cancelled", "cancelled", "slept"));
  EXPECT_EQ(task.cancel_requests(), 2U);
}

void cancel_twice(const Task<int>& task) {
  task.cancel();
  task.cancel();
}

TEST(TaskCancel, TwiceInOneInstantIsDeliveredOnce) {
  under_all_schedules([](const std::string& schedule) {
    Log log;
    VirtualLoop loop(schedule);
    const Task<int> task = loop.spawn(stubborn(&log, 3));
    loop.spawn(after(500ms, [&] { cancel_twice(task); }));

    loop.run(task);

    EXPECT_THAT(log, ElementsAre("cancelled", "slept", "slept"));
    EXPECT_EQ(task.cancel_requests(), 2U);
  });
}

TEST(TaskCancel, CountsTheRequestsLessThoseTakenBack) {
  VirtualLoop loop;
  Log log;
  const Task<int> task = loop.spawn(nap(&log));

  cancel_twice(task);

  EXPECT_EQ(task.cancel_requests(), 2U);
  EXPECT_EQ(task.uncancel(), 1U);
  EXPECT_EQ(task.uncancel(), 0U);
  EXPECT_EQ(task.uncancel(), 0U);
}

asio::awaitable<int> cancel_and_take_back(const Task<int>* self) {
  self->cancel();
  self->uncancel();
  co_await sleep(1s);
  co_return 1;
}

TEST(TaskCancel, TakenBackBeforeItWasDeliveredDoesNothing) {
  VirtualLoop loop;
  Task<int> task;
  task = loop.spawn(cancel_and_take_back(&task));

  loop.run(task);

  EXPECT_EQ(outcome(task), "ok");
}

asio::awaitable<void> wait_then_sleep(Event* event, Log* log) {
  co_await event->wait();
  log->push_back("woken");
  co_await sleep(5s);
  log->push_back("slept");
}

TEST(TaskCancel, AfterAWaitHasEndedReachesTheNextWait) {
  Log log;
  VirtualLoop loop;
  Event event;
  const Task<void> task = loop.spawn(wait_then_sleep(&event, &log));
  loop.run_to_rest();

  event.set();
  task.cancel();
  loop.run(task);

  EXPECT_THAT(log, ElementsAre("woken"));
  EXPECT_EQ(outcome(task), "cancelled");
}

TEST(TaskCancel, BeforeTheWaitEndsWins) {
  Log log;
  VirtualLoop loop;
  Event event;
  const Task<void> task = loop.spawn(wait_then_sleep(&event, &log));
  loop.run_to_rest();

  task.cancel();
  event.set();
  loop.run(task);

  EXPECT_TRUE(log.empty());
  EXPECT_EQ(outcome(task), "cancelled");
}

asio::awaitable<int> cancel_self(const Task<int>* self, Log* log) {
  self->cancel();
  log->push_back("still running");
  co_await sleep(1s);
  log->push_back("slept");
  co_return 1;
}

TEST(TaskCancel, OfItselfReachesItsNextWait) {
  Log log;
  VirtualLoop loop;
  Task<int> task;
  task = loop.spawn(cancel_self(&task, &log));

  loop.run(task);

  EXPECT_THAT(log, ElementsAre("still running"));
  EXPECT_EQ(outcome(task), "cancelled");
}

asio::awaitable<int> cancel_self_and_return(const Task<int>* self) {
  self->cancel();
  co_return 1;
}

asio::awaitable<int> cancel_self_and_fail(const Task<int>* self) {
  self->cancel();
  throw std::runtime_error("broken");
  co_return 1;
}

TEST(TaskCancel, InTheLastStepDiscardsTheResult) {
  VirtualLoop loop;
  Task<int> task;
  task = loop.spawn(cancel_self_and_return(&task));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_THROW(task.result(), Cancelled);
}

TEST(TaskCancel, InTheLastStepDoesNotHideAFailure) {
  VirtualLoop loop;
  Task<int> task;
  task = loop.spawn(cancel_self_and_fail(&task));

  loop.run(task);

  EXPECT_EQ(outcome(task), "RuntimeError('broken')");
}

}  // namespace
}  // namespace aio::test
