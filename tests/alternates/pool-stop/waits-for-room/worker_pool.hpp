// SPDX-License-Identifier: MIT
// A pool whose producer waits for a free place first and only then pulls, so it never holds an item
// that it cannot put down: the lead stays at queue_size + workers. Both queues are unbounded; the
// bound is the producer's own rule, and end markers need no room. There is no driver task: run()
// owns the producer and the consumers directly and joins them one by one.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
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
      : handle_(std::move(handle)), options_(std::move(options)) {
    require(options_.workers >= 1, "workers must be at least 1");
    require(options_.queue_size >= 1, "queue_size must be at least 1");
    require(std::isfinite(options_.item_timeout.count()), "item_timeout must be finite");
    require(options_.item_timeout.count() > 0, "item_timeout must be greater than zero");
    require(options_.max_retries >= 0, "max_retries must be at least 0");
  }

  void request_stop() {
    if (stopping_) return;
    stopping_ = true;
    // A producer that has not taken its first step must still take it: it places the end markers.
    if (producing_) producer_.cancel();
  }

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& source) {
    if (used_) throw std::runtime_error("pool is single-use");
    used_ = true;
    if (stopping_) co_return;
    start(source);
    std::exception_ptr reason;
    try {
      for (;;) {
        std::optional<Item<R>> result = co_await results_.get();
        if (!result) break;
        co_yield std::move(result->value);
      }
    } catch (...) {
      reason = std::current_exception();
      abort();
    }
    for (const aio::Task<void>& task : tasks_) {
      while (!task.done()) co_await wait_through(task, reason);
    }
    if (reason) std::rethrow_exception(reason);
    if (crash_) std::rethrow_exception(crash_);
    if (!errors_.empty()) throw aio::ExceptionGroup("some items failed", errors_);
  }

 private:
  using Seconds = std::chrono::duration<double>;
  using Clock = std::chrono::steady_clock;
  using Outcome = std::variant<std::exception_ptr, Item<R>>;

  static void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
  }

  void start(aio::AsyncIterator<T>& source) {
    producer_ = aio::spawn(produce(source), "producer");
    tasks_.push_back(producer_);
    for (consumers_ = 0; consumers_ < options_.workers; ++consumers_) {
      tasks_.push_back(aio::spawn(consume(), "consumer"));
    }
  }

  // Ends everything without a drain. A task that never took a step ends as well, and so cannot be
  // relied on to tell the reader.
  void abort() {
    stopping_ = aborted_ = true;
    for (const aio::Task<void>& task : tasks_) task.cancel();
    results_.try_put(std::nullopt);
  }

  asio::awaitable<void> wait_through(const aio::Task<void>& task, std::exception_ptr& reason) {
    try {
      co_await task.wait();
    } catch (const aio::Cancelled&) {
      if (!reason) reason = std::current_exception();
      if (!aborted_) abort();
    }
  }

  asio::awaitable<void> produce(aio::AsyncIterator<T>& source) {
    producing_ = true;
    try {
      for (;;) {
        co_await wait_for_room();
        if (stopping_) break;
        std::optional<T> item = co_await source.next();
        if (!item) break;
        input_.try_put(Item<T>(std::move(*item)));
      }
    } catch (...) {
      note_source_error(std::current_exception());
    }
    producing_ = false;
    for (std::int64_t i = 0; i < options_.workers; ++i) input_.try_put(std::nullopt);
  }

  asio::awaitable<void> wait_for_room() {
    const auto places = static_cast<std::size_t>(std::int64_t{options_.queue_size});
    while (!stopping_ && input_.size() >= places) {
      room_.clear();
      co_await room_.wait();
    }
  }

  void note_source_error(std::exception_ptr error) {
    if (aio::is_cancellation(error)) {
      if (stopping_) return;
      error = std::make_exception_ptr(std::runtime_error("source cancelled itself"));
    }
    record(std::move(error));
  }

  asio::awaitable<void> consume() {
    try {
      for (;;) {
        const std::optional<Item<T>> item = co_await input_.get();
        if (!item) break;
        room_.set();
        co_await handle_until_settled(item->value);
      }
    } catch (...) {
      // Cancelled by abort(), or something came through the metrics function.
      if (!aborted_) {
        crash_ = std::current_exception();
        abort();
      }
    }
    if (--consumers_ == 0) results_.try_put(std::nullopt);
  }

  asio::awaitable<void> handle_until_settled(const T& item) {
    std::int64_t retries_left = options_.max_retries;
    for (;;) {
      Outcome outcome = co_await attempt(item);
      if (auto* result = std::get_if<Item<R>>(&outcome)) {
        results_.try_put(std::move(*result));
        tell("ok", item);
        co_return;
      }
      const std::exception_ptr error = std::get<std::exception_ptr>(outcome);
      if (retries_left-- == 0 || !options_.retryable.matches(error)) {
        record(error);
        tell("failure", error);
        co_return;
      }
      tell("retry", error);
    }
  }

  asio::awaitable<Outcome> attempt(const T& item) {
    const aio::Task<R> task = aio::spawn(call(item), "attempt");
    std::exception_ptr interruption;
    co_await watch(task, options_.item_timeout, true, interruption);
    const bool late = !task.done();
    for (int cancels = 1; cancels <= 3 && !task.done(); ++cancels) {
      task.cancel();
      const Seconds limit =
          cancels < 3 ? options_.item_timeout : Seconds(std::numeric_limits<double>::infinity());
      co_await watch(task, limit, false, interruption);
    }
    const std::exception_ptr error = task.cancelled() ? nullptr : task.exception();
    if (interruption) std::rethrow_exception(interruption);
    if (late) co_return std::make_exception_ptr(aio::TimeoutError("item timed out"));
    if (task.cancelled()) {
      co_return std::make_exception_ptr(std::runtime_error("handler cancelled itself"));
    }
    if (error) co_return error;
    co_return Item<R>(task.result());
  }

  // Waits for the end of `task`, at most for `limit`. A cancellation of the pool is kept in
  // `interruption`; it ends the wait only if the caller is `eager` to act on it.
  static asio::awaitable<void> watch(const aio::Task<R>& task, Seconds limit, bool eager,
                                     std::exception_ptr& interruption) {
    const Clock::time_point start = Clock::now();
    bool waiting = true;
    while (waiting) {
      try {
        co_await task.wait_for(limit - (Clock::now() - start));
        waiting = false;
      } catch (const aio::Cancelled&) {
        interruption = std::current_exception();
        waiting = !eager;
      }
    }
  }

  asio::awaitable<R> call(const T& item) { co_return co_await handle_(item); }

  void record(std::exception_ptr error) {
    errors_.push_back(std::move(error));
    request_stop();
  }

  void tell(std::string_view event, const auto& about) {
    if (!options_.metrics) return;
    try {
      options_.metrics(event, aio::repr(about));
    } catch (const std::exception&) {
      // The pool does not depend on who watches it.
    }
  }

  Handler handle_;
  WorkerPoolOptions options_;
  aio::Queue<std::optional<Item<T>>> input_;
  aio::Queue<std::optional<Item<R>>> results_;
  aio::Event room_;
  aio::Task<void> producer_;
  std::vector<aio::Task<void>> tasks_;
  std::int64_t consumers_ = 0;
  std::vector<std::exception_ptr> errors_;
  std::exception_ptr crash_;
  bool used_ = false;
  bool producing_ = false;
  bool stopping_ = false;
  bool aborted_ = false;
};
