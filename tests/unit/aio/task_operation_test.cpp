// SPDX-License-Identifier: MIT
// A cancellation that meets an operation of Asio's which cannot hear it: one that does not listen,
// or one that has ended without anybody having been told. It hits the next wait.

#include "aio/task.hpp"
#include "tests/unit/aio/virtual_loop.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace aio::test {
namespace {

using namespace std::chrono_literals;
using Stream = asio::local::stream_protocol::socket;

asio::awaitable<void> wait_on_timer(std::chrono::nanoseconds delay) {
  asio::steady_timer timer(co_await asio::this_coro::executor, delay);
  co_await timer.async_wait(asio::use_awaitable);
}

// Waits for a second without a slot, as async_resolve does.
asio::awaitable<void> wait_deafly() {
  asio::steady_timer timer(co_await asio::this_coro::executor, 1s);
  const auto initiate = [&timer](auto handler) {
    timer.async_wait(asio::bind_cancellation_slot(asio::cancellation_slot(), std::move(handler)));
  };
  co_await asio::async_initiate<decltype(asio::use_awaitable), void(boost::system::error_code)>(
      initiate, asio::use_awaitable);
}

asio::awaitable<void> wait_deafly_then_well(Log* log) {
  co_await wait_deafly();
  log->push_back("deaf");
  co_await wait_on_timer(1h);
  log->push_back("well");
}

TEST(CancelledTask, IsToldAfterAnOperationThatDoesNotListen) {
  Log log;
  VirtualLoop loop;
  const Task<void> task = loop.spawn(wait_deafly_then_well(&log));
  loop.spawn(after(500ms, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_EQ(now(), 1s);
  EXPECT_EQ(log, Log{"deaf"});
}

asio::awaitable<void> reset_wait_deafly_then_well(Log* log) {
  co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
  co_await wait_deafly_then_well(log);
}

TEST(CancelledTask, IsToldThoughItsCancellationStateIsAnother) {
  Log log;
  VirtualLoop loop;
  const Task<void> task = loop.spawn(reset_wait_deafly_then_well(&log));
  loop.spawn(after(500ms, [&] { task.cancel(); }));

  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled");
  EXPECT_EQ(now(), 1s);
}

// Each write and read of a socket pair ends at once, and the coroutine hears of it one poll later.
asio::awaitable<void> talk_then_wait(Stream* left, Stream* right) {
  std::array<char, 4> buffer{};
  for (int i = 0; i < 3; ++i) {
    co_await asio::async_write(*left, asio::buffer("ping", 4), asio::use_awaitable);
    co_await right->async_read_some(asio::buffer(buffer), asio::use_awaitable);
  }
  co_await wait_on_timer(1h);
}

bool cancel_talk(const std::string& schedule, std::uint64_t when) {
  VirtualLoop loop(schedule);
  Stream left(loop.executor());
  Stream right(loop.executor());
  asio::local::connect_pair(left, right);
  const Task<void> task = loop.spawn(talk_then_wait(&left, &right));
  loop.step(when);
  const bool waits_at_last = now() > 0s;
  task.cancel();
  const std::chrono::nanoseconds cancelled_at = now();
  loop.run(task);

  EXPECT_EQ(outcome(task), "cancelled") << schedule << ", before step " << when;
  EXPECT_EQ(now(), cancelled_at) << schedule << ", before step " << when;
  return !waits_at_last;
}

TEST(CancelledTask, IsToldAfterAnOperationThatHadEndedUnnoticed) {
  for (const char* schedule : {"fifo", "lifo", "random:1", "random:2"}) {
    for (std::uint64_t when = 0; when < 16; ++when) {
      if (!cancel_talk(schedule, when) || HasFailure()) break;
    }
  }
}

}  // namespace
}  // namespace aio::test
