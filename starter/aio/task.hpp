// SPDX-License-Identifier: MIT
// aio::Task<T>: a coroutine that runs on its own, and aio::spawn, which starts one. Whoever spawns
// a task owns it: await its end, and read its outcome.
#pragma once

#include "cancelled.hpp"
#include "detail/clock.hpp"
#include "detail/task_state.hpp"
#include "detail/waiter.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace aio {

namespace detail {

struct Nothing {};

template <class T>
class TaskData final : public TaskState {
 public:
  using Value = std::conditional_t<std::is_void_v<T>, Nothing, T>;
  using TaskState::TaskState;

  std::optional<Value> value;
};

}  // namespace detail

/// A handle to a running or finished task; copies refer to the same task.
/// Lifetime: destroying handles does not cancel the task.
template <class T>
class Task {
 public:
  Task() = default;
  explicit Task(std::shared_ptr<detail::TaskData<T>> data) : data_(std::move(data)) {}

  /// Whether the handle refers to a task at all.
  explicit operator bool() const noexcept { return data_ != nullptr; }

  /// Whether the task has ended, in whatever way.
  bool done() const { return data_->done(); }

  /// Whether the task has ended by a cancellation: its own, or one that it was sent.
  bool cancelled() const { return data_->done() && data_->cancelled(); }

  /// Asks the task to stop: its current wait, or the next one if it is not waiting, throws
  /// Cancelled. The task may catch that and go on. False when the task has ended already.
  /// Cancel: a task that has not started yet never starts.
  bool cancel() const { return data_->cancel(); }  // NOLINT(modernize-use-nodiscard)

  /// How many cancellations were requested, less those taken back by uncancel().
  std::size_t cancel_requests() const { return data_->cancel_requests(); }

  /// Takes one cancellation request back, for who has dealt with it; returns what is left.
  std::size_t uncancel() const { return data_->uncancel(); }

  /// What the finished task threw, or null; reading it counts as having dealt with it.
  /// Errors: std::logic_error "the task is not done"; Cancelled when it ended cancelled.
  std::exception_ptr exception() const {
    require_done();
    if (data_->cancelled()) throw Cancelled();
    return data_->error();
  }

  /// The finished task's result, moved out; throws what the task threw.
  /// Errors: std::logic_error "the task is not done"; Cancelled when it ended cancelled.
  T result() const {
    if (const std::exception_ptr error = exception()) std::rethrow_exception(error);
    if constexpr (!std::is_void_v<T>) {
      if (!data_->value) throw std::logic_error("the task's result was taken already");
      T value = std::move(*data_->value);
      data_->value.reset();
      return value;
    }
  }

  /// Waits until the task has ended, and throws nothing of what it threw.
  /// Cancel: throws Cancelled; the task itself goes on.
  boost::asio::awaitable<void> wait() const { return wait_until(data_, std::nullopt); }

  /// Waits for the task, but no longer than `timeout`; returns whether the task has ended.
  /// Units: `timeout` may be of any size; zero or less looks once, infinity waits for ever.
  /// Errors: std::invalid_argument "a delay must not be NaN".
  /// Cancel: throws Cancelled; the task itself goes on.
  boost::asio::awaitable<bool> wait_for(std::chrono::duration<double> timeout) const {
    return wait_until_or_give_up(data_, timeout);
  }

  const std::string& name() const { return data_->name(); }

  friend bool operator==(const Task& a, const Task& b) noexcept { return a.data_ == b.data_; }

  /// The state that tasks of all result types share; for the library itself.
  const std::shared_ptr<detail::TaskData<T>>& state() const noexcept { return data_; }

 private:
  using Data = std::shared_ptr<detail::TaskData<T>>;

  static boost::asio::awaitable<void> wait_until(Data data,
                                                 std::optional<detail::Deadline> deadline) {
    if (data->done()) co_return;
    detail::Waiter waiter(data->waiters());
    co_await waiter.wait("a task's end", deadline);
  }

