// SPDX-License-Identifier: MIT
// An engine that is driven by callbacks: on_pulled, on_ended, on_deadline. It decides everything in
// plain functions that never wait. Coroutines are only at the edges: the reader, the handler, the
// pump that asks the source, and a "home" task on whose executor all callbacks run, because that
// is where the context of the reader is kept for the attempts that a callback spawns.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
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

  WorkerPool(Handler handle, WorkerPoolOptions options) {
    const double timeout = options.item_timeout.count();
    if (options.workers < 1 || options.queue_size < 1 || options.max_retries < 0 ||
        !std::isfinite(timeout) || timeout <= 0) {
      throw std::invalid_argument("WorkerPool: a setting is out of range");
    }
    engine_ = std::make_shared<Engine>(std::move(handle), std::move(options));
  }

  void request_stop() { engine_->stop(); }

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& source) {
    if (std::exchange(is_used_, true)) throw std::runtime_error("pool is single-use");
    const std::shared_ptr<Engine> engine = engine_;
    if (engine->is_stopping) co_return;
    const aio::Task<void> home = aio::spawn(live(engine, source), "home");
    std::exception_ptr leaving;
    try {
      for (;;) {
        std::optional<Item<R>> result = co_await engine->results.get();
        if (!result) break;
        co_yield std::move(result->value);
      }
    } catch (...) {
      leaving = std::current_exception();
      engine->abort();
    }
    while (!home.done()) {
      try {
        co_await home.wait();
      } catch (const aio::Cancelled&) {
        if (!leaving) leaving = std::current_exception();
        engine->abort();
      }
    }
    if (leaving) std::rethrow_exception(leaving);
    if (engine->accident) std::rethrow_exception(engine->accident);
    if (!engine->errors.empty()) throw aio::ExceptionGroup("items failed", engine->errors);
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Engine;

  // An item that holds one of the worker places, through all of its attempts.
  struct Job : std::enable_shared_from_this<Job> {
    Job(Engine& owner, T work)
        : engine(owner), item(std::move(work)), retries_left(owner.options.max_retries) {}

    asio::awaitable<R> call() { co_return co_await engine.handle(item); }

    void begin() {
      cancels = 0;
      attempt = aio::spawn(call(), "attempt");
      asio::co_spawn(
          engine.home, attempt.wait(),
          engine.callback([self = this->shared_from_this()] { self->engine.on_ended(self); }));
      arm();
    }

    // The timer belongs to its own wait, so it never outlives the event loop.
    void arm() {
      disarm();
      const auto next = std::make_shared<asio::steady_timer>(engine.home, engine.patience());
      timer = next;
      next->async_wait(engine.callback([self = this->shared_from_this(), next] {
        if (self->timer.lock() == next) self->on_deadline();
      }));
    }
    void disarm() {
      if (const auto armed = timer.lock()) armed->cancel();
      timer.reset();
    }
    void on_deadline() {
      attempt.cancel();
      if (++cancels < 3) arm();
    }

    Engine& engine;
    const T item;
    std::int64_t retries_left;
    std::weak_ptr<asio::steady_timer> timer;
    aio::Task<R> attempt;
    int cancels = 0;
  };

  struct Engine : std::enable_shared_from_this<Engine> {
    Engine(Handler handler, WorkerPoolOptions settings)
        : handle(std::move(handler)), options(std::move(settings)) {}

    // Any task may call these two.
    void stop() {
      if (std::exchange(is_stopping, true)) return;
      demand.set();
      if (is_pulling) pump.cancel();
    }
    void abort() {
      if (std::exchange(is_aborted, true)) return;
      is_stopping = true;
      demand.set();
      if (is_pulling) pump.cancel();
      waiting.clear();
      for (const std::shared_ptr<Job>& job : active) {
        if (job->cancels == 0) job->on_deadline();  // if not, it is being stopped already
      }
    }

    // Wraps a function for use as a completion handler. The run is not over before all are called.
    auto callback(auto function) {
      ++calls_to_come;
      return [self = this->shared_from_this(), function](const auto&...) {
        --self->calls_to_come;
        function();
        self->on_change();
      };
    }

    // Something has happened: sees what can be done next.
    void on_change() {
      while (!waiting.empty() && std::ssize(active) < options.workers) {
        auto job = std::make_shared<Job>(*this, std::move(waiting.front()));
        waiting.pop_front();
        active.push_back(job);
        job->begin();
      }
      if (wants_item()) demand.set();
      if (!is_dry || calls_to_come > 0) return;
      results.try_put(std::nullopt);
      is_over.set();
    }

    void on_ended(const std::shared_ptr<Job>& job) {
      job->disarm();
      try {
        if (!retry_after(*job)) std::erase(active, job);
      } catch (...) {
        // Came through the metrics function: the pool cannot go on.
        std::erase(active, job);
        if (!is_aborted) accident = std::current_exception();
        abort();
      }
    }

    bool retry_after(Job& job) {
      const bool was_cancelled = job.attempt.cancelled();
      std::exception_ptr error = was_cancelled ? nullptr : job.attempt.exception();
      if (is_aborted) return false;
      if (job.cancels > 0) {
        error = std::make_exception_ptr(aio::TimeoutError("item timed out"));
      } else if (was_cancelled) {
        error = std::make_exception_ptr(std::runtime_error("handler cancelled itself"));
      }
      if (!error) {
        results.try_put(Item<R>(job.attempt.result()));
        report("ok", job.item);
        return false;
      }
      if (job.retries_left-- > 0 && options.retryable.matches(error)) {
        report("retry", error);
        job.begin();
        return true;
      }
      fail(error);
      report("failure", error);
      return false;
    }

    void fail(std::exception_ptr error) {
      errors.push_back(std::move(error));
      stop();
    }

    void report(std::string_view event, const auto& about) const {
      try {
        if (options.metrics) options.metrics(event, aio::repr(about));
      } catch (const std::exception&) {  // its own problem
      }
    }

    // The edge towards the source. Its task has a context of its own, so it only leaves its items
    // here and calls back through the home executor.
    asio::awaitable<void> pump_from(aio::AsyncIterator<T>& source) {
      try {
        while (!is_stopping) {
          if (!wants_item()) {
            demand.clear();
            co_await demand.wait();
            continue;
          }
          is_pulling = true;
          std::optional<T> item = co_await source.next();
          is_pulling = false;
          if (!item || is_aborted) break;
          waiting.push_back(std::move(*item));
          asio::post(home, callback([] {}));
        }
      } catch (...) {
        is_pulling = false;
        const std::exception_ptr error = std::current_exception();
        if (!aio::is_cancellation(error)) {
          fail(error);
        } else if (!is_stopping) {
          fail(std::make_exception_ptr(std::runtime_error("source cancelled itself")));
        }
      }
    }

    bool wants_item() const { return !is_stopping && std::ssize(waiting) <= options.queue_size; }

    Clock::duration patience() const {
      constexpr std::chrono::duration<double> very_long(std::chrono::hours(24 * 365 * 100));
      return std::chrono::duration_cast<Clock::duration>(std::min(options.item_timeout, very_long));
    }

    Handler handle;
    WorkerPoolOptions options;
    asio::any_io_executor home;
    std::deque<T> waiting;
    std::vector<std::shared_ptr<Job>> active;
    aio::Queue<std::optional<Item<R>>> results;
    aio::Task<void> pump;
    aio::Event demand;
    aio::Event is_over;
    std::vector<std::exception_ptr> errors;
    std::exception_ptr accident;
    std::int64_t calls_to_come = 0;
    bool is_stopping = false;
    bool is_aborted = false;
    bool is_pulling = false;
    bool is_dry = false;  // the pump has ended
  };

  static asio::awaitable<void> live(std::shared_ptr<Engine> engine, aio::AsyncIterator<T>& source) {
    engine->home = co_await asio::this_coro::executor;
    engine->pump = aio::spawn(engine->pump_from(source), "pump");
    asio::co_spawn(engine->home, engine->pump.wait(),
                   engine->callback([raw = engine.get()] { raw->is_dry = true; }));
    co_await engine->is_over.wait();
  }

  std::shared_ptr<Engine> engine_;
  bool is_used_ = false;
};
