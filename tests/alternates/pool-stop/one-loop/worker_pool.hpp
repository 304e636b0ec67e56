// SPDX-License-Identifier: MIT
// One coordinator coroutine does everything that needs a decision: each turn of its loop looks at
// what has ended, cancels what is due, starts what may start, and sleeps until the next deadline or
// the next ring. There are no consumers and no producer; a pull and an attempt are tasks of their
// own, and plain co_spawn watchers tell the coordinator that one has ended.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <list>
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
    const auto refuse_if = [](bool is_bad, const char* what) {
      if (is_bad) throw std::invalid_argument(what);
    };
    refuse_if(options_.workers <= 0, "workers has to be positive");
    refuse_if(options_.queue_size <= 0, "queue_size has to be positive");
    refuse_if(options_.max_retries < 0, "max_retries cannot be negative");
    refuse_if(!std::isfinite(options_.item_timeout.count()), "item_timeout has to be finite");
    refuse_if(options_.item_timeout.count() <= 0, "item_timeout has to be positive");
  }

  void request_stop() {
    if (std::exchange(stopping_, true)) return;
    if (pull_.task) pull_.task.cancel();
  }

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& source) {
    if (std::exchange(used_, true)) throw std::runtime_error("pool is single-use");
    if (stopping_) co_return;
    const aio::Task<void> coordinator = aio::spawn(coordinate(source), "coordinator");
    std::exception_ptr quit;
    try {
      for (;;) {
        std::optional<Item<R>> result = co_await results_.get();
        if (!result) break;
        co_yield std::move(result->value);
      }
    } catch (...) {
      quit = std::current_exception();
      abort();
    }
    while (!coordinator.done()) {
      try {
        co_await coordinator.wait();
      } catch (const aio::Cancelled&) {
        if (!quit) quit = std::current_exception();
        abort();
      }
    }
    if (quit) std::rethrow_exception(quit);
    if (breakdown_) std::rethrow_exception(breakdown_);
    if (!recorded_.empty()) throw aio::ExceptionGroup("worker pool", recorded_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point never = Clock::time_point::max();

  // A task that somebody watches; `ended` is set when it has, and the coordinator is rung.
  template <class V>
  struct Watched {
    aio::Task<V> task;
    bool ended = false;
  };

  // An item that occupies a worker: one attempt after the other, until it is settled.
  struct Job {
    explicit Job(T work) : item(std::move(work)) {}

    T item;
    Watched<R> attempt;
    Clock::time_point due = never;  // when the attempt is to be cancelled next
    int cancels = 0;
    std::int64_t retries = 0;
  };
  using Jobs = std::list<Job>;

  asio::awaitable<void> coordinate(aio::AsyncIterator<T>& source) {
    const auto alarm = std::make_shared<asio::steady_timer>(co_await asio::this_coro::executor);
    alarm_ = alarm;
    for (;;) {
      try {
        look_at_pull();
        look_at_jobs();
      } catch (...) {
        // The metrics function threw something that is no std::exception.
        if (!breakdown_) breakdown_ = std::current_exception();
        abort();
        continue;
      }
      cancel_what_is_due();
      if (!aborted_) start_jobs();
      if (!stopping_ && !exhausted_) start_pull(source);
      if (jobs_.empty() && !pull_.task) break;
      alarm->expires_at(next_deadline());
      boost::system::error_code ignored;
      co_await alarm->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    results_.try_put(std::nullopt);
  }

  void look_at_pull() {
    if (!pull_.ended) return;
    const aio::Task<std::optional<T>> pull = std::exchange(pull_, {}).task;
    if (pull.cancelled()) {
      if (stopping_) return;
      record(std::make_exception_ptr(std::runtime_error("source cancelled itself")));
    } else if (pull.exception()) {
      record(pull.exception());
    } else if (std::optional<T> item = pull.result()) {
      backlog_.push_back(std::move(*item));
    } else {
      exhausted_ = true;
    }
  }

  void look_at_jobs() {
    for (auto job = jobs_.begin(); job != jobs_.end();) {
      const auto next = std::next(job);
      if (job->attempt.ended) conclude_attempt(job);
      job = next;
    }
  }

  void conclude_attempt(typename Jobs::iterator job) {
    const aio::Task<R> attempt = std::exchange(job->attempt, {}).task;
    const bool was_cancelled = attempt.cancelled();
    std::exception_ptr error = was_cancelled ? nullptr : attempt.exception();
    Jobs settled;
    settled.splice(settled.end(), jobs_, job);
    if (aborted_) return;
    if (job->cancels > 0) {
      error = std::make_exception_ptr(aio::TimeoutError("item timed out"));
    } else if (was_cancelled) {
      error = std::make_exception_ptr(std::runtime_error("handler cancelled itself"));
    }
    if (!error) {
      results_.try_put(Item<R>(attempt.result()));
      tell("ok", job->item);
    } else if (job->retries < options_.max_retries && options_.retryable.matches(error)) {
      tell("retry", error);
      ++job->retries;
      jobs_.splice(jobs_.end(), settled);
      start_attempt(*job);
    } else {
      record(error);
      tell("failure", error);
    }
  }

  void cancel_what_is_due() {
    for (Job& job : jobs_) {
      const bool is_due = job.due <= Clock::now() || (aborted_ && job.cancels == 0);
      if (!is_due) continue;
      job.attempt.task.cancel();
      ++job.cancels;
      job.due = job.cancels < 3 ? one_timeout_from_now() : never;
    }
  }

  void start_jobs() {
    while (!backlog_.empty() && std::ssize(jobs_) < options_.workers) {
      Job& job = jobs_.emplace_back(std::move(backlog_.front()));
      backlog_.pop_front();
      start_attempt(job);
    }
  }

  void start_attempt(Job& job) {
    job.cancels = 0;
    job.due = one_timeout_from_now();
    job.attempt.task = aio::spawn(handle(job.item), "attempt");
    watch(job.attempt);
  }

  // `queue_size` items may wait, and one more may be in hand.
  void start_pull(aio::AsyncIterator<T>& source) {
    if (pull_.task || std::ssize(backlog_) > options_.queue_size) return;
    pull_.task = aio::spawn(pull(source), "pull");
    watch(pull_);
  }

  asio::awaitable<R> handle(const T& item) { co_return co_await handle_(item); }
  static asio::awaitable<std::optional<T>> pull(aio::AsyncIterator<T>& source) {
    co_return co_await source.next();
  }

  template <class V>
  void watch(Watched<V>& watched) {
    const auto alarm = alarm_.lock();
    asio::co_spawn(alarm->get_executor(), watched.task.wait(),
                   [this, &watched](const std::exception_ptr&) {
                     watched.ended = true;
                     ring();
                   });
  }

  void ring() const {
    if (const auto alarm = alarm_.lock()) alarm->cancel();
  }

  Clock::time_point next_deadline() const {
    Clock::time_point next = never;
    for (const Job& job : jobs_) next = std::min(next, job.due);
    return next;
  }

  Clock::time_point one_timeout_from_now() const {
    const Clock::time_point now = Clock::now();
    if (options_.item_timeout > (never - now) / 2) return never;
    return now + std::chrono::ceil<Clock::duration>(options_.item_timeout);
  }

  // What waits is dropped; what runs is cancelled by the coordinator, in rounds.
  void abort() {
    if (std::exchange(aborted_, true)) return;
    stopping_ = true;
    backlog_.clear();
    if (pull_.task) pull_.task.cancel();
    ring();
  }

  void record(const std::exception_ptr& error) {
    recorded_.push_back(error);
    request_stop();
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
  std::weak_ptr<asio::steady_timer> alarm_;
  Watched<std::optional<T>> pull_;
  std::deque<T> backlog_;
  Jobs jobs_;
  aio::Queue<std::optional<Item<R>>> results_;
  std::vector<std::exception_ptr> recorded_;
  std::exception_ptr breakdown_;
  bool used_ = false;
  bool exhausted_ = false;
  bool stopping_ = false;
  bool aborted_ = false;
};