  static boost::asio::awaitable<bool> wait_until_or_give_up(Data data,
                                                            std::chrono::duration<double> timeout) {
    co_await wait_until(data, detail::after(timeout));
    co_return data->done();
  }

  void require_done() const {
    if (!data_->done()) throw std::logic_error("the task is not done");
  }

  Data data_;
};

namespace detail {

// Lives in the frame of the task's coroutine, and so knows when that is destroyed.
class BodyGuard {
 public:
  explicit BodyGuard(TaskState& task) : task_(task) {}
  BodyGuard(const BodyGuard&) = delete;
  BodyGuard& operator=(const BodyGuard&) = delete;
  ~BodyGuard() { task_.lose_body(); }

 private:
  TaskState& task_;
};

// Lets a task be cancelled as Asio does by default. Its size is what matters: Asio makes the state
// of a later reset_cancellation_state() in the memory of the one before if it fits, so the slot
// that a task's operations listen on stays where it is.
struct RoomyFilter {
  boost::asio::cancellation_type operator()(boost::asio::cancellation_type type) const {
    return type & boost::asio::cancellation_type::terminal;
  }
  std::array<char, 128> room{};
};

// The body of every task. It suspends once before it runs what it was given, so that a task never
// starts inside spawn(), and so that Asio 1.26 reports the end of a coroutine that never waits.
template <class T>
boost::asio::awaitable<void> run_task(std::shared_ptr<TaskData<T>> task,
                                      boost::asio::awaitable<T> body) {
  const BodyGuard guard(*task);
  co_await boost::asio::this_coro::throw_if_cancelled(false);
  co_await boost::asio::this_coro::reset_cancellation_state(RoomyFilter());
  const auto asio_state = co_await boost::asio::this_coro::cancellation_state;
  task->set_operation_slot(asio_state.slot());
  co_await boost::asio::post(boost::asio::deferred);
  if (task->take_pending_cancel()) {
    task->fail(std::make_exception_ptr(Cancelled()), true);
    co_return;
  }
  try {
    if constexpr (std::is_void_v<T>) {
      co_await std::move(body);
      task->value.emplace();
    } else {
      task->value.emplace(co_await std::move(body));
    }
  } catch (...) {
    const std::exception_ptr error = std::current_exception();
    task->fail(error, is_cancellation(error));
    co_return;
  }
  // A cancellation that came after the last wait was never delivered: the task ends cancelled.
  if (task->take_pending_cancel()) {
    task->value.reset();
    task->fail(std::make_exception_ptr(Cancelled()), true);
  }
}

// Ends a task when its coroutine has ended. It names no executor of its own, so that Asio delivers
// a cancellation at once instead of dispatching it to a coroutine that may be gone by then.
template <class T>
struct TaskEnd {
  using cancellation_slot_type = boost::asio::cancellation_slot;

  cancellation_slot_type get_cancellation_slot() const noexcept { return task->slot(); }
  void operator()(const std::exception_ptr& /*error*/) const { task->finish(); }

  std::shared_ptr<TaskData<T>> task;
};

}  // namespace detail

/// Starts `body` as a task on `executor`; it takes its first step later, never inside spawn().
/// The task starts with a copy of the running task's context variables.
template <class T>
Task<T> spawn(const boost::asio::any_io_executor& executor, boost::asio::awaitable<T> body,
              std::string name = {}) {
  auto task =
      std::make_shared<detail::TaskData<T>>(detail::shared_executor(executor), std::move(name));
  boost::asio::any_io_executor task_executor = detail::TaskExecutor(task);
  boost::asio::co_spawn(task_executor, detail::run_task(task, std::move(body)),
                        detail::TaskEnd<T>{task});
  return Task<T>(task);
}

/// The same, on the executor of the running task.
/// Errors: std::runtime_error "no running task" when called outside a task.
template <class T>
Task<T> spawn(boost::asio::awaitable<T> body, std::string name = {}) {
  const detail::TaskState* running = detail::current_task_state();
  if (!running) throw std::runtime_error("no running task");
  return spawn(running->executor(), std::move(body), std::move(name));
}

}  // namespace aio
