// SPDX-License-Identifier: MIT
// What aio knows of one task: its context, its cancellation, its executor. A task's coroutine runs
// on a TaskExecutor, which tells this state whenever a step of the task is queued, starts and ends.
#pragma once

#include "../context_var.hpp"
#include "wait_list.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/execution.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace aio::detail {

class TaskState;

// The task whose step is running on this thread, or null.
inline TaskState*& current_task_state() {
  thread_local TaskState* current = nullptr;
  return current;
}

// All tasks of this thread that have not ended, oldest first: a ring through an anchor.
struct TaskLink {
  TaskLink* previous = this;
  TaskLink* next = this;
};

inline TaskLink& live_tasks() {
  thread_local TaskLink anchor;
  return anchor;
}

// Called with an exception that nobody read before its task was destroyed.
using UnreadHook = std::function<void(const std::string& task, std::exception_ptr error)>;
inline UnreadHook& unread_exception_hook() {
  thread_local UnreadHook hook;
  return hook;
}

class TaskState : public TaskLink, public std::enable_shared_from_this<TaskState> {
 public:
  TaskState(boost::asio::any_io_executor executor, std::string name)
      : executor_(std::move(executor)), context_(*current_context()), name_(std::move(name)) {
    if (name_.empty()) name_ = "task-" + std::to_string(++last_number());
    previous = live_tasks().previous;
    next = &live_tasks();
    previous->next = this;
    next->previous = this;
  }
  TaskState(const TaskState&) = delete;
  TaskState& operator=(const TaskState&) = delete;
  virtual ~TaskState() {
    unlink();
    if (error_ && !cancelled_ && !read_ && unread_exception_hook()) {
      unread_exception_hook()(name_, error_);
    }
  }

  // Requests a cancellation; false when the task has already ended. A task that waits in aio is
  // woken at once. One whose next step is running or queued has nothing to wake: it is told when it
  // next comes to rest, so that no cancellation falls between an operation's end and its
  // resumption. Requests that come before the first of them has been delivered are delivered as
  // one.
  bool cancel() {
    if (done_) return false;
    ++cancel_requests_;
    if (!is_waking_cancelled_) cancel_pending_ = true;
    deliver_pending_cancel();
    return true;
  }

  std::size_t cancel_requests() const { return cancel_requests_; }
  std::size_t uncancel() {
    if (cancel_requests_ > 0 && --cancel_requests_ == 0) cancel_pending_ = false;
    return cancel_requests_;
  }
  bool take_pending_cancel() { return std::exchange(cancel_pending_, false); }

  bool done() const { return done_; }
  bool cancelled() const { return cancelled_; }
  const std::exception_ptr& error() {
    read_ = true;
    return error_;
  }

  void fail(std::exception_ptr error, bool as_cancelled) {
    error_ = std::move(error);
    cancelled_ = as_cancelled;
  }

  // Called when the body is gone, at the task's end or because its loop is destroyed: a
  // cancellation would find nobody to deliver it to.
  void lose_body() { has_body_ = false; }

  // Called when the coroutine and all its frames are gone.
  void finish() {
    done_ = true;
    cancel_pending_ = false;
    unlink();
    for (auto& callback : std::exchange(callbacks_, {})) callback(*this);
    waiters_.notify_all();
  }

  // `callback` is called, once, within the task's last step.
  void on_done(std::function<void(TaskState&)> callback) {
    callbacks_.push_back(std::move(callback));
  }

  boost::asio::cancellation_slot slot() { return signal_.slot(); }

  // Tells where the operations that the body waits for listen for a cancellation.
  void set_operation_slot(boost::asio::cancellation_slot slot) { operation_slot_ = slot; }

  const boost::asio::any_io_executor& executor() const { return executor_; }
  Context& context() { return context_; }
  const std::string& name() const { return name_; }
  WaitList& waiters() { return waiters_; }

  // What the task waits for, in words ("Queue::get"), or null while it runs.
  const char* waits_for = nullptr;

 private:
  friend class TaskExecutor;
  friend class StepScope;

  static std::size_t& last_number() {
    thread_local std::size_t number = 0;
    return number;
  }

  void unlink() {
    previous->next = next;
    next->previous = previous;
    previous = next = this;
  }

  bool is_at_rest() const { return running_ == 0 && queued_ == 0; }

  bool can_deliver() const { return cancel_pending_ && has_body_ && is_at_rest(); }

  void deliver_pending_cancel() {
    if (!can_deliver()) return;
    if (waits_for) {
      wake_cancelled();
    } else if (!std::exchange(is_delivery_queued_, true)) {
      // An operation of Asio's own may have ended without anybody having been told, and would not
      // hear of the cancellation. It is told before this step comes.
      boost::asio::require(executor_, boost::asio::execution::blocking.never)
          .execute([self = shared_from_this()] { self->deliver_queued_cancel(); });
    }
  }

  // An operation that does not listen, such as a resolver's, leaves the cancellation pending.
  void deliver_queued_cancel() {
    is_delivery_queued_ = false;
    if (can_deliver() && operation_slot_.has_handler()) wake_cancelled();
  }

  void wake_cancelled() {
    cancel_pending_ = false;
    signal_.emit(boost::asio::cancellation_type::terminal);
    is_waking_cancelled_ = !is_at_rest();
  }

  // While a tracked TaskExecutor exists, the executor below is told of one piece of work.
  void hold_work() {
    if (tracked_++ == 0) {
      work_ = boost::asio::prefer(executor_, boost::asio::execution::outstanding_work.tracked);
    }
  }
  void release_work() {
    if (--tracked_ == 0) work_ = {};
  }

  boost::asio::any_io_executor executor_;
  boost::asio::any_io_executor work_;
  boost::asio::cancellation_signal signal_;
  boost::asio::cancellation_slot operation_slot_;
  Context context_;
  std::string name_;
  WaitList waiters_;
  std::vector<std::function<void(TaskState&)>> callbacks_;
  std::exception_ptr error_;
  std::size_t tracked_ = 0;
  std::size_t queued_ = 0;   // steps handed to the executor that have not started
  std::size_t running_ = 0;  // steps of this task on the stack
  std::size_t cancel_requests_ = 0;
  bool cancel_pending_ = false;
  bool is_waking_cancelled_ = false;  // the step that delivers a cancellation is queued
  bool is_delivery_queued_ = false;   // deliver_queued_cancel() will be called
  bool has_body_ = true;
  bool done_ = false;
  bool cancelled_ = false;
  bool read_ = false;
};

// Makes a task the running one for the time of one step, and restores what was before.
class StepScope {
 public:
  explicit StepScope(std::shared_ptr<TaskState> state)
      : state_(std::move(state)),
        outer_task_(std::exchange(current_task_state(), state_.get())),
        outer_context_(std::exchange(current_context(), &state_->context())) {
    --state_->queued_;
    ++state_->running_;
    state_->is_waking_cancelled_ = false;
  }
  StepScope(const StepScope&) = delete;
  StepScope& operator=(const StepScope&) = delete;
  ~StepScope() {
    --state_->running_;
    current_task_state() = outer_task_;
    current_context() = outer_context_;
    state_->deliver_pending_cancel();
  }

 private:
  std::shared_ptr<TaskState> state_;
  TaskState* outer_task_;
  Context* outer_context_;
};

}  // namespace aio::detail
