// SPDX-License-Identifier: MIT
// The hook that hears of exceptions which nobody read before their task was destroyed.

#include "aio/cancelled.hpp"
#include "aio/exception_group.hpp"
#include "aio/sleep.hpp"
#include "aio/task.hpp"
#include "aio/task_group.hpp"
#include "aio/timeout.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>

namespace aio::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class UnreadException : public testing::Test {
 protected:
  UnreadException() {
    detail::unread_exception_hook() = [this](const std::string& task,
                                             const std::exception_ptr& error) {
      log_.push_back(task + ": " + outcome(error));
    };
  }
  ~UnreadException() override { detail::unread_exception_hook() = nullptr; }

  Log log_;
};

asio::awaitable<void> fail() {
  throw std::runtime_error("broken");
  co_return;
}

asio::awaitable<void> fail_when_cancelled() {
  try {
    co_await sleep(60s);
  } catch (const Cancelled&) {
    throw std::runtime_error("late");
  }
}

asio::awaitable<void> be_cancelled() {
  throw Cancelled();
  co_return;
}

TEST_F(UnreadException, IsReportedWhenTheTaskIsDestroyed) {
  VirtualLoop loop;
  {
    const Task<void> task = loop.spawn(fail(), "worker");
    loop.run(task);
    EXPECT_TRUE(log_.empty());
  }

  EXPECT_THAT(log_, ElementsAre("worker: RuntimeError('broken')"));
}

TEST_F(UnreadException, IsReportedWhenNobodyKeepsTheHandle) {
  VirtualLoop loop;

  loop.spawn(fail(), "worker");
  loop.run_to_rest();

  EXPECT_THAT(log_, ElementsAre("worker: RuntimeError('broken')"));
}

TEST_F(UnreadException, IsNotReportedOnceItWasRead) {
  VirtualLoop loop;
  {
    const Task<void> task = loop.spawn(fail());
    loop.run(task);
    EXPECT_NE(task.exception(), nullptr);
  }

  EXPECT_TRUE(log_.empty());
}

TEST_F(UnreadException, IsNotReportedForACancelledTask) {
  VirtualLoop loop;

  loop.spawn(be_cancelled());
  loop.run_to_rest();

  EXPECT_TRUE(log_.empty());
}

TEST_F(UnreadException, IsReportedAfterAMereWait) {
  VirtualLoop loop;
  {
    const Task<void> task = loop.spawn(fail(), "worker");
    loop.run(loop.spawn(task.wait()));
  }

  EXPECT_THAT(log_, ElementsAre("worker: RuntimeError('broken')"));
}

asio::awaitable<void> spawn_failing(TaskGroup* group) {
  group->spawn(fail());
  group->spawn(fail_when_cancelled());
  co_return;
}

asio::awaitable<void> run_group() {
  TaskGroup group;
  try {
    co_await group.run(spawn_failing(&group));
  } catch (const ExceptionGroup&) {
  }
}

TEST_F(UnreadException, IsNotReportedForTheTasksOfAGroup) {
  run_virtually(run_group());

  EXPECT_TRUE(log_.empty());
}

asio::awaitable<void> run_timeout() {
  try {
    co_await timeout(1s, fail_when_cancelled());
  } catch (const TimeoutError&) {
  }
}

TEST_F(UnreadException, IsNotReportedForABodyThatTimedOut) {
  run_virtually(run_timeout());

  EXPECT_TRUE(log_.empty());
}

TEST_F(UnreadException, IsNotReportedForATimeoutThatWasCancelled) {
  VirtualLoop loop;
  const Task<void> task = loop.spawn(timeout(30s, fail_when_cancelled()));
  loop.spawn(after(1s, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_TRUE(log_.empty());
}

}  // namespace
}  // namespace aio::test
