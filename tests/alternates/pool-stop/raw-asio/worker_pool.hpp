// SPDX-License-Identifier: MIT
// Plain Asio: consumers are co_spawned coroutines, and everybody waits at one Bell, a condition
// variable made of steady_timers. aio::spawn is used only for code that is not ours (the source and
// each call of the handler needs a context and a lossless cancellation of its own) and for the host
// coroutine, whose executor keeps the context of the reader for all attempts.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
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
      : handle_(std::move(handle)), options_(std::move(options)) {
    if (options_.workers < 1) throw std::invalid_argument("WorkerPool needs a worker");
    if (options_.queue_size < 1) throw std::invalid_argument("WorkerPool needs a queue");
    if (!std::isfinite(options_.item_timeout.count()) || options_.item_timeout.count() <= 0) {
      throw std::invalid_argument("WorkerPool needs a finite timeout above zero");
    }
    if (options_.max_retries < 0) throw std::invalid_argument("WorkerPool cannot unretry");
  }

  void request_stop() {
    if (std::exchange(stopping_, true)) return;
    if (producer_) producer_.cancel();
    bell_.ring();
  }

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& source) {
    if (std::exchange(used_, true)) throw std::runtime_error("pool is single-use");
    if (stopping_) co_return;
    const aio::Task<void> host = aio::spawn(play_host(source), "host");
    std::exception_ptr departure;
    try {
      while (!over_ || !results_.empty()) {
        if (results_.empty()) {
          const bool was_cancelled = co_await bell_.wait();
          if (was_cancelled) throw aio::Cancelled();
          continue;
        }
        R result = std::move(results_.front());
        results_.pop_front();
        co_yield std::move(result);
      }
    } catch (...) {
      departure = std::current_exception();
      abort();
    }
    while (!host.done()) {
      try {
        co_await host.wait();
      } catch (const aio::Cancelled&) {
        if (!departure) departure = std::current_exception();
        abort();
      }
    }
    if (departure) std::rethrow_exception(departure);
    if (escaped_) std::rethrow_exception(escaped_);
    if (!errors_.empty()) throw aio::ExceptionGroup("WorkerPool", errors_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point never = Clock::time_point::max();

  // Wakes everybody who waits at it; they look for themselves what has changed. The list of the
  // waiting is shared with them, so either side may be destroyed first.
  class Bell {
   public:
    void ring() {
      for (Guest* guest : *guests_) guest->timer.cancel();
    }

    // Returns when the bell rings, the time has come, or the coroutine is cancelled; says whether
    // it was. The error code does not tell: a cancellation may follow a ring before we resume.
    asio::awaitable<bool> wait(Clock::time_point until = never) {
      co_await asio::this_coro::reset_cancellation_state();
      Guest guest(guests_, co_await asio::this_coro::executor, until);
      boost::system::error_code ignored;
      co_await guest.timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
      const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
      co_return state.cancelled() != asio::cancellation_type::none;
    }

   private:
    struct Guest;
    using Guests = std::shared_ptr<std::vector<Guest*>>;
    struct Guest {
      Guest(Guests all, const asio::any_io_executor& executor, Clock::time_point until)
          : guests(std::move(all)), timer(executor, until) {
        guests->push_back(this);
      }
      Guest(const Guest&) = delete;
      Guest& operator=(const Guest&) = delete;
      ~Guest() { std::erase(*guests, this); }

      Guests guests;
      asio::steady_timer timer;
    };

    Guests guests_ = std::make_shared<std::vector<Guest*>>();
  };

  void abort() {
    if (std::exchange(aborted_, true)) return;
    stopping_ = true;
    if (producer_) producer_.cancel();
    bell_.ring();
  }

  // The one who is there from the first step to the last.
  asio::awaitable<void> play_host(aio::AsyncIterator<T>& source) {
    const asio::any_io_executor here = co_await asio::this_coro::executor;
    producer_ = aio::spawn(produce(source), "producer");
    ring_at_end_of(producer_, intake_ended_, here);
    const auto on_consumer_end = [this](const std::exception_ptr& error) {
      --consumers_;
      if (error && !aborted_) {
        escaped_ = error;
        abort();
      }
      bell_.ring();
    };
    for (std::int64_t i = 0; i < options_.workers; ++i) {
      ++consumers_;
      asio::co_spawn(here, consume(), on_consumer_end);
    }
    while (!intake_ended_ || consumers_ > 0) co_await bell_.wait();
    over_ = true;
    bell_.ring();
  }

  template <class V>
  void ring_at_end_of(const aio::Task<V>& task, bool& flag, const asio::any_io_executor& here) {
    asio::co_spawn(here, task.wait(), [this, &flag](const std::exception_ptr&) {
      flag = true;
      bell_.ring();
    });
  }

  asio::awaitable<void> produce(aio::AsyncIterator<T>& source) {
    try {
      while (!stopping_) {
        std::optional<T> item = co_await source.next();
        if (!item) co_return;
        while (!stopping_ && std::ssize(queue_) >= options_.queue_size) co_await bell_.wait();
        queue_.push_back(std::move(*item));
        bell_.ring();
      }
    } catch (...) {
      const std::exception_ptr error = std::current_exception();
      if (!aio::is_cancellation(error)) {
        record(error);
      } else if (!stopping_) {
        record(std::make_exception_ptr(std::runtime_error("source cancelled itself")));
      }
    }
  }

  asio::awaitable<void> consume() {
    while (!aborted_) {
      if (!queue_.empty()) {
        const T item = std::move(queue_.front());
        queue_.pop_front();
        bell_.ring();
        bool needs_another = true;
        for (std::int64_t number = 0; needs_another; ++number) {
          needs_another = co_await attempt(item, number < options_.max_retries);
        }
      } else if (intake_ended_) {
        co_return;
      } else {
        co_await bell_.wait();
      }
    }
  }

  // Whether the item needs another attempt.
  asio::awaitable<bool> attempt(const T& item, bool may_retry) {
    const asio::any_io_executor here = co_await asio::this_coro::executor;
    const aio::Task<R> task = aio::spawn(call(item), "attempt");
    bool ended = false;
    int cancels = 0;
    ring_at_end_of(task, ended, here);
    Clock::time_point due = one_timeout_from_now();
    while (!ended) {
      const bool is_due = Clock::now() >= due || (aborted_ && cancels == 0);
      if (is_due) {
        task.cancel();
        due = ++cancels < 3 ? one_timeout_from_now() : never;
      }
      co_await bell_.wait(due);
    }
    std::exception_ptr error = task.cancelled() ? nullptr : task.exception();
    if (aborted_) co_return false;
    if (cancels > 0) {
      error = std::make_exception_ptr(aio::TimeoutError("item timed out"));
    } else if (task.cancelled()) {
      error = std::make_exception_ptr(std::runtime_error("handler cancelled itself"));
    }
    if (!error) {
      results_.push_back(task.result());
      bell_.ring();
      report("ok", item);
      co_return false;
    }
    if (may_retry && options_.retryable.matches(error)) {
      report("retry", error);
      co_return true;
    }
    record(error);
    report("failure", error);
    co_return false;
  }

  asio::awaitable<R> call(const T& item) { co_return co_await handle_(item); }

  Clock::time_point one_timeout_from_now() const {
    const Clock::time_point now = Clock::now();
    if (options_.item_timeout >= (never - now) / 2) return never;
    return now + std::chrono::round<Clock::duration>(options_.item_timeout);
  }

  void record(const std::exception_ptr& error) {
    errors_.push_back(error);
    request_stop();
  }

  void report(std::string_view event, const auto& about) {
    if (!options_.metrics) return;
    try {
      options_.metrics(event, aio::repr(about));
    } catch (const std::exception&) {
      return;
    }
  }

  Handler handle_;
  WorkerPoolOptions options_;
  Bell bell_;
  std::deque<T> queue_;
  std::deque<R> results_;
  aio::Task<void> producer_;
  std::int64_t consumers_ = 0;
  std::vector<std::exception_ptr> errors_;
  std::exception_ptr escaped_;
  bool used_ = false;
  bool stopping_ = false;
  bool aborted_ = false;
  bool intake_ended_ = false;
  bool over_ = false;
};
