// SPDX-License-Identifier: MIT
// aio::AsyncGenerator<T>: a coroutine that gives values with co_yield and may co_await between
// them. It runs inside the task that calls next(), and only while that call waits.
#pragma once

#include "async_iterator.hpp"
#include "cancelled.hpp"
#include "detail/generator_promise.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <coroutine>
#include <optional>
#include <stdexcept>
#include <utility>

namespace aio {

/// The return type of a coroutine that yields values of type T.
/// Lifetime: must outlive a call of next() or aclose() that is under way. Destroying it destroys
/// the coroutine where it stands, with no chance to wait; aclose() lets it end in order.
/// Example: `aio::AsyncGenerator<int> count() { for (int n = 0;; ++n) co_yield n; }`
template <class T>
class AsyncGenerator final : public AsyncIterator<T> {
 public:
  using promise_type = detail::GeneratorPromise<T, AsyncGenerator>;
  using Handle = std::coroutine_handle<promise_type>;

  explicit AsyncGenerator(Handle handle) noexcept : handle_(handle) {}
  AsyncGenerator(AsyncGenerator&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  AsyncGenerator& operator=(AsyncGenerator&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  AsyncGenerator(const AsyncGenerator&) = delete;
  AsyncGenerator& operator=(const AsyncGenerator&) = delete;
  ~AsyncGenerator() override { destroy(); }

  /// Runs the coroutine to its next co_yield; nothing once it has ended.
  /// Errors: what the coroutine throws, which ends it; std::runtime_error
  /// "asynchronous generator is already running" while another call is under way.
  /// Cancel: reaches what the coroutine waits for.
  boost::asio::awaitable<std::optional<T>> next() override {
    require_idle();
    if (is_closed()) co_return std::nullopt;
    promise_type& promise = handle_.promise();
    auto enter = promise.entry();
    co_await enter;
    std::optional<T> value = promise.take_value();
    if (!value) finish();
    co_return value;
  }

  /// Ends the coroutine: its co_yield throws GeneratorExit, and whatever it does on the way out is
  /// awaited. A generator that was never started ends without running; closing again does nothing.
  /// Errors: what the coroutine throws instead; std::runtime_error
  /// "asynchronous generator ignored GeneratorExit" when it yields again, and
  /// "asynchronous generator is already running" while a call is under way.
  /// Cancel: reaches what the coroutine waits for on its way out.
  boost::asio::awaitable<void> aclose() {
    require_idle();
    if (is_closed()) co_return;
    promise_type& promise = handle_.promise();
    if (promise.is_started()) {
      promise.close_at_yield();
      auto enter = promise.entry();
      co_await enter;
      if (promise.take_value()) {
        throw std::runtime_error("asynchronous generator ignored GeneratorExit");
      }
      finish();
    } else {
      destroy();
    }
  }

  /// Whether the coroutine has ended, by itself or by aclose().
  bool is_closed() const noexcept { return !handle_; }

 private:
  void require_idle() const {
    if (handle_ && handle_.promise().is_running()) {
      throw std::runtime_error("asynchronous generator is already running");
    }
  }

  // Frees the ended coroutine, then throws what it threw.
  void finish() {
    const std::exception_ptr error = handle_.promise().take_error();
    destroy();
    if (!error) return;
    try {
      std::rethrow_exception(error);
    } catch (const GeneratorExit&) {
      return;
    }
  }

  void destroy() noexcept {
    if (const Handle handle = std::exchange(handle_, {})) handle.destroy();
  }

  Handle handle_;
};

}  // namespace aio
