// SPDX-License-Identifier: MIT
// aio::run works in real time; nothing here takes longer than some microseconds.

#include "aio/run.hpp"

#include "aio/async_generator.hpp"
#include "aio/event.hpp"
#include "aio/queue.hpp"
#include "aio/sleep.hpp"
#include "aio/task.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace aio::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

asio::awaitable<std::unique_ptr<int>> give() {
  co_await sleep(0s);
  co_await sleep(1us);
  co_return std::make_unique<int>(5);
}

asio::awaitable<void> fail() {
  throw std::invalid_argument("broken");
  co_return;
}

asio::awaitable<void> wait_for_ever() {
  Event event;
  co_await event.wait();
}

TEST(Run, ReturnsWhatMainReturns) { EXPECT_EQ(*run(give()), 5); }

TEST(Run, ThrowsWhatMainThrows) { EXPECT_THROW(run(fail()), std::invalid_argument); }

TEST(Run, NamesADeadlock) {
  try {
    run(wait_for_ever());
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "deadlock: the main task waits for something that nobody will do");
  }
}

struct Local {
  explicit Local(Log* entries) : log(entries) {}
  Local(const Local&) = delete;
  Local& operator=(const Local&) = delete;
  ~Local() { log->push_back("destroyed"); }
  Log* log;
};

asio::awaitable<void> hold_for_ever(Log* log) {
  const Local local(log);
  co_await wait_for_ever();
}

asio::awaitable<void> leave_a_task_behind(Log* log) {
  spawn(hold_for_ever(log));
  co_await sleep(0s);
  log->push_back("main ends");
}

TEST(Run, DestroysTheTasksThatMainLeavesBehind) {
  Log log;

  run(leave_a_task_behind(&log));

  EXPECT_THAT(log, ElementsAre("main ends", "destroyed"));
}

asio::awaitable<void> put_numbers(Queue<int>* queue) {
  for (int n = 1; n <= 3; ++n) co_await queue->put(n);
}

asio::awaitable<int> add_numbers() {
  Queue<int> queue(1);
  const Task<void> putter = spawn(put_numbers(&queue));
  int sum = 0;
  for (int i = 0; i < 3; ++i) sum += co_await queue.get();
  co_await putter.wait();
  co_return sum;
}

TEST(Run, RunsTheTasksThatMainSpawns) { EXPECT_EQ(run(add_numbers()), 6); }

asio::awaitable<std::string> cancel_a_child() {
  const Task<void> child = spawn(wait_for_ever());
  co_await sleep(0s);
  child.cancel();
  co_await child.wait();
  co_return outcome(child);
}

TEST(Run, DeliversCancellations) { EXPECT_EQ(run(cancel_a_child()), "cancelled"); }

}  // namespace
}  // namespace aio::test
