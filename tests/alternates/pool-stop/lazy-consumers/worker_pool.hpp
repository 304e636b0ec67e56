// SPDX-License-Identifier: MIT
// Consumers are hired when items wait and go home when none do: a foreman task spawns one for each
// waiting item, up to `workers`, and a consumer that finds the queue empty simply ends. So nobody
// waits for input, and there are no end markers on the input side. The foreman spawns, not the
// producer, because a source may have changed the context of the task that pulls.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <array>
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
#include <vector>

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler handle, WorkerPoolOptions options)
      : handle_(std::move(handle)),
        workers_(at_least(1, options.workers)),
        retries_(at_least(0, options.max_retries)),
        patience_(options.item_timeout),
        retryable_(std::move(options.retryable)),
        metrics_(std::move(options.metrics)),
        input_(static_cast<std::size_t>(at_least(1, options.queue_size))) {
    const bool is_sensible = std::isfinite(patience_.count()) && patience_ > Seconds::zero();
    if (!is_sensible) throw std::invalid_argument("item_timeout: finite and positive, please");
  }

  void request_stop() {
    if (is_stopped_) return;
    is_stopped_ = true;
    if (is_producing_) producer_.cancel();
  }

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& source) {
    if (was_run_) throw std::runtime_error("pool is single-use");
    was_run_ = true;
    if (is_stopped_) co_return;
    foreman_ = aio::spawn(oversee(source), "foreman");
    std::exception_ptr way_out;
    try {
      for (;;) {
        std::optional<Item<R>> result = co_await output_.get();
        if (!result) break;
        co_yield std::move(result->value);
      }
    } catch (...) {
      way_out = std::current_exception();
      send_home();
    }
    while (!foreman_.done()) {
      try {
        co_await foreman_.wait();
      } catch (const aio::Cancelled&) {
        if (!way_out) way_out = std::current_exception();
        send_home();
      }
    }
    if (way_out) std::rethrow_exception(way_out);
    if (accident_) std::rethrow_exception(accident_);
    if (!failures_.empty()) throw aio::ExceptionGroup("failures in the worker pool", failures_);
  }

 private:
  using Seconds = std::chrono::duration<double>;

  static std::int64_t at_least(std::int64_t least, std::int64_t value) {
    if (value < least) throw std::invalid_argument("a limit of the worker pool is too small");
    return value;
  }

  // Lives as long as any other task of the pool. It is never cancelled: send_home() tells it.
  asio::awaitable<void> oversee(aio::AsyncIterator<T>& source) {
    if (!is_closed_) {
      is_intake_open_ = true;
      producer_ = aio::spawn(produce(source), "producer");
      while (!is_closed_ && (is_intake_open_ || !input_.empty() || busy_ > 0)) {
        hire();
        news_.clear();
        co_await news_.wait();
      }
      co_await producer_.wait();
      for (const aio::Task<void>& consumer : crew_) co_await consumer.wait();
    }
    output_.try_put(std::nullopt);
  }

  void hire() {
    std::erase_if(crew_, [](const aio::Task<void>& consumer) { return consumer.done(); });
    while (busy_ < workers_ && newcomers_ < input_.size()) {
      crew_.push_back(aio::spawn(consume(), "consumer"));
      ++busy_;
      ++newcomers_;
    }
  }

  // The reader has gone, or something broke: no drain, everybody ends as soon as possible.
  void send_home() {
    if (is_closed_) return;
    is_closed_ = is_stopped_ = true;
    if (is_producing_) producer_.cancel();
    for (const aio::Task<void>& consumer : crew_) consumer.cancel();
    news_.set();
  }

  asio::awaitable<void> produce(aio::AsyncIterator<T>& source) {
    is_producing_ = true;
    try {
      while (!is_stopped_) {
        std::optional<T> item = co_await source.next();
        if (!item || is_stopped_) break;
        co_await input_.put(Item<T>(std::move(*item)));
        news_.set();
      }
    } catch (...) {
      const std::exception_ptr error = std::current_exception();
      if (!aio::is_cancellation(error)) {
        fail(error);
      } else if (!is_stopped_) {
        fail(std::make_exception_ptr(std::runtime_error("source cancelled itself")));
      }
    }
    is_producing_ = is_intake_open_ = false;
    news_.set();
  }

  asio::awaitable<void> consume() {
    --newcomers_;
    try {
      while (!is_closed_) {
        const std::optional<Item<T>> item = input_.try_get();
        if (!item) break;
        co_await finish(item->value);
      }
    } catch (...) {
      if (!is_closed_) accident_ = std::current_exception();
      send_home();
    }
    --busy_;
    news_.set();
  }

  asio::awaitable<void> finish(const T& item) {
    for (std::int64_t more = retries_;; --more) {
      const aio::Task<R> attempt = aio::spawn(start(item), "attempt");
      const std::exception_ptr error = co_await verdict(attempt);
      if (!error) {
        output_.try_put(Item<R>(attempt.result()));
        announce("ok", item);
        co_return;
      }
      if (more == 0 || !retryable_.matches(error)) {
        fail(error);
        announce("failure", error);
        co_return;
      }
      announce("retry", error);
    }
  }

  // Runs in the attempt's own task, and so does all of the handler.
  asio::awaitable<R> start(const T& item) { co_return co_await handle_(item); }

  // Waits for the end of an attempt, which it cancels up to three times; returns why the attempt
  // failed, or null. Throws Cancelled if the consumer was sent home meanwhile.
  asio::awaitable<std::exception_ptr> verdict(const aio::Task<R>& attempt) {
    const std::array<Seconds, 4> limits = {patience_, patience_, patience_, Seconds(INFINITY)};
    std::exception_ptr sent_home;
    bool was_late = false;
    for (std::size_t round = 0; round < limits.size() && !attempt.done(); ++round) {
      if (round > 0) attempt.cancel();
      const auto begin = std::chrono::steady_clock::now();
      for (bool is_waiting = true; is_waiting;) {
        try {
          const Seconds passed = std::chrono::steady_clock::now() - begin;
          const bool in_time = co_await attempt.wait_for(limits[round] - passed);
          was_late = was_late || !in_time;
          is_waiting = false;
        } catch (const aio::Cancelled&) {
          sent_home = std::current_exception();
          is_waiting = round > 0;
        }
      }
    }
    const bool was_cancelled = attempt.cancelled();
    const std::exception_ptr thrown = was_cancelled ? nullptr : attempt.exception();
    if (sent_home) std::rethrow_exception(sent_home);
    if (was_late) co_return std::make_exception_ptr(aio::TimeoutError("item timed out"));
    if (!was_cancelled) co_return thrown;
    co_return std::make_exception_ptr(std::runtime_error("handler cancelled itself"));
  }

  void fail(const std::exception_ptr& error) {
    failures_.push_back(error);
    request_stop();
  }

  template <class Subject>
  void announce(std::string_view event, const Subject& subject) {
    if (!metrics_) return;
    try {
      metrics_(event, aio::repr(subject));
    } catch (const std::exception&) {
      // Nobody's item fails because of a metrics backend.
    }
  }

  Handler handle_;
  std::int64_t workers_;
  std::int64_t retries_;
  Seconds patience_;
  aio::RetryOn retryable_;
  std::function<void(std::string_view, std::string_view)> metrics_;

  aio::Queue<Item<T>> input_;
  aio::Queue<std::optional<Item<R>>> output_;
  aio::Event news_;
  aio::Task<void> foreman_;
  aio::Task<void> producer_;
  std::vector<aio::Task<void>> crew_;
  std::int64_t busy_ = 0;      // consumers that have been hired and have not gone home
  std::size_t newcomers_ = 0;  // those of them that have not taken their first step
  std::vector<std::exception_ptr> failures_;
  std::exception_ptr accident_;
  bool was_run_ = false;
  bool is_producing_ = false;
  bool is_intake_open_ = false;
  bool is_stopped_ = false;
  bool is_closed_ = false;
};
