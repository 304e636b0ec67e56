// SPDX-License-Identifier: MIT
// A loop that is destroyed with coroutines suspended everywhere: their locals are destroyed, and
// nothing is used after it is gone. AddressSanitizer sees what these tests cannot.

#include "aio/async_generator.hpp"
#include "aio/event.hpp"
#include "aio/queue.hpp"
#include "aio/sleep.hpp"
#include "aio/task.hpp"
#include "aio/task_group.hpp"
#include "aio/timeout.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace aio::test {
namespace {

using namespace std::chrono_literals;

// Counts how many of it are alive.
class Counted {
 public:
  explicit Counted(int* alive) : alive_(alive) { ++*alive_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --*alive_; }

 private:
  int* alive_;
};

// Everything that tasks may wait for; the tasks share it.
struct World {
  explicit World(int* counter) : alive(counter) {}
  int* alive;
  Event event;
  Queue<int> empty;
  Queue<int> full{1};
};

using Shared = std::shared_ptr<World>;

asio::awaitable<void> hold(Shared world, asio::awaitable<void> wait) {
  const Counted counted(world->alive);
  co_await std::move(wait);
}

asio::awaitable<void> wait_on_timer() {
  asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
  co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<void> get(Shared world) { co_await world->empty.get(); }

AsyncGenerator<int> generate(Shared world) {
  const Counted counted(world->alive);
  co_yield 1;
  co_await sleep(1h);
}

asio::awaitable<void> read(AsyncGenerator<int> generator) {
  while (co_await generator.next()) {
  }
}

asio::awaitable<void> spawn_into(TaskGroup* group, Shared world) {
  group->spawn(hold(world, sleep(1h)));
  group->spawn(hold(world, wait_on_timer()));
  co_return;
}

asio::awaitable<void> run_group(Shared world) {
  TaskGroup group;
  co_await group.run(spawn_into(&group, world));
}

// One task for every way to wait; each holds one Counted, two of them a second one.
void spawn_everything(const asio::any_io_executor& executor, const Shared& world) {
  world->full.try_put(1);
  spawn(executor, hold(world, sleep(1h)));
  spawn(executor, hold(world, wait_on_timer()));
  spawn(executor, hold(world, world->event.wait()));
  spawn(executor, hold(world, get(world)));
  spawn(executor, hold(world, world->full.put(2)));
  spawn(executor, hold(world, read(generate(world))));
  spawn(executor, hold(world, run_group(world)));
  spawn(executor, hold(world, timeout(2h, sleep(1h))));
  asio::co_spawn(executor, hold(world, sleep(1h)), asio::detached);
  const Task<void> awaited = spawn(executor, sleep(1h));
  spawn(executor, hold(world, awaited.wait()));
}

constexpr int counted_in_all = 13;

TEST(Teardown, OfASimulationDestroysEverySuspendedCoroutine) {
  int alive = 0;
  {
    VirtualLoop loop;
    spawn_everything(loop.executor(), std::make_shared<World>(&alive));
    loop.run(loop.spawn(sleep(1s)));
    EXPECT_EQ(alive, counted_in_all);
  }

  EXPECT_EQ(alive, 0);
}

TEST(Teardown, OfAnIoContextDestroysEverySuspendedCoroutine) {
  int alive = 0;
  {
    asio::io_context loop;
    spawn_everything(loop.get_executor(), std::make_shared<World>(&alive));
    loop.poll();
    EXPECT_EQ(alive, counted_in_all);
  }

  EXPECT_EQ(alive, 0);
}

TEST(Teardown, AtAnyStepDestroysEveryCoroutine) {
  for (std::uint64_t steps = 0; steps < 60; ++steps) {
    int alive = 0;
    {
      VirtualLoop loop("random:" + std::to_string(steps));
      spawn_everything(loop.executor(), std::make_shared<World>(&alive));
      loop.step(steps);
    }

    EXPECT_EQ(alive, 0) << steps;
  }
}

TEST(Teardown, OfATaskThatNeverRanDestroysItsBody) {
  int alive = 0;
  const auto counted = std::make_shared<Counted>(&alive);
  auto keep = [](std::shared_ptr<Counted>) -> asio::awaitable<void> { co_return; };
  {
    VirtualLoop loop;
    loop.spawn(keep(counted));
    EXPECT_EQ(counted.use_count(), 2);
  }

  EXPECT_EQ(counted.use_count(), 1);
}

TEST(Teardown, LeavesAHandleThatMayBeCancelled) {
  VirtualLoop loop;
  const Task<void> sleeping = loop.spawn(sleep(1h));
  const Task<void> on_timer = loop.spawn(wait_on_timer());
  const Task<void> unstarted = loop.spawn(sleep(1h));
  loop.run(loop.spawn(sleep(1s)));

  loop.destroy();

  for (const Task<void>& task : {sleeping, on_timer, unstarted}) {
    task.cancel();
    EXPECT_FALSE(task.done());
  }
}

using Holder = std::shared_ptr<Task<void>>;

// Cancels a task when it is destroyed, as a pool might do.
class CancelAtEnd {
 public:
  explicit CancelAtEnd(Holder task) : task_(std::move(task)) {}
  CancelAtEnd(const CancelAtEnd&) = delete;
  CancelAtEnd& operator=(const CancelAtEnd&) = delete;
  ~CancelAtEnd() { task_->cancel(); }

 private:
  Holder task_;
};

asio::awaitable<void> cancel_at_end(Holder other) {
  const CancelAtEnd guard(std::move(other));
  co_await sleep(1h);
}

TEST(Teardown, LetsDestructorsCancelOlderAndYoungerTasks) {
  const auto older = std::make_shared<Task<void>>();
  const auto younger = std::make_shared<Task<void>>();
  VirtualLoop loop;
  *older = loop.spawn(sleep(1h));
  loop.spawn(cancel_at_end(older));
  loop.spawn(cancel_at_end(younger));
  *younger = loop.spawn(wait_on_timer());
  loop.run(loop.spawn(sleep(1s)));

  loop.destroy();

  EXPECT_EQ(older->cancel_requests(), 1U);
  EXPECT_EQ(younger->cancel_requests(), 1U);
}

// Wakes a waiter when it is destroyed.
class SetAtEnd {
 public:
  explicit SetAtEnd(Shared world) : world_(std::move(world)) {}
  SetAtEnd(const SetAtEnd&) = delete;
  SetAtEnd& operator=(const SetAtEnd&) = delete;
  ~SetAtEnd() {
    world_->event.set();
    world_->empty.try_put(1);
  }

 private:
  Shared world_;
};

asio::awaitable<void> set_at_end(Shared world) {
  const SetAtEnd guard(world);
  co_await sleep(1h);
}

TEST(Teardown, LetsDestructorsWakeOtherTasks) {
  int alive = 0;
  {
    VirtualLoop loop;
    const auto world = std::make_shared<World>(&alive);
    loop.spawn(hold(world, world->event.wait()));
    loop.spawn(set_at_end(world));
    loop.spawn(hold(world, get(world)));
    loop.run(loop.spawn(sleep(1s)));
  }

  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace aio::test
