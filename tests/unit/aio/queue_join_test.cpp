// SPDX-License-Identifier: MIT
// What an aio::Queue knows of the values that were taken: task_done() and join().

#include "aio/cancelled.hpp"
#include "aio/queue.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace aio::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

asio::awaitable<void> join(Queue<int>* queue, Log* log) {
  co_await queue->join();
  log->push_back("joined");
}

// What the hook was told while this lives.
class UnfinishedQueues {
 public:
  UnfinishedQueues() {
    detail::unfinished_queue_hook() = [this](std::size_t count) { counts.push_back(count); };
  }
  UnfinishedQueues(const UnfinishedQueues&) = delete;
  UnfinishedQueues& operator=(const UnfinishedQueues&) = delete;
  ~UnfinishedQueues() { detail::unfinished_queue_hook() = nullptr; }

  std::vector<std::size_t> counts;
};

TEST(QueueJoin, WaitsForEveryValueThatWasPutIn) {
  under_all_schedules([](const std::string& schedule) {
    Log log;
    VirtualLoop loop(schedule);
    Queue<int> queue;
    queue.try_put(1);
    queue.try_put(2);

    loop.spawn(join(&queue, &log));
    loop.run_to_rest();
    queue.try_get();
    queue.task_done();
    queue.try_get();
    loop.run_to_rest();
    EXPECT_THAT(log, IsEmpty()) << "one value was taken and is not done";

    queue.task_done();
    loop.run_to_rest();
    EXPECT_THAT(log, ElementsAre("joined"));
  });
}

TEST(QueueJoin, ReturnsAtOnceWhenNothingWasPutIn) {
  Log log;
  VirtualLoop loop;
  Queue<int> queue;

  loop.spawn(join(&queue, &log));
  loop.run_to_rest();

  EXPECT_THAT(log, ElementsAre("joined"));
}

TEST(QueueJoin, WaitsOnForWhatIsPutInMeanwhile) {
  Log log;
  VirtualLoop loop;
  Queue<int> queue;
  queue.try_put(1);

  loop.spawn(join(&queue, &log));
  loop.run_to_rest();
  queue.try_get();
  queue.try_put(2);
  queue.task_done();
  loop.run_to_rest();

  EXPECT_THAT(log, IsEmpty());
}

TEST(QueueJoin, WaitsOnForWhatIsPutInAsItWakes) {
  Log log;
  VirtualLoop loop;
  Queue<int> queue;
  queue.try_put(1);

  loop.spawn(join(&queue, &log));
  loop.run_to_rest();
  queue.try_get();
  queue.task_done();
  queue.try_put(2);
  loop.run_to_rest();

  EXPECT_THAT(log, IsEmpty());
}

TEST(QueueJoin, WakesEverybodyWhoWaits) {
  Log log;
  VirtualLoop loop;
  Queue<int> queue;
  queue.try_put(1);

  loop.spawn(join(&queue, &log));
  loop.spawn(join(&queue, &log));
  loop.run_to_rest();
  queue.try_get();
  queue.task_done();
  loop.run_to_rest();

  EXPECT_THAT(log, ElementsAre("joined", "joined"));
}

TEST(QueueJoin, ThrowsCancelledWhenItsTaskIsCancelled) {
  Log log;
  VirtualLoop loop;
  Queue<int> queue;
  queue.try_put(1);

  const Task<void> joiner = loop.spawn(join(&queue, &log));
  loop.run_to_rest();
  joiner.cancel();
  loop.run_to_rest();

  EXPECT_EQ(outcome(joiner), "cancelled");
  EXPECT_THAT(log, IsEmpty());
}

TEST(QueueJoin, RefusesMoreThanWereTaken) {
  Queue<int> queue;
  EXPECT_THROW(queue.task_done(), std::logic_error);

  queue.try_put(1);
  EXPECT_THROW(queue.task_done(), std::logic_error) << "nobody has taken the value";

  queue.try_get();
  queue.task_done();
  EXPECT_THROW(queue.task_done(), std::logic_error);
}

TEST(QueueJoin, TellsOfValuesThatWereTakenAndNeverDone) {
  UnfinishedQueues told;
  {
    Queue<int> queue;
    for (int value = 0; value < 4; ++value) queue.try_put(int(value));
    for (int taken = 0; taken < 3; ++taken) queue.try_get();
    queue.task_done();
  }
  EXPECT_THAT(told.counts, ElementsAre(2U));
}

TEST(QueueJoin, TellsNothingOfAQueueWhoseUsersNeverSayDone) {
  UnfinishedQueues told;
  {
    Queue<int> queue;
    queue.try_put(1);
    queue.try_get();
  }
  {
    Queue<int> finished;
    finished.try_put(1);
    finished.try_put(2);
    finished.try_get();
    finished.task_done();
  }
  EXPECT_THAT(told.counts, IsEmpty());
}

}  // namespace
}  // namespace aio::test
