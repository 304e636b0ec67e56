// SPDX-License-Identifier: MIT
// aio::sleep: waits for a while without blocking the thread.
#pragma once

#include "detail/clock.hpp"
#include "detail/waiter.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>

namespace aio {

/// Suspends the running coroutine for `delay`; other tasks run meanwhile.
/// Units: zero or less lets the others run once; infinity waits until cancelled.
/// Errors: std::invalid_argument "a delay must not be NaN".
/// Cancel: throws Cancelled at once.
inline boost::asio::awaitable<void> sleep(std::chrono::duration<double> delay) {
  const auto deadline = detail::after(delay);
  detail::Waiter waiter;
  co_await waiter.wait("sleep", deadline);
}

}  // namespace aio
