// SPDX-License-Identifier: MIT
// The pool as an explicit state machine: one struct with two deques, a few flags and a phase that
// only moves forward (idle, taking, draining, aborting, over). Tasks talk to each other by changing
// that state and raising an Event; there is no aio::Queue, no TaskGroup and no end marker, since
// "nothing waits and nothing more will come" can be read off the state.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
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
    const double timeout = options_.item_timeout.count();
    if (options_.workers < 1) throw std::invalid_argument("too few workers");
    if (options_.queue_size < 1) throw std::invalid_argument("queue too small");
    if (!(timeout > 0) || std::isinf(timeout)) throw std::invalid_argument("bad item timeout");
    if (options_.max_retries < 0) throw std::invalid_argument("negative max_retries");
  }

  void request_stop() { enter(Phase::draining); }

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& source) {
    if (std::exchange(state_.is_used, true)) throw std::runtime_error("pool is single-use");
    if (state_.phase != Phase::idle) co_return;
    enter(Phase::taking);
    owner_ = aio::spawn(own(source), "owner");
    std::exception_ptr exit;
    try {
      for (;;) {
        while (state_.finished.empty() && state_.phase != Phase::over) {
          co_await next_change(state_.has_output);
        }
        if (state_.finished.empty()) break;
        R result = std::move(state_.finished.front());
        state_.finished.pop_front();
        co_yield std::move(result);
      }
    } catch (...) {
      exit = std::current_exception();
      enter(Phase::aborting);
    }
    while (!owner_.done()) {
      try {
        co_await owner_.wait();
      } catch (const aio::Cancelled&) {
        if (!exit) exit = std::current_exception();
        enter(Phase::aborting);
      }
    }
    if (exit) std::rethrow_exception(exit);
    if (state_.fatal) std::rethrow_exception(state_.fatal);
    if (!state_.failures.empty()) throw aio::ExceptionGroup("pool stopped", state_.failures);
  }

 private:
  using Seconds = std::chrono::duration<double>;

  enum class Phase { idle, taking, draining, aborting, over };

  struct State {
    Phase phase = Phase::idle;
    bool is_used = false;
    bool is_pulling = false;
    bool has_intake_ended = false;
    std::deque<T> waiting;
    std::deque<R> finished;
    std::vector<std::exception_ptr> failures;
    std::exception_ptr fatal;
    aio::Event has_room;
    aio::Event has_work;
    aio::Event has_output;
  };

  // The one place where the phase changes. Whoever waits for a phase to pass is woken here.
  void enter(Phase next) {
    if (next <= state_.phase) return;
    state_.phase = next;
    state_.has_room.set();
    state_.has_work.set();
    state_.has_output.set();
    if (next >= Phase::draining && state_.is_pulling) producer_.cancel();
    if (next == Phase::aborting) {
      for (const aio::Task<void>& worker : workers_) worker.cancel();
    }
  }

  static asio::awaitable<void> next_change(aio::Event& event) {
    event.clear();
    co_await event.wait();
  }

  // Nobody cancels this task: it lives exactly as long as the others do.
  asio::awaitable<void> own(aio::AsyncIterator<T>& source) {
    producer_ = aio::spawn(produce(source), "producer");
    while (std::ssize(workers_) < options_.workers) {
      workers_.push_back(aio::spawn(work(), "worker"));
    }
    co_await producer_.wait();
    state_.has_intake_ended = true;
    state_.has_work.set();
    for (const aio::Task<void>& worker : workers_) co_await worker.wait();
    enter(Phase::over);
  }

  asio::awaitable<void> produce(aio::AsyncIterator<T>& source) {
    const auto places = static_cast<std::size_t>(std::int64_t{options_.queue_size});
    while (state_.phase == Phase::taking) {
      std::optional<T> item = co_await pull(source);
      if (!item) co_return;
      while (state_.phase == Phase::taking && state_.waiting.size() >= places) {
        co_await next_change(state_.has_room);
      }
      // After a stop the item in hand joins the others: its place no longer matters.
      state_.waiting.push_back(std::move(*item));
      state_.has_work.set();
    }
  }

  asio::awaitable<std::optional<T>> pull(aio::AsyncIterator<T>& source) {
    state_.is_pulling = true;
    try {
      std::optional<T> item = co_await source.next();
      state_.is_pulling = false;
      co_return item;
    } catch (...) {
      state_.is_pulling = false;
      note_source_error(std::current_exception());
    }
    co_return std::nullopt;
  }

  void note_source_error(const std::exception_ptr& error) {
    if (!aio::is_cancellation(error)) {
      fail(error);
    } else if (state_.phase == Phase::taking) {
      fail(std::make_exception_ptr(std::runtime_error("source cancelled itself")));
    }
  }

  asio::awaitable<void> work() {
    try {
      while (state_.phase < Phase::aborting) {
        if (!state_.waiting.empty()) {
          const T item = std::move(state_.waiting.front());
          state_.waiting.pop_front();
          state_.has_room.set();
          co_await settle(item);
        } else if (state_.has_intake_ended) {
          co_return;
        } else {
          co_await next_change(state_.has_work);
        }
      }
    } catch (...) {
      break_down(std::current_exception());
    }
  }

  asio::awaitable<void> settle(const T& item) {
    std::exception_ptr error;
    for (std::int64_t number = 1;; ++number) {
      const aio::Task<R> attempt = aio::spawn(begin(item), "attempt");
      const bool in_time = co_await ends_within(attempt, options_.item_timeout, true);
      for (int cancels = 1; cancels <= 3 && !attempt.done(); ++cancels) {
        attempt.cancel();
        co_await ends_within(attempt, cancels < 3 ? options_.item_timeout : endless(), false);
      }
      error = attempt.cancelled() ? nullptr : attempt.exception();
      if (state_.phase == Phase::aborting) co_return;
      if (!in_time) {
        error = std::make_exception_ptr(aio::TimeoutError("item timed out"));
      } else if (attempt.cancelled()) {
        error = std::make_exception_ptr(std::runtime_error("handler cancelled itself"));
      } else if (!error) {
        state_.finished.push_back(attempt.result());
        state_.has_output.set();
        tell("ok", item);
        co_return;
      }
      if (number > options_.max_retries || !options_.retryable.matches(error)) break;
      tell("retry", error);
    }
    fail(error);
    tell("failure", error);
  }

  // The handler's first statements belong to the new task, so they run from here.
  asio::awaitable<R> begin(const T& item) { co_return co_await handle_(item); }

  // Whether `attempt` ends within `limit`. Workers are cancelled only when the phase has become
  // `aborting`, so the exception itself carries no news and need not be kept.
  static asio::awaitable<bool> ends_within(const aio::Task<R>& attempt, Seconds limit,
                                           bool returns_on_abort) {
    const auto start = std::chrono::steady_clock::now();
    for (;;) {
      try {
        const Seconds passed = std::chrono::steady_clock::now() - start;
        co_return co_await attempt.wait_for(limit - passed);
      } catch (const aio::Cancelled&) {
        if (returns_on_abort) co_return attempt.done();
      }
    }
  }

  static Seconds endless() { return Seconds(std::numeric_limits<double>::infinity()); }

  void fail(std::exception_ptr error) {
    state_.failures.push_back(std::move(error));
    enter(Phase::draining);
  }

  // Something that is no failure of an item came out of a worker. Once the pool is being aborted
  // that is only the cancellation itself.
  void break_down(std::exception_ptr error) {
    if (state_.phase >= Phase::aborting) return;
    state_.fatal = std::move(error);
    enter(Phase::aborting);
  }

  void tell(std::string_view event, const auto& about) {
    if (!options_.metrics) return;
    try {
      options_.metrics(event, aio::repr(about));
    } catch (const std::exception&) {
      return;
    }
  }

  Handler handle_;
  WorkerPoolOptions options_;
  State state_;
  aio::Task<void> owner_;
  aio::Task<void> producer_;
  std::vector<aio::Task<void>> workers_;
};
