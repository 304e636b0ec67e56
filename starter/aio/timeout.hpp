// SPDX-License-Identifier: MIT
// aio::timeout: gives an awaitable a limited time.
#pragma once

#include "cancelled.hpp"
#include "error.hpp"
#include "task.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <exception>
#include <string>
#include <utility>

namespace aio {

/// Runs `body` as a task for at most `limit`; returns what it returns, throws what it throws.
/// When the time is up the task is cancelled and awaited, however long its cleanup takes.
/// Units: infinity is no limit.
/// Errors: TimeoutError "timed out", also when the cancelled body returned a value or failed after
/// all; std::invalid_argument "a delay must not be NaN".
/// Cancel: cancels the body, waits for it (through further cancellations), then throws Cancelled.
template <class T>
boost::asio::awaitable<T> timeout(std::chrono::duration<double> limit,
                                  boost::asio::awaitable<T> body) {
  const Task<T> task = spawn(std::move(body), "timeout");
  std::exception_ptr interruption;
  bool in_time = false;
  try {
    in_time = co_await task.wait_for(limit);
  } catch (...) {
    interruption = std::current_exception();
  }
  if (!in_time) task.cancel();
  while (!task.done()) {
    try {
      co_await task.wait();
    } catch (const Cancelled&) {
      interruption = std::current_exception();
    }
  }
  if (interruption || !in_time) task.state()->error();  // read: nobody will ask for it any more
  if (interruption) std::rethrow_exception(interruption);
  if (!in_time) throw TimeoutError("timed out");
  co_return task.result();
}

}  // namespace aio
