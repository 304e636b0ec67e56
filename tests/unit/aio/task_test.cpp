// SPDX-License-Identifier: MIT
// aio::spawn and the outcome of a task.

#include "aio/task.hpp"

#include "aio/context_var.hpp"
#include "aio/sleep.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace aio::test {
namespace {

using testing::ElementsAre;

asio::awaitable<void> note(Log* log, std::string entry) {
  log->push_back(std::move(entry));
  co_return;
}

asio::awaitable<int> give(int value) { co_return value; }

asio::awaitable<std::unique_ptr<int>> give_owner(int value) {
  co_return std::make_unique<int>(value);
}

asio::awaitable<int> fail(std::string message) {
  throw std::runtime_error(message);
  co_return 0;
}

asio::awaitable<int> throw_number() {
  throw 7;
  co_return 0;
}

asio::awaitable<void> spawn_and_note(Log* log) {
  const Task<void> child = spawn(note(log, "child"));
  log->push_back("spawned");
  co_await child.wait();
}

TEST(Spawn, NeverStartsTheBodyInsideTheCall) {
  under_all_schedules([](const std::string& schedule) {
    Log log;

    run_virtually(spawn_and_note(&log), schedule);

    EXPECT_THAT(log, ElementsAre("spawned", "child"));
  });
}

TEST(Spawn, OutsideTheLoopDoesNotStartTheBodyEither) {
  Log log;
  VirtualLoop loop;

  const Task<void> task = loop.spawn(note(&log, "child"));

  EXPECT_TRUE(log.empty());
  loop.run(task);
  EXPECT_THAT(log, ElementsAre("child"));
}

TEST(Spawn, StartsTasksInOrderUnderFifo) {
  Log log;
  VirtualLoop loop;

  loop.spawn(note(&log, "a"));
  loop.spawn(note(&log, "b"));
  loop.spawn(note(&log, "c"));
  loop.run_to_rest();

  EXPECT_THAT(log, ElementsAre("a", "b", "c"));
}

TEST(Spawn, OutsideATaskNeedsAnExecutor) {
  try {
    spawn(give(1));
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "no running task");
  }
}

asio::awaitable<void> spawn_a_child(Task<int>* child) {
  *child = spawn(give(5));
  co_return;
}

TEST(Spawn, LetsATaskOutliveTheOneThatSpawnedIt) {
  VirtualLoop loop;
  Task<int> child;

  loop.spawn(spawn_a_child(&child));
  loop.run_to_rest();

  EXPECT_EQ(child.result(), 5);
}

TEST(Spawn, GoesOnWhenTheHandleIsGone) {
  Log log;
  VirtualLoop loop;

  loop.spawn(note(&log, "ran"));
  loop.run_to_rest();

  EXPECT_THAT(log, ElementsAre("ran"));
}

TEST(Spawn, NamesTasksApart) {
  VirtualLoop loop;

  const Task<int> named = loop.spawn(give(1), "worker");
  const Task<int> first = loop.spawn(give(1));
  const Task<int> second = loop.spawn(give(1));

  EXPECT_EQ(named.name(), "worker");
  EXPECT_NE(first.name(), second.name());
}

ContextVar<int>& level() {
  static ContextVar<int> variable(0);
  return variable;
}

asio::awaitable<int> read_level() { co_return level().get(); }

asio::awaitable<void> spawn_then_set(Task<int>* child) {
  level().set(1);
  *child = spawn(read_level());
  level().set(2);
  co_await child->wait();
}

TEST(Spawn, CopiesTheContextOfThatMoment) {
  Task<int> child;

  run_virtually(spawn_then_set(&child));

  EXPECT_EQ(child.result(), 1);
}

TEST(Task, GivesItsResultOnce) {
  VirtualLoop loop;
  const Task<std::unique_ptr<int>> task = loop.spawn(give_owner(3));
  loop.run(task);

  EXPECT_EQ(*task.result(), 3);
  try {
    task.result();
    FAIL() << "nothing was thrown";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "the task's result was taken already");
  }
}

TEST(Task, ThrowsWhatItsBodyThrew) {
  VirtualLoop loop;
  const Task<int> task = loop.spawn(fail("broken"));
  loop.run(task);

  EXPECT_TRUE(task.done());
  EXPECT_FALSE(task.cancelled());
  EXPECT_EQ(outcome(task.exception()), "RuntimeError('broken')");
  EXPECT_THROW(task.result(), std::runtime_error);
}

TEST(Task, CarriesWhatIsNoException) {
  VirtualLoop loop;
  const Task<int> task = loop.spawn(throw_number());
  loop.run(task);

  EXPECT_FALSE(task.cancelled());
  EXPECT_THROW(task.result(), int);
}

TEST(Task, HasNoExceptionWhenItReturned) {
  VirtualLoop loop;
  const Task<int> task = loop.spawn(give(1));
  loop.run(task);

  EXPECT_EQ(task.exception(), nullptr);
}

TEST(Task, RefusesItsOutcomeBeforeItIsDone) {
  VirtualLoop loop;
  const Task<int> task = loop.spawn(give(1));

  EXPECT_FALSE(task.done());
  EXPECT_FALSE(task.cancelled());
  EXPECT_THROW(task.result(), std::logic_error);
  try {
    task.exception();
    FAIL() << "nothing was thrown";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "the task is not done");
  }
}

TEST(Task, ComparesByTheTaskItRefersTo) {
  VirtualLoop loop;
  const Task<int> task = loop.spawn(give(1));
  const Task<int> copy = task;
  const Task<int> other = loop.spawn(give(1));

  EXPECT_EQ(task, copy);
  EXPECT_FALSE(task == other);
  EXPECT_TRUE(task);
  EXPECT_FALSE(Task<int>());
}

}  // namespace
}  // namespace aio::test
