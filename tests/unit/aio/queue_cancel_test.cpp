// SPDX-License-Identifier: MIT
// A cancelled put or get of an aio::Queue: no value is lost or doubled, and nobody is left asleep.

#include "aio/cancelled.hpp"
#include "aio/queue.hpp"
#include "aio/sleep.hpp"
#include "aio/timeout.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace aio::test {
namespace {

using namespace std::chrono_literals;

struct Traffic {
  explicit Traffic(std::size_t bound) : queue(bound) {}

  Queue<int> queue;
  std::vector<int> put;
  std::vector<int> got;

  std::vector<int> got_and_left() {
    std::vector<int> all = got;
    while (const auto value = queue.try_get()) all.push_back(*value);
    std::ranges::sort(all);
    return all;
  }
  std::vector<int> sorted_put() {
    std::ranges::sort(put);
    return put;
  }
};

asio::awaitable<void> produce(Traffic* traffic, int first, int count) {
  for (int value = first; value < first + count; ++value) {
    co_await traffic->queue.put(value);
    traffic->put.push_back(value);
  }
}

asio::awaitable<void> consume(Traffic* traffic, int count) {
  for (int i = 0; i < count; ++i) traffic->got.push_back(co_await traffic->queue.get());
}

// Two putters and two getters, of which one is cancelled before step `when`; false when the run
// was over by then.
bool cancel_one(const std::string& schedule, std::size_t bound, std::size_t victim,
                std::uint64_t when) {
  VirtualLoop loop(schedule);
  Traffic traffic(bound);
  std::vector<Task<void>> tasks;
  tasks.push_back(loop.spawn(produce(&traffic, 0, 3)));
  tasks.push_back(loop.spawn(consume(&traffic, 3)));
  tasks.push_back(loop.spawn(produce(&traffic, 10, 3)));
  tasks.push_back(loop.spawn(consume(&traffic, 3)));
  loop.step(when);
  const bool is_running = tasks[victim].cancel();
  loop.run_to_rest();

  EXPECT_TRUE(!is_running || tasks[victim].done());
  EXPECT_EQ(traffic.got_and_left(), traffic.sorted_put());
  return is_running;
}

class QueueCancel : public testing::TestWithParam<std::size_t> {};

TEST_P(QueueCancel, NeverLosesOrDoublesAValue) {
  under_all_schedules([](const std::string& schedule) {
    for (std::size_t victim = 0; victim < 4; ++victim) {
      for (std::uint64_t when = 0; cancel_one(schedule, GetParam(), victim, when); ++when) {
        if (HasFailure()) return;
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Bounds, QueueCancel, testing::Values(0, 1, 2),
                         [](const auto& bound) { return "Bound" + std::to_string(bound.param); });

// Tasks that are nothing but a get: what one of them took is its result.
bool cancel_bare_getter(const std::string& schedule, std::uint64_t when) {
  VirtualLoop loop(schedule);
  Traffic traffic(1);
  const Task<int> victim = loop.spawn(traffic.queue.get());
  const Task<void> other = loop.spawn(consume(&traffic, 1));
  loop.spawn(produce(&traffic, 0, 2));
  loop.step(when);
  const bool is_running = victim.cancel();
  loop.run_to_rest();

  EXPECT_EQ(outcome(other), "ok");
  if (outcome(victim) == "ok") traffic.got.push_back(victim.result());
  EXPECT_EQ(traffic.got_and_left(), traffic.sorted_put());
  return is_running;
}

TEST(QueueGet, CancelledAsAWholeTaskNeverTakesAValueAlong) {
  under_all_schedules([](const std::string& schedule) {
    for (std::uint64_t when = 0; cancel_bare_getter(schedule, when); ++when) {
      if (testing::Test::HasFailure()) return;
    }
  });
}

TEST(QueueGet, CancelledWhileItsWakeUpIsUnderWayLeavesTheValueToTheNext) {
  VirtualLoop loop;
  Queue<int> queue;
  const Task<int> cancelled = loop.spawn(queue.get());
  const Task<int> next = loop.spawn(queue.get());
  loop.run_to_rest();

  queue.try_put(1);
  cancelled.cancel();
  loop.run_to_rest();

  EXPECT_EQ(outcome(cancelled), "cancelled");
  EXPECT_EQ(next.result(), 1);
}

TEST(QueueGet, CancelledBeforeAValueComesLeavesTheWakeUpToTheNext) {
  VirtualLoop loop;
  Queue<int> queue;
  const Task<int> cancelled = loop.spawn(queue.get());
  const Task<int> next = loop.spawn(queue.get());
  loop.run_to_rest();

  cancelled.cancel();
  queue.try_put(1);
  loop.run_to_rest();

  EXPECT_EQ(outcome(cancelled), "cancelled");
  EXPECT_EQ(outcome(next), "ok");
}

TEST(QueuePut, CancelledLeavesNothingInTheQueue) {
  VirtualLoop loop;
  Queue<int> queue(1);
  queue.try_put(1);
  const Task<void> cancelled = loop.spawn(queue.put(2));
  loop.run_to_rest();

  cancelled.cancel();
  loop.run_to_rest();

  EXPECT_EQ(outcome(cancelled), "cancelled");
  EXPECT_EQ(queue.try_get(), 1);
  EXPECT_EQ(queue.try_get(), std::nullopt);
}

TEST(QueuePut, CancelledBeforeThereIsRoomLeavesTheWakeUpToTheNext) {
  VirtualLoop loop;
  Queue<int> queue(1);
  queue.try_put(1);
  const Task<void> cancelled = loop.spawn(queue.put(2));
  const Task<void> next = loop.spawn(queue.put(3));
  loop.run_to_rest();

  cancelled.cancel();
  queue.try_get();
  loop.run_to_rest();

  EXPECT_EQ(outcome(next), "ok");
  EXPECT_EQ(queue.try_get(), 3);
}

TEST(QueuePut, CancelledWhileItsWakeUpIsUnderWayLeavesTheRoomToTheNext) {
  VirtualLoop loop;
  Queue<int> queue(1);
  queue.try_put(1);
  const Task<void> cancelled = loop.spawn(queue.put(2));
  const Task<void> next = loop.spawn(queue.put(3));
  loop.run_to_rest();

  queue.try_get();
  cancelled.cancel();
  loop.run_to_rest();

  EXPECT_EQ(outcome(cancelled), "cancelled");
  EXPECT_EQ(outcome(next), "ok");
  EXPECT_EQ(queue.try_get(), 3);
}

asio::awaitable<void> put_at(Queue<int>* queue, std::chrono::seconds when) {
  co_await sleep(when);
  co_await queue->put(1);
}

TEST(QueueGet, ThatTimesOutAsAValueComesLosesNoValue) {
  under_all_schedules([](const std::string& schedule) {
    VirtualLoop loop(schedule);
    Queue<int> queue;
    loop.spawn(put_at(&queue, 1s));
    const Task<int> getter = loop.spawn(timeout(1s, queue.get()));

    loop.run_to_rest();

    const bool has_got = outcome(getter) == "ok";
    EXPECT_EQ(queue.size(), has_got ? 0U : 1U);
  });
}

}  // namespace
}  // namespace aio::test
