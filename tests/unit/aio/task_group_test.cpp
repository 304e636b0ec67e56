// SPDX-License-Identifier: MIT
// TaskGroup: what run() waits for and what it throws; task_group_cancel_test.cpp has cancellations.

#include "aio/task_group.hpp"

#include "aio/cancelled.hpp"
#include "aio/exception_group.hpp"
#include "aio/sleep.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

namespace aio::test {
namespace {

using namespace std::chrono_literals;
using Seconds = std::chrono::duration<double>;
using testing::ElementsAre;

asio::awaitable<void> nap(Seconds delay, std::string who, Log* log) {
  try {
    co_await sleep(delay);
    log->push_back(who);
  } catch (const Cancelled&) {
    log->push_back(who + " cancelled");
    throw;
  }
}

asio::awaitable<void> fail(Seconds delay, std::string message) {
  if (delay.count() > 0) co_await sleep(delay);
  throw std::runtime_error(message);
}

asio::awaitable<void> throw_number(Seconds delay, int number) {
  co_await sleep(delay);
  throw number;
}

asio::awaitable<void> cancel_itself() {
  throw Cancelled();
  co_return;
}

// Each child sleeps for its number of seconds; a negative number fails after its absolute value.
asio::awaitable<void> spawn_all(TaskGroup* group, std::vector<double> children, Log* log) {
  for (const double seconds : children) {
    if (seconds < 0) {
      group->spawn(fail(Seconds(-seconds), "child"));
    } else {
      group->spawn(nap(Seconds(seconds), "child", log));
    }
  }
  co_return;
}

std::vector<std::string> members(const ExceptionGroup& group) {
  std::vector<std::string> texts;
  for (const auto& error : group.exceptions()) texts.push_back(repr(error));
  return texts;
}

// Runs a group and writes down what it throws.
asio::awaitable<void> run_group(TaskGroup* group, asio::awaitable<void> body, Log* log) {
  try {
    co_await group->run(std::move(body));
    log->push_back("ok");
  } catch (const ExceptionGroup& error) {
    log->push_back(error.what());
    for (const std::string& text : members(error)) log->push_back(text);
  } catch (const Cancelled&) {
    log->push_back("run cancelled");
  } catch (int number) {
    log->push_back(std::to_string(number));
  }
}

const char* const group_text = "unhandled errors in a TaskGroup";

TEST(TaskGroup, WaitsUntilEveryTaskHasEnded) {
  Log log;
  TaskGroup group;

  const RunResult run = run_virtually(run_group(&group, spawn_all(&group, {1, 3, 2}, &log), &log));

  EXPECT_THAT(log, ElementsAre("child", "child", "child", "ok"));
  EXPECT_EQ(run.time, 3s);
}

TEST(TaskGroup, WithoutTasksEndsWithItsBody) {
  Log log;
  TaskGroup group;

  const RunResult run = run_virtually(run_group(&group, sleep(2s), &log));

  EXPECT_THAT(log, ElementsAre("ok"));
  EXPECT_EQ(run.time, 2s);
}

TEST(TaskGroup, CancelsTheOthersWhenOneFails) {
  Log log;
  TaskGroup group;

  const RunResult run = run_virtually(run_group(&group, spawn_all(&group, {5, -1, 9}, &log), &log));

  EXPECT_THAT(
      log, ElementsAre("child cancelled", "child cancelled", group_text, "RuntimeError('child')"));
  EXPECT_EQ(run.time, 1s);
}

TEST(TaskGroup, CollectsAllFailures) {
  Log log;
  TaskGroup group;

  run_virtually(run_group(&group, spawn_all(&group, {-1, -1, 5}, &log), &log));

  EXPECT_THAT(log, ElementsAre("child cancelled", group_text, "RuntimeError('child')",
                               "RuntimeError('child')"));
}

asio::awaitable<void> spawn_then_fail(TaskGroup* group, Log* log) {
  group->spawn(nap(5s, "child", log));
  co_await sleep(1s);
  throw std::runtime_error("body");
}

TEST(TaskGroup, CancelsTheTasksWhenTheBodyFails) {
  Log log;
  TaskGroup group;

  const RunResult run = run_virtually(run_group(&group, spawn_then_fail(&group, &log), &log));

  EXPECT_THAT(log, ElementsAre("child cancelled", group_text, "RuntimeError('body')"));
  EXPECT_EQ(run.time, 1s);
}

asio::awaitable<void> spawn_failing_and_sleep(TaskGroup* group, Log* log) {
  group->spawn(fail(1s, "child"));
  co_await nap(9s, "body", log);
}

TEST(TaskGroup, CancelsTheBodyWhenATaskFails) {
  under_all_schedules([](const std::string& schedule) {
    Log log;
    TaskGroup group;

    const RunResult run =
        run_virtually(run_group(&group, spawn_failing_and_sleep(&group, &log), &log), schedule);

    EXPECT_THAT(log, ElementsAre("body cancelled", group_text, "RuntimeError('child')"));
    EXPECT_EQ(run.time, 1s);
  });
}

asio::awaitable<void> spawn_failing_and_fail(TaskGroup* group) {
  group->spawn(fail(0s, "child"));
  try {
    co_await sleep(9s);
  } catch (const Cancelled&) {
    throw std::invalid_argument("body");
  }
}

TEST(TaskGroup, RecordsTheFailureOfACancelledBody) {
  Log log;
  TaskGroup group;

  run_virtually(run_group(&group, spawn_failing_and_fail(&group), &log));

  EXPECT_THAT(log, ElementsAre(group_text, "RuntimeError('child')", "ValueError('body')"));
}

asio::awaitable<void> spawn_self_cancelling(TaskGroup* group, Log* log) {
  group->spawn(cancel_itself());
  group->spawn(nap(1s, "child", log));
  co_return;
}

TEST(TaskGroup, TakesATaskThatCancelsItselfForNoFailure) {
  Log log;
  TaskGroup group;

  run_virtually(run_group(&group, spawn_self_cancelling(&group, &log), &log));

  EXPECT_THAT(log, ElementsAre("child", "ok"));
}

asio::awaitable<void> spawn_throwing_number(TaskGroup* group, Log* log) {
  group->spawn(fail(1s, "child"));
  group->spawn(throw_number(1s, 7));
  group->spawn(nap(2s, "child", log));
  co_return;
}

TEST(TaskGroup, LetsWhatIsNoExceptionOutBare) {
  Log log;
  TaskGroup group;

  run_virtually(run_group(&group, spawn_throwing_number(&group, &log), &log));

  EXPECT_THAT(log, ElementsAre("child cancelled", "7"));
}

asio::awaitable<void> spawn_late(TaskGroup* group, Log* log) {
  try {
    co_await sleep(5s);
  } catch (const Cancelled&) {
    group->spawn(nap(1s, "late", log));
  }
}

asio::awaitable<void> spawn_one_that_spawns_late(TaskGroup* group, Log* log) {
  group->spawn(spawn_late(group, log));
  group->spawn(fail(1s, "child"));
  co_return;
}

TEST(TaskGroup, NeverStartsATaskSpawnedWhileItShutsDown) {
  Log log;
  TaskGroup group;

  const RunResult run =
      run_virtually(run_group(&group, spawn_one_that_spawns_late(&group, &log), &log));

  EXPECT_THAT(log, ElementsAre(group_text, "RuntimeError('child')"));
  EXPECT_EQ(run.time, 1s);
}

asio::awaitable<void> spawn_another(TaskGroup* group, Log* log) {
  co_await sleep(1s);
  group->spawn(nap(1s, "grandchild", log));
}

asio::awaitable<void> spawn_one_that_spawns(TaskGroup* group, Log* log) {
  group->spawn(spawn_another(group, log));
  co_return;
}

TEST(TaskGroup, WaitsForTasksThatItsTasksSpawn) {
  Log log;
  TaskGroup group;

  const RunResult run = run_virtually(run_group(&group, spawn_one_that_spawns(&group, &log), &log));

  EXPECT_THAT(log, ElementsAre("grandchild", "ok"));
  EXPECT_EQ(run.time, 2s);
}

TEST(TaskGroup, SpawnsNothingOutsideATask) {
  TaskGroup group;

  EXPECT_THROW(group.spawn(cancel_itself()), std::runtime_error);
}

}  // namespace
}  // namespace aio::test
