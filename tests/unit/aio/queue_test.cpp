// SPDX-License-Identifier: MIT
// The order and the bound of an aio::Queue; queue_cancel_test.cpp has what cancellations do to it.

#include "aio/queue.hpp"

#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace aio::test {
namespace {

using testing::ElementsAre;

asio::awaitable<void> put(Queue<int>* queue, int value, Log* log) {
  co_await queue->put(value);
  log->push_back("put " + std::to_string(value));
}

asio::awaitable<void> get(Queue<int>* queue, std::string who, Log* log) {
  const int value = co_await queue->get();
  log->push_back(who + " got " + std::to_string(value));
}

asio::awaitable<void> put_up_to(Queue<int>* queue, int count) {
  for (int value = 1; value <= count; ++value) co_await queue->put(value);
}

asio::awaitable<void> get_all(Queue<int>* queue, int count, Log* log) {
  for (int i = 0; i < count; ++i) co_await get(queue, "I", log);
}

TEST(Queue, WithoutABoundNeverMakesAPutterWait) {
  VirtualLoop loop;
  Queue<int> queue;

  const Task<void> putter = loop.spawn(put_up_to(&queue, 1000));
  loop.run_to_rest();

  EXPECT_EQ(outcome(putter), "ok");
  EXPECT_EQ(queue.size(), 1000U);
  EXPECT_FALSE(queue.full());
}

TEST(Queue, HoldsNoMoreThanItsBound) {
  VirtualLoop loop;
  Queue<int> queue(2);

  const Task<void> putter = loop.spawn(put_up_to(&queue, 3));
  loop.run_to_rest();

  EXPECT_EQ(outcome(putter), "running");
  EXPECT_EQ(queue.size(), 2U);
  EXPECT_TRUE(queue.full());
}

TEST(Queue, GivesValuesInTheOrderInWhichTheyCame) {
  for (const std::size_t bound : {0U, 1U, 2U, 5U}) {
    under_all_schedules([bound](const std::string& schedule) {
      Log log;
      VirtualLoop loop(schedule);
      Queue<int> queue(bound);

      loop.spawn(put_up_to(&queue, 4));
      loop.spawn(get_all(&queue, 4, &log));
      loop.run_to_rest();

      EXPECT_THAT(log, ElementsAre("I got 1", "I got 2", "I got 3", "I got 4"));
      EXPECT_TRUE(queue.empty());
    });
  }
}

TEST(Queue, ServesWaitingGettersInTheOrderInWhichTheyCame) {
  Log log;
  VirtualLoop loop;
  Queue<int> queue;
  loop.spawn(get(&queue, "first", &log));
  loop.spawn(get(&queue, "second", &log));
  loop.run_to_rest();

  loop.spawn(put_up_to(&queue, 2));
  loop.run_to_rest();

  EXPECT_THAT(log, ElementsAre("first got 1", "second got 2"));
}

TEST(Queue, ServesWaitingPuttersInTheOrderInWhichTheyCame) {
  Log log;
  VirtualLoop loop;
  Queue<int> queue(1);
  for (int value = 1; value <= 3; ++value) loop.spawn(put(&queue, value, &log));
  loop.run_to_rest();

  loop.spawn(get_all(&queue, 3, &log));
  loop.run_to_rest();

  EXPECT_THAT(log, ElementsAre("put 1", "I got 1", "put 2", "I got 2", "put 3", "I got 3"));
}

TEST(Queue, LetsSomebodyQuickerTakeTheValueOfAWokenGetter) {
  Log log;
  VirtualLoop loop;
  Queue<int> queue;
  const Task<void> getter = loop.spawn(get(&queue, "getter", &log));
  loop.run_to_rest();

  queue.try_put(1);
  EXPECT_EQ(queue.try_get(), 1);
  loop.run_to_rest();
  EXPECT_EQ(outcome(getter), "running");

  queue.try_put(2);
  loop.run_to_rest();
  EXPECT_THAT(log, ElementsAre("getter got 2"));
}

TEST(Queue, LetsSomebodyQuickerTakeThePlaceOfAWokenPutter) {
  Log log;
  VirtualLoop loop;
  Queue<int> queue(1);
  queue.try_put(1);
  const Task<void> putter = loop.spawn(put(&queue, 2, &log));
  loop.run_to_rest();

  EXPECT_EQ(queue.try_get(), 1);
  EXPECT_TRUE(queue.try_put(3));
  loop.run_to_rest();
  EXPECT_EQ(outcome(putter), "running");

  EXPECT_EQ(queue.try_get(), 3);
  loop.run_to_rest();
  EXPECT_THAT(log, ElementsAre("put 2"));
  EXPECT_EQ(queue.try_get(), 2);
}

TEST(Queue, WakesEveryGetterThatAValueCanServe) {
  under_all_schedules([](const std::string& schedule) {
    Log log;
    VirtualLoop loop(schedule);
    Queue<int> queue;
    loop.spawn(get(&queue, "a", &log));
    loop.spawn(get(&queue, "b", &log));
    loop.run_to_rest();

    queue.try_put(1);
    queue.try_put(2);
    loop.run_to_rest();

    EXPECT_EQ(log.size(), 2U);
  });
}

TEST(Queue, TryPutMovesOnlyWhenThereIsRoom) {
  Queue<std::unique_ptr<int>> queue(1);
  auto first = std::make_unique<int>(1);
  auto second = std::make_unique<int>(2);

  EXPECT_TRUE(queue.try_put(std::move(first)));
  EXPECT_FALSE(queue.try_put(std::move(second)));

  ASSERT_TRUE(second);
  EXPECT_EQ(*second, 2);
}

TEST(Queue, TryGetGivesNothingWhenItIsEmpty) {
  Queue<int> queue;

  EXPECT_EQ(queue.try_get(), std::nullopt);
}

asio::awaitable<void> put_owner(Queue<std::unique_ptr<int>>* queue) {
  co_await queue->put(std::make_unique<int>(4));
}

TEST(Queue, CarriesValuesThatCannotBeCopied) {
  VirtualLoop loop;
  Queue<std::unique_ptr<int>> queue(1);

  loop.spawn(put_owner(&queue));
  const Task<std::unique_ptr<int>> getter = loop.spawn(queue.get());
  loop.run_to_rest();

  EXPECT_EQ(*getter.result(), 4);
}

}  // namespace
}  // namespace aio::test
