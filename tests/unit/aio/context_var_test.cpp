// SPDX-License-Identifier: MIT

#include "aio/context_var.hpp"

#include "aio/async_generator.hpp"
#include "aio/sleep.hpp"
#include "aio/task.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace aio::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

using Variable = ContextVar<std::string>;

asio::awaitable<void> read(Variable* variable, Log* log) {
  log->push_back(variable->get());
  co_return;
}

asio::awaitable<void> set_sleep_read(Variable* variable, std::string value, Log* log) {
  variable->set(value);
  co_await sleep(1s);
  log->push_back(variable->get());
}

asio::awaitable<void> set_and_spawn(Variable* variable, Log* log) {
  variable->set("parent");
  const Task<void> child = spawn(set_sleep_read(variable, "child", log));
  co_await child.wait();
  log->push_back(variable->get());
}

asio::awaitable<void> set_and_spawn_reader(Variable* variable, Log* log) {
  variable->set("inherited");
  const Task<void> child = spawn(read(variable, log));
  co_await child.wait();
}

TEST(ContextVar, GivesItsInitialValueUntilItIsSet) {
  Log log;
  Variable variable("initial");

  run_virtually(read(&variable, &log));

  EXPECT_THAT(log, ElementsAre("initial"));
}

TEST(ContextVar, BelongsToOneTaskAcrossItsWaits) {
  Log log;
  VirtualLoop loop;
  Variable variable;

  loop.spawn(set_sleep_read(&variable, "a", &log));
  loop.spawn(set_sleep_read(&variable, "b", &log));
  loop.run_to_rest();

  EXPECT_THAT(log, ElementsAre("a", "b"));
}

TEST(ContextVar, IsInheritedByATask) {
  Log log;
  Variable variable;

  run_virtually(set_and_spawn_reader(&variable, &log));

  EXPECT_THAT(log, ElementsAre("inherited"));
}

TEST(ContextVar, SetByAChildIsNotSeenByItsParent) {
  Log log;
  Variable variable;

  run_virtually(set_and_spawn(&variable, &log));

  EXPECT_THAT(log, ElementsAre("child", "parent"));
}

TEST(ContextVar, SetInATaskIsNotSeenOutside) {
  Log log;
  Variable variable("outside");

  run_virtually(set_sleep_read(&variable, "inside", &log));

  EXPECT_EQ(variable.get(), "outside");
}

TEST(ContextVar, KeepsTwoVariablesApart) {
  Variable first("1");
  Variable second("2");

  first.set("changed");

  EXPECT_EQ(first.get(), "changed");
  EXPECT_EQ(second.get(), "2");
}

AsyncGenerator<std::string> yield_value(Variable* variable) {
  co_yield variable->get();
  variable->set("set by the generator");
}

asio::awaitable<void> read_through_generator(Variable* variable, Log* log) {
  variable->set("set by the task");
  auto generator = yield_value(variable);
  log->push_back(*co_await generator.next());
  co_await generator.next();
  log->push_back(variable->get());
}

TEST(ContextVar, IsSharedByATaskAndTheGeneratorItReads) {
  Log log;
  Variable variable;

  run_virtually(read_through_generator(&variable, &log));

  EXPECT_THAT(log, ElementsAre("set by the task", "set by the generator"));
}

}  // namespace
}  // namespace aio::test
