// SPDX-License-Identifier: MIT
// Waiting for one of several things is written with awaitable_operators: an attempt's end || its
// deadline || the pool's abort. Only waits stand beside an operator, never the handler, the source
// or a queue: they throw nothing and carry no value, so `||` has nothing to lose or to swallow.
// The pool's own tasks are never cancelled; two Events, stop and abort, reach them everywhere.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler handle, WorkerPoolOptions options)
      : handle_(std::move(handle)),
        options_(std::move(options)),
        input_(static_cast<std::size_t>(std::max<std::int64_t>(options_.queue_size, 1))) {
    const double seconds = options_.item_timeout.count();
    if (options_.workers < 1) throw std::invalid_argument("workers: at least 1");
    if (options_.queue_size < 1) throw std::invalid_argument("queue_size: at least 1");
    if (options_.max_retries < 0) throw std::invalid_argument("max_retries: at least 0");
    if (!std::isfinite(seconds)) throw std::invalid_argument("item_timeout: must be finite");
    if (seconds <= 0) throw std::invalid_argument("item_timeout: must be positive");
  }

  void request_stop() { stop_.set(); }

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& source) {
    if (is_used_) throw std::runtime_error("pool is single-use");
    is_used_ = true;
    if (stop_.is_set()) co_return;
    const aio::Task<void> engine = aio::spawn(work_through(source), "engine");
    std::exception_ptr interruption;
    try {
      for (;;) {
        Output output = co_await output_.get();
        if (std::holds_alternative<Sentinel>(output)) break;
        co_yield std::move(std::get<Item<R>>(output).value);
      }
    } catch (...) {
      interruption = std::current_exception();
      abort();
    }
    while (!engine.done()) {
      try {
        co_await engine.wait();
      } catch (const aio::Cancelled&) {
        if (!interruption) interruption = std::current_exception();
        abort();
      }
    }
    if (interruption) std::rethrow_exception(interruption);
    if (unexpected_) std::rethrow_exception(unexpected_);
    if (!errors_.empty()) throw aio::ExceptionGroup("the pool has failed", errors_);
  }

 private:
  using Seconds = std::chrono::duration<double>;
  using Output = std::variant<Item<R>, Sentinel>;

  void abort() {
    stop_.set();
    abort_.set();
  }

  asio::awaitable<void> work_through(aio::AsyncIterator<T>& source) {
    using namespace asio::experimental::awaitable_operators;
    const aio::Task<void> producer = aio::spawn(produce(source), "producer");
    std::vector<aio::Task<void>> consumers;
    for (std::int64_t i = 0; i < options_.workers; ++i) {
      consumers.push_back(aio::spawn(consume(), "consumer"));
    }
    co_await (close_intake_after(producer) && wait_for_all(consumers));
    output_.try_put(Sentinel());
  }

  // A stop wakes the producer, and an abort wakes it once more if it is still there.
  asio::awaitable<void> close_intake_after(aio::Task<void> producer) {
    using namespace asio::experimental::awaitable_operators;
    co_await (producer.wait() || stop_.wait());
    const bool is_drain = !abort_.is_set();
    producer.cancel();
    if (is_drain) {
      co_await (producer.wait() || abort_.wait());
      producer.cancel();
    }
    co_await producer.wait();
    is_intake_closed_ = true;
    has_work_.set();
  }

  static asio::awaitable<void> wait_for_all(const std::vector<aio::Task<void>>& tasks) {
    for (const aio::Task<void>& task : tasks) co_await task.wait();
  }

  asio::awaitable<void> produce(aio::AsyncIterator<T>& source) {
    try {
      while (!stop_.is_set()) {
        std::optional<T> item = co_await source.next();
        if (!item || stop_.is_set()) co_return;
        co_await input_.put(Item<T>(std::move(*item)));
        has_work_.set();
      }
    } catch (...) {
      const std::exception_ptr error = std::current_exception();
      if (!aio::is_cancellation(error)) {
        record(error);
      } else if (!stop_.is_set()) {
        record(std::make_exception_ptr(std::runtime_error("source cancelled itself")));
      }
    }
  }

  asio::awaitable<void> consume() {
    using namespace asio::experimental::awaitable_operators;
    try {
      while (!abort_.is_set()) {
        const std::optional<Item<T>> item = input_.try_get();
        if (item) {
          co_await process(item->value);
        } else if (is_intake_closed_) {
          co_return;
        } else {
          has_work_.clear();
          co_await (has_work_.wait() || abort_.wait());
        }
      }
    } catch (...) {
      // Only what metrics throws comes here; nobody cancels a consumer.
      if (!unexpected_) unexpected_ = std::current_exception();
      abort();
    }
  }

  asio::awaitable<void> process(const T& item) {
    std::exception_ptr error;
    for (std::int64_t tries = 0; tries <= options_.max_retries; ++tries) {
      if (error) notify("retry", error);
      const aio::Task<R> attempt = aio::spawn(enter(item), "attempt");
      const bool is_late = co_await accompany(attempt);
      error = attempt.cancelled() ? nullptr : attempt.exception();
      if (abort_.is_set()) co_return;
      if (is_late) {
        error = std::make_exception_ptr(aio::TimeoutError("item timed out"));
      } else if (attempt.cancelled()) {
        error = std::make_exception_ptr(std::runtime_error("handler cancelled itself"));
      } else if (!error) {
        output_.try_put(Item<R>(attempt.result()));
        notify("ok", item);
        co_return;
      }
      if (!options_.retryable.matches(error)) break;
    }
    record(error);
    notify("failure", error);
  }

  asio::awaitable<R> enter(const T& item) { co_return co_await handle_(item); }

  // Stays with an attempt until it has ended; returns whether its deadline came first.
  asio::awaitable<bool> accompany(const aio::Task<R>& attempt) {
    using namespace asio::experimental::awaitable_operators;
    asio::steady_timer timer(co_await asio::this_coro::executor, patience());
    co_await (attempt.wait() || timer.async_wait(asio::use_awaitable) || abort_.wait());
    const bool is_late = !attempt.done();
    for (int round = 1; round <= 3 && !attempt.done(); ++round) {
      attempt.cancel();
      if (round == 3) break;
      timer.expires_after(patience());
      co_await (attempt.wait() || timer.async_wait(asio::use_awaitable));
    }
    co_await attempt.wait();
    co_return is_late;
  }

  // In the clock's own unit; more than a century is as good as for ever.
  std::chrono::steady_clock::duration patience() const {
    constexpr Seconds century(100.0 * 365 * 24 * 3600);
    return std::chrono::round<std::chrono::steady_clock::duration>(
        std::min(options_.item_timeout, century));
  }

  void record(std::exception_ptr error) {
    errors_.push_back(std::move(error));
    request_stop();
  }

  void notify(std::string_view event, const auto& about) const {
    try {
      if (options_.metrics) options_.metrics(event, aio::repr(about));
    } catch (const std::exception&) {
      return;
    }
  }

  Handler handle_;
  WorkerPoolOptions options_;
  aio::Queue<Item<T>> input_;
  aio::Queue<Output> output_;
  aio::Event stop_;
  aio::Event abort_;
  aio::Event has_work_;
  std::vector<std::exception_ptr> errors_;
  std::exception_ptr unexpected_;
  bool is_intake_closed_ = false;
  bool is_used_ = false;
};
