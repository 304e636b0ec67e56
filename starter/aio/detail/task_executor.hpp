// SPDX-License-Identifier: MIT
// The executor on which a task's coroutine runs: it hands every step to the executor that the task
// was spawned on, and makes the task the running one while the step runs.
#pragma once

#include "task_state.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace aio::detail {

class TaskExecutor {
 public:
  explicit TaskExecutor(std::shared_ptr<TaskState> state) : TaskExecutor(std::move(state), {}) {}
  TaskExecutor(const TaskExecutor& other) noexcept : TaskExecutor(other.state_, other.modes_) {}
  TaskExecutor(TaskExecutor&& other) noexcept
      : state_(std::move(other.state_)), modes_(other.modes_) {}
  TaskExecutor& operator=(const TaskExecutor& other) noexcept {
    TaskExecutor copy(other);
    std::swap(state_, copy.state_);
    std::swap(modes_, copy.modes_);
    return *this;
  }
  ~TaskExecutor() {
    if (state_ && modes_.tracked) state_->release_work();
  }

  const std::shared_ptr<TaskState>& state() const { return state_; }

  template <class Function>
  void execute(Function&& function) const {
    auto step = [state = state_,
                 work = std::decay_t<Function>(std::forward<Function>(function))]() mutable {
      StepScope scope(std::move(state));
      std::move(work)();
    };
    ++state_->queued_;
    if (modes_.never_blocks) {
      boost::asio::require(state_->executor_, boost::asio::execution::blocking.never)
          .execute(std::move(step));
    } else {
      state_->executor_.execute(std::move(step));
    }
  }

  boost::asio::execution_context& query(boost::asio::execution::context_t) const {
    return state_->executor_.context();
  }
  boost::asio::execution::blocking_t query(boost::asio::execution::blocking_t) const {
    if (modes_.never_blocks) return boost::asio::execution::blocking.never;
    return boost::asio::execution::blocking.possibly;
  }

  TaskExecutor require(boost::asio::execution::blocking_t::never_t) const {
    return with_modes({true, modes_.tracked});
  }
  TaskExecutor require(boost::asio::execution::blocking_t::possibly_t) const {
    return with_modes({false, modes_.tracked});
  }
  TaskExecutor require(boost::asio::execution::outstanding_work_t::tracked_t) const {
    return with_modes({modes_.never_blocks, true});
  }
  TaskExecutor require(boost::asio::execution::outstanding_work_t::untracked_t) const {
    return with_modes({modes_.never_blocks, false});
  }

  friend bool operator==(const TaskExecutor& a, const TaskExecutor& b) noexcept {
    return a.state_ == b.state_ && a.modes_.never_blocks == b.modes_.never_blocks &&
           a.modes_.tracked == b.modes_.tracked;
  }
  friend bool operator!=(const TaskExecutor& a, const TaskExecutor& b) noexcept {
    return !(a == b);
  }

 private:
  struct Modes {
    bool never_blocks = false;
    bool tracked = false;
  };

  TaskExecutor(std::shared_ptr<TaskState> state, Modes modes) noexcept
      : state_(std::move(state)), modes_(modes) {
    if (state_ && modes_.tracked) state_->hold_work();
  }
  TaskExecutor with_modes(Modes modes) const { return {state_, modes}; }

  std::shared_ptr<TaskState> state_;
  Modes modes_;
};

// The executor that tasks share: what a TaskExecutor hands its steps to, or `executor` itself.
inline boost::asio::any_io_executor shared_executor(const boost::asio::any_io_executor& executor) {
  const auto* of_task = executor.target<TaskExecutor>();
  return of_task ? of_task->state()->executor() : executor;
}

}  // namespace aio::detail
