// SPDX-License-Identifier: MIT
// What AsyncGenerator::next() gives; async_generator_close_test.cpp has how a generator ends early.

#include "aio/async_generator.hpp"

#include "aio/cancelled.hpp"
#include "aio/sleep.hpp"
#include "aio/task.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
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

AsyncGenerator<int> count_slowly(int last) {
  for (int n = 1; n <= last; ++n) {
    co_await sleep(1s);
    co_yield n;
  }
}

AsyncGenerator<int> count_with_timer(int last) {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  for (int n = 1; n <= last; ++n) {
    timer.expires_after(1s);
    co_await timer.async_wait(asio::use_awaitable);
    co_yield n;
  }
}

AsyncGenerator<int> fail_after_one() {
  co_yield 1;
  throw std::runtime_error("broken");
}

AsyncGenerator<std::unique_ptr<int>> give_owners() {
  co_yield std::make_unique<int>(1);
  co_yield std::make_unique<int>(2);
}

AsyncGenerator<int> twice(AsyncGenerator<int> inner) {
  while (const std::optional<int> value = co_await inner.next()) {
    co_yield *value;
    co_yield *value;
  }
}

asio::awaitable<void> read_all(AsyncGenerator<int> generator, Log* log) {
  while (const std::optional<int> value = co_await generator.next()) {
    log->push_back(std::to_string(*value));
  }
  log->push_back("end");
}

TEST(AsyncGenerator, GivesWhatTheCoroutineYields) {
  Log log;

  const RunResult run = run_virtually(read_all(count_slowly(3), &log));

  EXPECT_THAT(log, ElementsAre("1", "2", "3", "end"));
  EXPECT_EQ(run.time, 3s);
}

TEST(AsyncGenerator, MayWaitForAsioOperations) {
  Log log;

  const RunResult run = run_virtually(read_all(count_with_timer(2), &log));

  EXPECT_THAT(log, ElementsAre("1", "2", "end"));
  EXPECT_EQ(run.time, 2s);
}

TEST(AsyncGenerator, MayYieldNothing) {
  Log log;

  run_virtually(read_all(count_slowly(0), &log));

  EXPECT_THAT(log, ElementsAre("end"));
}

TEST(AsyncGenerator, MayReadAnother) {
  Log log;

  run_virtually(read_all(twice(twice(count_slowly(1))), &log));

  EXPECT_THAT(log, ElementsAre("1", "1", "1", "1", "end"));
}

TEST(AsyncGenerator, DoesNotStartBeforeItIsRead) {
  bool has_started = false;
  auto start = [](bool* flag) -> AsyncGenerator<int> {
    *flag = true;
    co_yield 1;
  };

  const AsyncGenerator<int> generator = start(&has_started);

  EXPECT_FALSE(has_started);
  EXPECT_FALSE(generator.is_closed());
}

asio::awaitable<void> read_owners(Log* log) {
  auto generator = give_owners();
  while (const auto owner = co_await generator.next()) log->push_back(std::to_string(**owner));
}

TEST(AsyncGenerator, CarriesValuesThatCannotBeCopied) {
  Log log;

  run_virtually(read_owners(&log));

  EXPECT_THAT(log, ElementsAre("1", "2"));
}

asio::awaitable<void> read_past_a_failure(Log* log) {
  auto generator = fail_after_one();
  log->push_back(std::to_string(*co_await generator.next()));
  try {
    co_await generator.next();
  } catch (const std::runtime_error& error) {
    log->push_back(error.what());
  }
  const bool has_more = (co_await generator.next()).has_value();
  log->push_back(has_more ? "more" : "end");
  log->push_back(generator.is_closed() ? "closed" : "open");
}

TEST(AsyncGenerator, EndsWithWhatItThrows) {
  Log log;

  run_virtually(read_past_a_failure(&log));

  EXPECT_THAT(log, ElementsAre("1", "broken", "end", "closed"));
}

AsyncGenerator<int> count_through_cancellations(Log* log) {
  for (int n = 1; n <= 2; ++n) {
    try {
      co_await sleep(1s);
    } catch (const Cancelled&) {
      log->push_back("cancelled inside");
    }
    co_yield n;
  }
}

TEST(AsyncGenerator, GetsTheCancellationOfTheTaskThatReadsIt) {
  Log log;
  VirtualLoop loop;
  const Task<void> task = loop.spawn(read_all(count_through_cancellations(&log), &log));
  loop.spawn(after(500ms, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_THAT(log, ElementsAre("cancelled inside", "1", "2", "end"));
}

TEST(AsyncGenerator, ThatLetsACancellationThroughEndsCancelled) {
  Log log;
  VirtualLoop loop;
  const Task<void> task = loop.spawn(read_all(count_slowly(3), &log));
  loop.spawn(after(1500ms, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_THAT(log, ElementsAre("1"));
  EXPECT_EQ(outcome(task), "cancelled");
}

asio::awaitable<void> read_one(AsyncGenerator<int>* generator, Log* log) {
  try {
    const std::optional<int> value = co_await generator->next();
    log->push_back(value ? std::to_string(*value) : "end");
  } catch (const std::runtime_error& error) {
    log->push_back(error.what());
  }
}

TEST(AsyncGenerator, RefusesTwoReadersAtOnce) {
  Log log;
  VirtualLoop loop;
  AsyncGenerator<int> generator = count_slowly(2);

  loop.spawn(read_one(&generator, &log));
  loop.spawn(read_one(&generator, &log));
  loop.run_to_rest();

  EXPECT_THAT(log, ElementsAre("asynchronous generator is already running", "1"));
}

TEST(AsyncGenerator, MayBeReadByOneTaskAfterTheOther) {
  Log log;
  VirtualLoop loop;
  AsyncGenerator<int> generator = count_slowly(2);

  for (int i = 0; i < 3; ++i) loop.run(loop.spawn(read_one(&generator, &log)));

  EXPECT_THAT(log, ElementsAre("1", "2", "end"));
}

asio::awaitable<void> move_between_reads(Log* log) {
  auto first = count_slowly(2);
  co_await read_one(&first, log);
  AsyncGenerator<int> second = std::move(first);
  co_await read_one(&second, log);
  first = std::move(second);
  co_await read_one(&first, log);
}

TEST(AsyncGenerator, MayMoveBetweenReads) {
  Log log;

  run_virtually(move_between_reads(&log));

  EXPECT_THAT(log, ElementsAre("1", "2", "end"));
}

}  // namespace
}  // namespace aio::test
