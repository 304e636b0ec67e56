// SPDX-License-Identifier: MIT
// What cancelling the caller of TaskGroup::run() does, and that the group's own cancellations stay
// inside.

#include "aio/cancelled.hpp"
#include "aio/event.hpp"
#include "aio/exception_group.hpp"
#include "aio/sleep.hpp"
#include "aio/task_group.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>

namespace aio::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

asio::awaitable<void> nap(std::string who, Log* log) {
  try {
    co_await sleep(10s);
  } catch (const Cancelled&) {
    log->push_back(who + " cancelled");
    throw;
  }
}

// Needs three seconds to end once it has been cancelled, whatever else comes.
asio::awaitable<void> end_slowly(Log* log) {
  bool is_cancelled = false;
  while (!is_cancelled) {
    try {
      co_await sleep(3s);
    } catch (const Cancelled&) {
      is_cancelled = true;
    }
  }
  co_await sleep(3s);
  log->push_back("slow end");
}

asio::awaitable<void> spawn_nap(TaskGroup* group, Log* log) {
  group->spawn(nap("child", log));
  co_return;
}

asio::awaitable<void> spawn_nap_and_nap(TaskGroup* group, Log* log) {
  group->spawn(nap("child", log));
  co_await nap("body", log);
}

asio::awaitable<void> spawn_slow(TaskGroup* group, Log* log) {
  group->spawn(end_slowly(log));
  co_return;
}

TEST(TaskGroupCancel, WhileItWaitsForTheTasksCancelsThem) {
  Log log;
  VirtualLoop loop;
  TaskGroup group;
  const Task<void> task = loop.spawn(group.run(spawn_nap(&group, &log)));
  loop.spawn(after(1s, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_THAT(log, ElementsAre("child cancelled"));
  EXPECT_EQ(now(), 1s);
}

TEST(TaskGroupCancel, WhileTheBodyWaitsCancelsBodyAndTasks) {
  Log log;
  VirtualLoop loop;
  TaskGroup group;
  const Task<void> task = loop.spawn(group.run(spawn_nap_and_nap(&group, &log)));
  loop.spawn(after(1s, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_THAT(log, ElementsAre("body cancelled", "child cancelled"));
}

TEST(TaskGroupCancel, WaitsForATaskThatEndsSlowly) {
  Log log;
  VirtualLoop loop;
  TaskGroup group;
  const Task<void> task = loop.spawn(group.run(spawn_slow(&group, &log)));
  loop.spawn(after(1s, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_THAT(log, ElementsAre("slow end"));
  EXPECT_EQ(now(), 4s);
}

TEST(TaskGroupCancel, AgainWhileItWaitsDoesNotCancelTheTasksAgain) {
  Log log;
  VirtualLoop loop;
  TaskGroup group;
  const Task<void> task = loop.spawn(group.run(spawn_slow(&group, &log)));
  loop.spawn(after(1s, [&] { task.cancel(); }));
  loop.spawn(after(2s, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_THAT(log, ElementsAre("slow end"));
  EXPECT_EQ(now(), 4s);
}

asio::awaitable<void> nap_on_timer() {
  asio::steady_timer timer(co_await asio::this_coro::executor, 10s);
  co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<void> run_and_note(TaskGroup* group, asio::awaitable<void> body, Log* log) {
  try {
    co_await group->run(std::move(body));
  } catch (const Cancelled&) {
    log->push_back("Cancelled");
  }
}

TEST(TaskGroupCancel, ComesOutAsCancelledAlsoFromAnAsioOperation) {
  Log log;
  VirtualLoop loop;
  TaskGroup group;
  const Task<void> task = loop.spawn(run_and_note(&group, nap_on_timer(), &log));
  loop.spawn(after(1s, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_THAT(log, ElementsAre("Cancelled"));
}

asio::awaitable<void> fail_at_once() {
  throw std::runtime_error("child");
  co_return;
}

asio::awaitable<void> spawn_failing_and_wait(TaskGroup* group, Event* event) {
  group->spawn(fail_at_once());
  co_await event->wait();
}

// The caller of a failed group goes on waiting as if nobody had ever been cancelled.
asio::awaitable<void> run_then_sleep(TaskGroup* group, asio::awaitable<void> body, Log* log) {
  try {
    co_await group->run(std::move(body));
  } catch (const ExceptionGroup&) {
    log->push_back("failed");
  }
  co_await sleep(1s);
  log->push_back("slept");
}

TEST(TaskGroupCancel, ByAFailingTaskIsOverWhenRunHasEnded) {
  under_all_schedules([](const std::string& schedule) {
    Log log;
    VirtualLoop loop(schedule);
    TaskGroup group;
    Event never;
    auto body = spawn_failing_and_wait(&group, &never);
    const Task<void> task = loop.spawn(run_then_sleep(&group, std::move(body), &log));

    loop.run(task);

    EXPECT_EQ(outcome(task), "ok");
    EXPECT_EQ(task.cancel_requests(), 0U);
    EXPECT_THAT(log, ElementsAre("failed", "slept"));
  });
}

asio::awaitable<void> set_and_fail(Event* event) {
  event->set();
  throw std::runtime_error("child");
  co_return;
}

asio::awaitable<void> spawn_setting_and_wait(TaskGroup* group, Event* event) {
  group->spawn(set_and_fail(event));
  co_await event->wait();
}

// The body was woken before it was cancelled and waits for nothing more: the cancellation that the
// group sent it must not reach whoever called run().
TEST(TaskGroupCancel, OfABodyThatIsAboutToReturnIsOverWhenRunHasEnded) {
  under_all_schedules([](const std::string& schedule) {
    Log log;
    VirtualLoop loop(schedule);
    TaskGroup group;
    Event event;
    auto body = spawn_setting_and_wait(&group, &event);
    const Task<void> task = loop.spawn(run_then_sleep(&group, std::move(body), &log));

    loop.run(task);

    EXPECT_EQ(outcome(task), "ok");
    EXPECT_THAT(log, ElementsAre("failed", "slept"));
  });
}

asio::awaitable<void> run_outside(TaskGroup* group) { co_await group->run(fail_at_once()); }

TEST(TaskGroupRun, OutsideATaskFails) {
  VirtualLoop loop;
  TaskGroup group;
  std::exception_ptr error;
  auto keep = [&error](const std::exception_ptr& thrown) { error = thrown; };

  asio::co_spawn(loop.executor(), run_outside(&group), keep);
  loop.run_to_rest();

  EXPECT_EQ(outcome(error), "RuntimeError('no running task')");
}

}  // namespace
}  // namespace aio::test
