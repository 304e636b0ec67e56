// SPDX-License-Identifier: MIT
// WorkerPool: handles the items of an async source, several at a time, and yields each result as
// soon as it is there. Items that fail for good do not stop it: their failures come at the end.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// Handles items of type T, which gives results of type R.
/// Lifetime: must outlive the generator that run() returns.
template <class T, class R>
class WorkerPool {
 public:
  /// Handles one item. The reference stays valid until the attempt has finished.
  using Handler = std::function<asio::awaitable<R>(const T&)>;
  using Options = WorkerPoolOptions<T>;

  /// Errors: std::invalid_argument when `workers` or `queue_size` is not positive, `item_timeout`
  /// is not finite and positive, or `max_retries` is negative.
  WorkerPool(Handler handle, Options options)
      : handle_(std::move(handle)),
        options_(checked(std::move(options))),
        input_(static_cast<std::size_t>(std::int64_t{options_.queue_size})) {}

  /// Takes in no more items; what was taken in is still finished. Calling it again does nothing.
  void request_stop() {
    if (std::exchange(is_stopping_, true)) return;
    // The producer may be waiting for the source, or for room in the queue.
    if (producer_) producer_.cancel();
  }

  /// Yields the results of the items of `source`, in the order in which they finish. Nothing
  /// starts before the first next(). `source` stays open: it belongs to the caller.
  /// Errors: aio::ExceptionGroup, after the last result, of every failure that was recorded;
  /// std::runtime_error "pool is single-use" when the pool has run before.
  /// Cancel: cancels everything, waits until all tasks of the pool have ended, then passes it on.
  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& source) {
    if (std::exchange(is_used_, true)) throw std::runtime_error("pool is single-use");
    if (is_stopping_) co_return;
    driver_ = aio::spawn(drive(source), "driver");
    std::exception_ptr interruption;
    try {
      for (;;) {
        Output output = co_await results_.get();
        if (std::holds_alternative<End>(output)) break;
        co_yield std::move(std::get<Item<R>>(output).value);
      }
    } catch (...) {
      // Cancelled, or GeneratorExit: the caller has had enough. C++ cannot await in here.
      interruption = std::current_exception();
    }
    if (interruption) stop_driver();
    co_await outlast(driver_, forever, interruption);
    const std::exception_ptr failure = driver_.cancelled() ? nullptr : driver_.exception();
    if (interruption) std::rethrow_exception(interruption);
    if (failure) std::rethrow_exception(failure);
    if (driver_.cancelled()) throw aio::Cancelled();
    if (!errors_.empty()) throw aio::ExceptionGroup("worker pool failed", errors_);
  }

 private:
  using Seconds = std::chrono::duration<double>;
  using Clock = std::chrono::steady_clock;
  using End = Done;
  using Input = std::variant<Item<T>, End>;
  using Output = std::variant<Item<R>, End>;

  // What became of one attempt: a result, or else the exception that it failed with.
  struct Outcome {
    std::optional<Item<R>> result;
    std::exception_ptr error;
  };

  static constexpr Seconds forever{INFINITY};

  static Options checked(Options options) {
    if (options.workers <= 0) throw std::invalid_argument("workers must be positive");
    if (options.queue_size <= 0) throw std::invalid_argument("queue_size must be positive");
    const double timeout = options.item_timeout.count();
    if (!std::isfinite(timeout) || timeout <= 0) {
      throw std::invalid_argument("item_timeout must be finite and positive");
    }
    if (options.max_retries < 0) throw std::invalid_argument("max_retries must not be negative");
    // A timeout is always worth another attempt, whoever throws it.
    options.retryable = options.retryable | aio::retry_on<aio::TimeoutError>();
    return options;
  }

  // Cancels the pool's tasks. After that nothing is pulled any more, even from a source that
  // swallows the cancellation.
  void stop_driver() {
    is_stopping_ = true;
    driver_.cancel();
  }

  // Owns the pool's tasks, apart from run(): if they lived in run(), a failing one would cancel the
  // caller between two results.
  asio::awaitable<void> drive(aio::AsyncIterator<T>& source) {
    std::exception_ptr failure;
    try {
      aio::TaskGroup group;
      co_await group.run(supervise(group, source));
    } catch (...) {
      failure = std::current_exception();
    }
    results_.try_put(End());
    if (failure) std::rethrow_exception(failure);
  }

  // The end markers follow a producer that has finished. A cancellation never comes that far, so
  // nobody waits for room in a queue that no consumer empties any more.
  asio::awaitable<void> supervise(aio::TaskGroup& group, aio::AsyncIterator<T>& source) {
    producer_ = group.spawn(produce(source), "producer");
    for (std::int64_t i = 0; i < options_.workers; ++i) group.spawn(consume(), "consumer");
    co_await producer_.wait();
    for (std::int64_t i = 0; i < options_.workers; ++i) co_await input_.put(End());
  }

  asio::awaitable<void> produce(aio::AsyncIterator<T>& source) {
    try {
      while (!is_stopping_) {
        std::optional<T> item = co_await source.next();
        if (!item || is_stopping_) co_return;
        Input input = Item<T>(std::move(*item));
        co_await input_.put(std::move(input));
      }
    } catch (const std::exception& error) {
      if (!aio::is_cancellation(std::current_exception())) {
        record(std::current_exception());
        co_return;
      }
    } catch (const aio::Cancelled&) {
      // Handled below, together with the operation_aborted of a source that waits with plain Asio.
    }
    // request_stop() woke the producer; without one, nobody but the source can have cancelled.
    if (!is_stopping_) {
      record(std::make_exception_ptr(std::runtime_error("source cancelled itself")));
    }
  }

  asio::awaitable<void> consume() {
    try {
      for (;;) {
        Input input = co_await input_.get();
        if (std::holds_alternative<End>(input)) co_return;
        co_await finish(std::get<Item<T>>(input).value);
      }
    } catch (const aio::Cancelled&) {
      // A group takes no notice of a task that ends cancelled. If it is not the group's doing, the
      // cancellation came out of metrics, and the pool must not wait for a consumer that is gone.
      if (driver_.cancel_requests() == 0) stop_driver();
      throw;
    }
  }

  // Handles one item until it has succeeded or failed for good.
  asio::awaitable<void> finish(const T& item) {
    for (std::int64_t retries = 0;; ++retries) {
      Outcome outcome = co_await attempt(item);
      if (outcome.result) {
        results_.try_put(std::move(*outcome.result));
        report("ok", item);
        co_return;
      }
      if (retries == options_.max_retries || !options_.retryable.matches(outcome.error)) {
        record(outcome.error);
        report("failed", item);
        co_return;
      }
      report("retry", item);
    }
  }

  // One call of the handler, in a task of its own: it gets its own context, and a cancellation of
  // the attempt is not one of the consumer.
  asio::awaitable<Outcome> attempt(const T& item) {
    const aio::Task<R> task = aio::spawn(call(item), "attempt");
    std::exception_ptr interruption;
    bool in_time = false;
    try {
      in_time = co_await task.wait_for(options_.item_timeout);
    } catch (const aio::Cancelled&) {
      interruption = std::current_exception();
    }
    if (!in_time) co_await stop(task, interruption);
    if (interruption) std::rethrow_exception(interruption);
    Outcome outcome;
    if (!in_time) {
      // Whatever a late attempt has come to, it was late.
      outcome.error = std::make_exception_ptr(aio::TimeoutError("item timed out"));
    } else if (task.cancelled()) {
      outcome.error = std::make_exception_ptr(std::runtime_error("handler cancelled itself"));
    } else if (task.exception()) {
      outcome.error = failure(task.exception());
    } else {
      outcome.result.emplace(task.result());
    }
    co_return outcome;
  }

  // The handler's own code runs in here, so that even what it does before its first await belongs
  // to the new task.
  asio::awaitable<R> call(const T& item) { co_return co_await handle_(item); }

  // An exception of the handler is a failure of the item only if it is a std::exception; anything
  // else gets through.
  static std::exception_ptr failure(const std::exception_ptr& error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception&) {
      return error;
    }
  }

  // Three times: cancel and wait as long as an attempt may take. Then wait for good.
  asio::awaitable<void> stop(const aio::Task<R>& task, std::exception_ptr& interruption) {
    for (int round = 0; round < 3 && !task.done(); ++round) {
      task.cancel();
      co_await outlast(task, options_.item_timeout, interruption);
    }
    co_await outlast(task, forever, interruption);
    // The outcome of a late attempt is of no interest, but somebody has to have looked at it.
    if (!task.cancelled()) static_cast<void>(task.exception());
  }

  // Waits for `task` up to `timeout`, straight through cancellations; keeps the first of them.
  template <class Result>
  static asio::awaitable<void> outlast(const aio::Task<Result>& task, Seconds timeout,
                                       std::exception_ptr& interruption) {
    const Clock::time_point start = Clock::now();
    while (!task.done()) {
      try {
        co_await task.wait_for(timeout - (Clock::now() - start));
        co_return;  // it has ended, or the time is up
      } catch (const aio::Cancelled&) {
        if (!interruption) interruption = std::current_exception();
      }
    }
  }

  // A recorded failure stops nothing; a producer whose source has failed has ended by itself.
  void record(std::exception_ptr error) { errors_.push_back(std::move(error)); }

  // A broken metrics backend must not break the pool; a cancellation still gets through.
  void report(std::string_view event, const T& item) {
    if (!options_.metrics) return;
    try {
      options_.metrics(event, item);
    } catch (const std::exception&) {
    }
  }

  Handler handle_;
  Options options_;
  aio::Queue<Input> input_;
  aio::Queue<Output> results_;
  aio::Task<void> driver_;
  aio::Task<void> producer_;
  std::vector<std::exception_ptr> errors_;
  bool is_used_ = false;
  bool is_stopping_ = false;
};
