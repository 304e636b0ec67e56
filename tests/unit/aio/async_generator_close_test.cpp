// SPDX-License-Identifier: MIT
// AsyncGenerator::aclose(), and the destruction of a generator that has not ended.

#include "aio/async_generator.hpp"
#include "aio/cancelled.hpp"
#include "aio/sleep.hpp"
#include "aio/task.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/awaitable.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

namespace aio::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

// Writes down its own end.
struct Local {
  explicit Local(Log* entries) : log(entries) {}
  Local(const Local&) = delete;
  Local& operator=(const Local&) = delete;
  ~Local() { log->push_back("local destroyed"); }
  Log* log;
};

AsyncGenerator<int> count(Log* log) {
  const Local local(log);
  for (int n = 1;; ++n) co_yield n;
}

AsyncGenerator<int> count_and_clean_up(Log* log) {
  bool is_closing = false;
  for (int n = 1; !is_closing; ++n) {
    try {
      co_yield n;
    } catch (const GeneratorExit&) {
      is_closing = true;
    }
  }
  co_await sleep(2s);
  log->push_back("cleaned up");
}

AsyncGenerator<int> ignore_closing() {
  for (;;) {
    try {
      co_yield 1;
    } catch (const GeneratorExit&) {
    }
  }
}

AsyncGenerator<int> fail_on_closing() {
  try {
    co_yield 1;
  } catch (const GeneratorExit&) {
    throw std::runtime_error("broken");
  }
}

AsyncGenerator<int> sleep_first(Log* log) {
  const Local local(log);
  co_await sleep(5s);
  co_yield 1;
}

asio::awaitable<void> close(AsyncGenerator<int>* generator, Log* log) {
  try {
    co_await generator->aclose();
    log->push_back("closed");
  } catch (const std::runtime_error& error) {
    log->push_back(error.what());
  }
}

asio::awaitable<void> read_and_close(AsyncGenerator<int> generator, Log* log) {
  co_await generator.next();
  co_await close(&generator, log);
  log->push_back(generator.is_closed() ? "is closed" : "is open");
}

asio::awaitable<void> close_unread(AsyncGenerator<int> generator, Log* log) {
  co_await close(&generator, log);
  log->push_back(generator.is_closed() ? "is closed" : "is open");
}

asio::awaitable<void> close_twice(AsyncGenerator<int> generator, Log* log) {
  co_await read_and_close(std::move(generator), log);
  auto other = count(log);
  co_await close(&other, log);
  co_await close(&other, log);
}

TEST(AsyncGeneratorClose, EndsTheCoroutineAtItsYield) {
  Log log;

  run_virtually(read_and_close(count(&log), &log));

  EXPECT_THAT(log, ElementsAre("local destroyed", "closed", "is closed"));
}

TEST(AsyncGeneratorClose, WaitsForTheCleanup) {
  Log log;

  const RunResult run = run_virtually(read_and_close(count_and_clean_up(&log), &log));

  EXPECT_THAT(log, ElementsAre("cleaned up", "closed", "is closed"));
  EXPECT_EQ(run.time, 2s);
}

TEST(AsyncGeneratorClose, BeforeTheStartRunsNothing) {
  Log log;

  run_virtually(close_unread(count(&log), &log));

  EXPECT_THAT(log, ElementsAre("closed", "is closed"));
}

TEST(AsyncGeneratorClose, AgainDoesNothing) {
  Log log;

  run_virtually(close_twice(count(&log), &log));

  EXPECT_THAT(log, ElementsAre("local destroyed", "closed", "is closed", "closed", "closed"));
}

TEST(AsyncGeneratorClose, ThrowsWhatTheCoroutineThrows) {
  Log log;

  run_virtually(read_and_close(fail_on_closing(), &log));

  EXPECT_THAT(log, ElementsAre("broken", "is closed"));
}

TEST(AsyncGeneratorClose, FailsWhenTheCoroutineYieldsAgain) {
  Log log;

  run_virtually(read_and_close(ignore_closing(), &log));

  EXPECT_THAT(log, ElementsAre("asynchronous generator ignored GeneratorExit", "is open"));
}

asio::awaitable<void> read(AsyncGenerator<int>* generator) { co_await generator->next(); }

TEST(AsyncGeneratorClose, FailsWhileItIsRead) {
  Log log;
  VirtualLoop loop;
  AsyncGenerator<int> generator = sleep_first(&log);

  const Task<void> reader = loop.spawn(read(&generator));
  loop.spawn(close(&generator, &log));
  loop.run(reader);

  EXPECT_THAT(log, ElementsAre("asynchronous generator is already running"));
}

TEST(AsyncGeneratorClose, CancelledReachesTheCleanup) {
  Log log;
  VirtualLoop loop;
  const Task<void> task = loop.spawn(read_and_close(count_and_clean_up(&log), &log));
  loop.spawn(after(1s, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(now(), 1s);
}

asio::awaitable<void> read_and_drop(AsyncGenerator<int> generator) { co_await generator.next(); }

TEST(AsyncGeneratorDestruction, DestroysTheLocalsOnce) {
  Log log;

  run_virtually(read_and_drop(count(&log)));

  EXPECT_THAT(log, ElementsAre("local destroyed"));
}

TEST(AsyncGeneratorDestruction, BeforeTheStartDestroysNoLocals) {
  Log log;

  {
    const AsyncGenerator<int> generator = count(&log);
  }

  EXPECT_TRUE(log.empty());
}

TEST(AsyncGeneratorDestruction, WithItsLoopDestroysTheLocals) {
  Log log;
  {
    VirtualLoop loop;
    loop.spawn(read_and_drop(sleep_first(&log)));
    loop.step(2);
  }

  EXPECT_THAT(log, ElementsAre("local destroyed"));
}

}  // namespace
}  // namespace aio::test
