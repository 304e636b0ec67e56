// SPDX-License-Identifier: MIT
// Plain Asio inside an aio task, and aio inside a plain Asio coroutine.

#include "aio/cancelled.hpp"
#include "aio/queue.hpp"
#include "aio/sleep.hpp"
#include "aio/task.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace aio::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

asio::awaitable<void> wait_on_timer(std::chrono::nanoseconds delay) {
  asio::steady_timer timer(co_await asio::this_coro::executor, delay);
  co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<void> stubborn_timers(Log* log) {
  for (int i = 0; i < 3; ++i) {
    try {
      co_await wait_on_timer(1s);
      log->push_back("waited");
    } catch (const boost::system::system_error& error) {
      EXPECT_EQ(error.code(), asio::error::operation_aborted);
      log->push_back("aborted");
    }
  }
}

TEST(AsioTimerInATask, SeesACancellationOnce) {
  Log log;
  VirtualLoop loop;
  const Task<void> task = loop.spawn(stubborn_timers(&log));
  loop.spawn(after(500ms, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_THAT(log, ElementsAre("aborted", "waited", "waited"));
  EXPECT_EQ(outcome(task), "ok");
  EXPECT_EQ(now(), 2500ms);
}

TEST(AsioTimerInATask, SeesASecondCancellationToo) {
  Log log;
  VirtualLoop loop;
  const Task<void> task = loop.spawn(stubborn_timers(&log));
  loop.spawn(after(500ms, [&] { task.cancel(); }));
  loop.spawn(after(700ms, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_THAT(log, ElementsAre("aborted", "aborted", "waited"));
}

TEST(AsioTimerInATask, EndsTheTaskAsCancelled) {
  VirtualLoop loop;
  const Task<void> task = loop.spawn(wait_on_timer(1s));
  loop.spawn(after(500ms, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_THROW(task.result(), Cancelled);
}

asio::awaitable<void> timer_then_sleep(Log* log) {
  co_await wait_on_timer(1s);
  log->push_back("waited");
  co_await sleep(1s);
  log->push_back("slept");
}

// Whether the timer or the cancellation comes first is the schedule's choice; neither gets lost.
TEST(AsioTimerInATask, LosesNoCancellationOfTheSameInstant) {
  under_all_schedules([](const std::string& schedule) {
    Log log;
    VirtualLoop loop(schedule);
    const Task<void> task = loop.spawn(timer_then_sleep(&log));
    loop.spawn(after(1s, [&] { task.cancel(); }));

    loop.run(task);

    EXPECT_EQ(outcome(task), "cancelled");
    EXPECT_EQ(now(), 1s);
  });
}

// A raw co_spawn on the task's executor shares the task's steps; it catches every cancellation.
asio::awaitable<void> stubborn_sleeps(Log* log) {
  for (int i = 0; i < 4; ++i) {
    try {
      co_await sleep(1s);
      log->push_back("slept");
    } catch (const Cancelled&) {
      log->push_back("cancelled");
    }
  }
}

asio::awaitable<void> await_on(asio::any_io_executor executor, Log* log) {
  co_await asio::co_spawn(executor, stubborn_sleeps(log), asio::use_awaitable);
}

TEST(RawCoSpawnAwaitedByATask, GetsEveryCancellationOfTheTask) {
  Log log;
  VirtualLoop loop;
  const Task<void> task = loop.spawn(await_on(loop.executor(), &log));
  for (const auto when : {500ms, 600ms, 700ms}) {
    loop.spawn(after(when, [&] { task.cancel(); }));
  }

  loop.run(task);

  EXPECT_THAT(log, ElementsAre("cancelled", "cancelled", "cancelled", "slept"));
  EXPECT_EQ(outcome(task), "ok");
}

TEST(SleepInARawCoSpawn, IsCancelledOnceByASignal) {
  Log log;
  VirtualLoop loop;
  asio::cancellation_signal signal;
  asio::co_spawn(loop.executor(), stubborn_sleeps(&log),
                 asio::bind_cancellation_slot(signal.slot(), asio::detached));
  loop.spawn(after(500ms, [&] { signal.emit(asio::cancellation_type::terminal); }));

  loop.run_to_rest();

  EXPECT_THAT(log, ElementsAre("cancelled", "slept", "slept", "slept"));
}

asio::awaitable<void> spawn_outside(Log* log) {
  try {
    spawn(stubborn_sleeps(log));
  } catch (const std::runtime_error& error) {
    log->push_back(error.what());
  }
  co_return;
}

TEST(SpawnInARawCoSpawn, FindsNoRunningTask) {
  Log log;
  VirtualLoop loop;

  asio::co_spawn(loop.executor(), spawn_outside(&log), asio::detached);
  loop.run_to_rest();

  EXPECT_THAT(log, ElementsAre("no running task"));
}

asio::awaitable<void> get_or_give_up(Queue<int>* queue, bool* has_got) {
  using namespace asio::experimental::awaitable_operators;
  const auto first = co_await (queue->get() || wait_on_timer(1s));
  *has_got = first.index() == 0;
}

asio::awaitable<void> put_at(Queue<int>* queue, std::chrono::seconds when) {
  co_await sleep(when);
  co_await queue->put(1);
}

TEST(QueueGetInAnAlternative, LosesNoValueToATimerOfTheSameInstant) {
  under_all_schedules([](const std::string& schedule) {
    VirtualLoop loop(schedule);
    Queue<int> queue;
    bool has_got = false;
    loop.spawn(get_or_give_up(&queue, &has_got));
    loop.spawn(put_at(&queue, 1s));

    loop.run_to_rest();

    EXPECT_EQ(queue.size(), has_got ? 0U : 1U);
  });
}

}  // namespace
}  // namespace aio::test
