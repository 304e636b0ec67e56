// SPDX-License-Identifier: MIT
// The pool as a small class hierarchy: a Stage is a task that repeats a virtual step() until it has
// nothing more to do, and the producer, the consumers and their owner are three kinds of Stage
// around one Board. A stage is interrupted only while it is inside a step. A cancellation that
// arrives while the stream is being closed is passed on when the closing is done.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
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
      : board_(std::move(handle), validated(std::move(options))) {}

  void request_stop() { board_.stop(); }

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& source) {
    if (std::exchange(is_used_, true)) throw std::runtime_error("pool is single-use");
    if (board_.is_stopping) co_return;
    board_.source = &source;
    Stage& owner = board_.add(std::make_unique<Owner>(board_));
    owner.launch();
    std::exception_ptr farewell;
    try {
      for (;;) {
        Output output = co_await board_.output.get();
        if (std::holds_alternative<Sentinel>(output)) break;
        co_yield std::move(std::get<Item<R>>(output).value);
      }
    } catch (...) {
      farewell = std::current_exception();
      board_.abort();
    }
    co_await board_.outlast(owner, farewell);
    if (farewell) std::rethrow_exception(farewell);
    if (board_.crash) std::rethrow_exception(board_.crash);
    if (!board_.errors.empty()) throw aio::ExceptionGroup("worker pool", board_.errors);
  }

 private:
  using Seconds = std::chrono::duration<double>;
  using Input = std::variant<Item<T>, Sentinel>;
  using Output = std::variant<Item<R>, Sentinel>;

  struct Board;

  // A task made of steps.
  class Stage {
   public:
    explicit Stage(Board& shared) : board(shared) {}
    virtual ~Stage() = default;

    void launch() { task_ = aio::spawn(live()); }
    bool is_alive() const { return task_ && !task_.done(); }
    asio::awaitable<void> ended() const { return task_.wait(); }
    void interrupt() {
      if (is_stepping_) task_.cancel();
    }

   protected:
    virtual bool is_wanted() const { return !board.is_aborted; }
    virtual asio::awaitable<bool> step() = 0;  // whether there is more to do
    virtual void on_error(const std::exception_ptr& error) = 0;
    virtual asio::awaitable<void> leave() { co_return; }

    Board& board;

   private:
    asio::awaitable<void> live() {
      is_stepping_ = true;
      try {
        bool goes_on = true;
        while (goes_on && is_wanted()) goes_on = co_await step();
      } catch (...) {
        on_error(std::current_exception());
      }
      is_stepping_ = false;
      co_await leave();
    }

    aio::Task<void> task_;
    bool is_stepping_ = false;
  };

  // What the stages share; the owner is the first of them.
  struct Board {
    Board(Handler handler, WorkerPoolOptions settings)
        : handle(std::move(handler)),
          options(std::move(settings)),
          input(static_cast<std::size_t>(std::int64_t{options.queue_size})) {}

    Stage& add(std::unique_ptr<Stage> stage) { return *stages.emplace_back(std::move(stage)); }

    void stop() {
      if (std::exchange(is_stopping, true)) return;
      if (producer) producer->interrupt();
    }
    void abort() {
      is_stopping = true;
      if (std::exchange(is_aborted, true)) return;
      for (const auto& stage : stages) stage->interrupt();
    }
    asio::awaitable<void> outlast(const Stage& stage, std::exception_ptr& cancellation) {
      while (stage.is_alive()) {
        try {
          co_await stage.ended();
        } catch (const aio::Cancelled&) {
          cancellation = std::current_exception();
          abort();
        }
      }
    }
    void record(std::exception_ptr error) {
      errors.push_back(std::move(error));
      stop();
    }
    void tell(std::string_view event, const auto& about) const {
      try {
        if (options.metrics) options.metrics(event, aio::repr(about));
      } catch (const std::exception&) {  // not the pool's business
      }
    }

    Handler handle;
    WorkerPoolOptions options;
    aio::AsyncIterator<T>* source = nullptr;
    aio::Queue<Input> input;
    aio::Queue<Output> output;
    std::vector<std::unique_ptr<Stage>> stages;
    Stage* producer = nullptr;
    std::vector<std::exception_ptr> errors;
    std::exception_ptr crash;
    bool is_stopping = false;
    bool is_aborted = false;
  };

  // One step: pull an item and put it down.
  struct Producer final : Stage {
    using Stage::Stage;
    bool is_wanted() const override { return !this->board.is_stopping; }
    asio::awaitable<bool> step() override {
      std::optional<T> item = co_await this->board.source->next();
      if (!item || this->board.is_stopping) co_return false;
      Input input = Item<T>(std::move(*item));
      co_await this->board.input.put(std::move(input));
      co_return true;
    }
    void on_error(const std::exception_ptr& error) override {
      const bool is_cancelled = aio::is_cancellation(error);
      if (is_cancelled && this->board.is_stopping) return;
      const std::runtime_error self_made("source cancelled itself");
      this->board.record(is_cancelled ? std::make_exception_ptr(self_made) : error);
    }
  };

  // One step: take an item and bring it to its end.
  struct Consumer final : Stage {
    using Stage::Stage;

    asio::awaitable<bool> step() override {
      const Input input = co_await this->board.input.get();
      if (std::holds_alternative<Sentinel>(input)) co_return false;
      const T& item = std::get<Item<T>>(input).value;
      std::int64_t retries = this->board.options.max_retries;
      while (!co_await attempt(item, retries)) --retries;
      co_return true;
    }

    void on_error(const std::exception_ptr& error) override {
      if (this->board.is_aborted) return;
      this->board.crash = error;
      this->board.abort();
    }

    // Whether `item` has come to its end.
    asio::awaitable<bool> attempt(const T& item, std::int64_t retries) {
      const aio::Task<R> task = aio::spawn(invoke(item), "attempt");
      const std::exception_ptr error = co_await see_off(task);
      if (!error) {
        this->board.output.try_put(Item<R>(task.result()));
        this->board.tell("ok", item);
      } else if (retries > 0 && this->board.options.retryable.matches(error)) {
        this->board.tell("retry", error);
        co_return false;
      } else {
        this->board.record(error);
        this->board.tell("failure", error);
      }
      co_return true;
    }

    asio::awaitable<R> invoke(const T& item) { co_return co_await this->board.handle(item); }

    // Returns when `task` has ended, which it is helped to do by up to three cancels, and says why
    // it failed. Throws the cancellation of this stage, if there was one meanwhile.
    asio::awaitable<std::exception_ptr> see_off(const aio::Task<R>& task) {
      using Clock = std::chrono::steady_clock;
      const Seconds patience = this->board.options.item_timeout;
      std::exception_ptr interruption;
      bool is_late = false;
      int cancels = 0;
      Clock::time_point since = Clock::now();
      while (!task.done()) {
        bool is_time = cancels == 0;  // an interruption speeds up only the first cancel
        try {
          const Seconds passed = Clock::now() - since;
          is_time = !co_await task.wait_for(cancels < 3 ? patience - passed : Seconds(INFINITY));
          is_late = is_late || is_time;
        } catch (const aio::Cancelled&) {
          interruption = std::current_exception();
        }
        if (!is_time) continue;
        task.cancel();
        ++cancels;
        since = Clock::now();
      }
      const std::exception_ptr error = task.cancelled() ? nullptr : task.exception();
      if (interruption) std::rethrow_exception(interruption);
      if (is_late) co_return std::make_exception_ptr(aio::TimeoutError("item timed out"));
      if (!task.cancelled()) co_return error;
      co_return std::make_exception_ptr(std::runtime_error("handler cancelled itself"));
    }
  };

  // Its only step: start everybody, see the producer out, hand each consumer its end marker.
  struct Owner final : Stage {
    using Stage::Stage;

    asio::awaitable<bool> step() override {
      const std::int64_t workers = this->board.options.workers;
      for (std::int64_t i = 0; i < workers; ++i) {
        this->board.add(std::make_unique<Consumer>(this->board)).launch();
      }
      this->board.producer = &this->board.add(std::make_unique<Producer>(this->board));
      this->board.producer->launch();
      co_await this->board.producer->ended();
      for (std::int64_t i = 0; i < workers; ++i) co_await this->board.input.put(Sentinel());
      co_return false;
    }
    void on_error(const std::exception_ptr&) override {}  // interrupted: nobody needs markers now
    asio::awaitable<void> leave() override {
      std::exception_ptr interruption;
      for (std::size_t i = 1; i < this->board.stages.size(); ++i) {
        co_await this->board.outlast(*this->board.stages[i], interruption);
      }
      this->board.output.try_put(Sentinel());
    }
  };

  static WorkerPoolOptions validated(WorkerPoolOptions options) {
    const double timeout = options.item_timeout.count();
    if (options.workers < 1 || options.queue_size < 1 || options.max_retries < 0 ||
        !std::isfinite(timeout) || timeout <= 0) {
      throw std::invalid_argument("a setting of the worker pool is out of range");
    }
    return options;
  }

  Board board_;
  bool is_used_ = false;
};
