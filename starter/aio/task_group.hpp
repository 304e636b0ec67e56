// SPDX-License-Identifier: MIT
// aio::TaskGroup: tasks that end together. When one fails the others are cancelled, and run()
// returns only when all of them have ended.
#pragma once

#include "cancelled.hpp"
#include "detail/waiter.hpp"
#include "exception_group.hpp"
#include "task.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <exception>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace aio {

/// A set of tasks with one owner: the task that calls run().
/// Lifetime: must live until run() has ended. Spawn tasks only from inside run()'s body or from
/// the group's tasks.
/// Example: `aio::TaskGroup group; co_await group.run(supervise(group));`
class TaskGroup {
 public:
  TaskGroup() = default;
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  /// Starts `body` as a task of the group.
  /// Errors: std::runtime_error "no running task" when called outside a task. In a group that is
  /// shutting down the new task is cancelled before it starts.
  template <class T>
  Task<T> spawn(boost::asio::awaitable<T> body, std::string name = {}) {
    Task<T> task = aio::spawn(std::move(body), std::move(name));
    const auto place = children_.insert(children_.end(), task.state());
    task.state()->on_done([this, place](detail::TaskState& child) { on_child_done(place, child); });
    if (is_aborting_) task.cancel();
    return task;
  }

  /// Runs `body`, then waits until every task of the group has ended.
  /// Errors: ExceptionGroup of everything that the body and the tasks threw, when at least one of
  /// them failed; the rest was cancelled. Something that is no std::exception comes out bare.
  /// std::runtime_error "no running task" when called outside a task.
  /// Cancel: cancels the body and all tasks, waits for them, then throws Cancelled. A task that
  /// ends cancelled by itself is no failure.
  boost::asio::awaitable<void> run(boost::asio::awaitable<void> body) {
    owner_ = detail::current_task_state();
    if (!owner_) throw std::runtime_error("no running task");
    std::exception_ptr cancellation;
    try {
      co_await std::move(body);
    } catch (...) {
      note_body_error(std::current_exception(), cancellation);
    }
    // A failing child cancelled the body: that request was the group's own.
    if (is_owner_cancelled_ && owner_->uncancel() == 0) cancellation = nullptr;
    is_joining_ = true;
    while (!children_.empty()) {
      detail::Waiter waiter(joiners_);
      try {
        co_await waiter.wait("TaskGroup::run");
      } catch (const Cancelled&) {
        cancellation = std::current_exception();
        abort();
      }
    }
    throw_outcome(cancellation);
  }

 private:
  using Children = std::list<std::shared_ptr<detail::TaskState>>;

  void note_body_error(const std::exception_ptr& error, std::exception_ptr& cancellation) {
    if (is_cancellation(error)) {
      cancellation = std::make_exception_ptr(Cancelled());
    } else {
      record(error);
    }
    abort();
  }

  void on_child_done(Children::iterator place, detail::TaskState& child) {
    const std::shared_ptr<detail::TaskState> keep_alive = std::move(*place);
    children_.erase(place);
    if (!child.cancelled() && child.error()) {
      record(child.error());
      const bool is_first = !is_aborting_;
      abort();
      if (is_first && !is_joining_) {
        is_owner_cancelled_ = true;
        owner_->cancel();
      }
    }
    if (children_.empty()) joiners_.notify_all();
  }

  void record(const std::exception_ptr& error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception&) {
      errors_.push_back(error);
    } catch (...) {
      if (!bare_error_) bare_error_ = error;
    }
  }

  void abort() {
    if (std::exchange(is_aborting_, true)) return;
    const Children to_cancel = children_;
    for (const auto& child : to_cancel) child->cancel();
  }

  void throw_outcome(const std::exception_ptr& cancellation) {
    if (bare_error_) std::rethrow_exception(bare_error_);
    if (!errors_.empty()) {
      throw ExceptionGroup("unhandled errors in a TaskGroup", std::move(errors_));
    }
    if (cancellation) std::rethrow_exception(cancellation);
  }

  Children children_;
  detail::WaitList joiners_;
  detail::TaskState* owner_ = nullptr;
  std::vector<std::exception_ptr> errors_;
  std::exception_ptr bare_error_;
  bool is_aborting_ = false;
  bool is_joining_ = false;
  bool is_owner_cancelled_ = false;
};

}  // namespace aio
