// SPDX-License-Identifier: MIT

#include "aio/aclosing.hpp"

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

namespace aio::test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

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

AsyncGenerator<int> fail_on_closing() {
  try {
    co_yield 1;
  } catch (const GeneratorExit&) {
    throw std::runtime_error("broken");
  }
}

asio::awaitable<void> read_two(Log* log, AsyncGenerator<int>& generator) {
  for (int i = 0; i < 2; ++i) log->push_back(std::to_string(*co_await generator.next()));
}

asio::awaitable<void> fail_after_one(AsyncGenerator<int>& generator) {
  co_await generator.next();
  throw std::invalid_argument("body");
}

asio::awaitable<void> sleep_after_one(AsyncGenerator<int>& generator) {
  co_await generator.next();
  co_await sleep(9s);
}

TEST(Aclosing, ClosesAfterTheBody) {
  Log log;
  auto body = [&log](AsyncGenerator<int>& generator) { return read_two(&log, generator); };

  const RunResult run = run_virtually(aclosing(count_and_clean_up(&log), body));

  EXPECT_THAT(log, ElementsAre("1", "2", "cleaned up"));
  EXPECT_EQ(run.time, 2s);
}

TEST(Aclosing, ClosesWhenTheBodyFails) {
  Log log;

  const RunResult run = run_virtually(aclosing(count_and_clean_up(&log), fail_after_one));

  EXPECT_THAT(log, ElementsAre("cleaned up"));
  EXPECT_EQ(run.outcome, "ValueError('body')");
}

TEST(Aclosing, ThrowsWhatClosingThrowsWhenBothDo) {
  const RunResult run = run_virtually(aclosing(fail_on_closing(), fail_after_one));

  EXPECT_EQ(run.outcome, "RuntimeError('broken')");
}

TEST(Aclosing, ClosesWhenTheBodyIsCancelled) {
  Log log;
  VirtualLoop loop;
  const Task<void> task = loop.spawn(aclosing(count_and_clean_up(&log), sleep_after_one));
  loop.spawn(after(1s, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_THAT(log, ElementsAre("cleaned up"));
  EXPECT_EQ(now(), 3s);
}

TEST(Aclosing, CancelledWhileItClosesCutsTheCleanupShort) {
  Log log;
  VirtualLoop loop;
  const Task<void> task = loop.spawn(aclosing(count_and_clean_up(&log), sleep_after_one));
  loop.spawn(after(1s, [&] { task.cancel(); }));
  loop.spawn(after(2s, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(now(), 2s);
}

}  // namespace
}  // namespace aio::test
