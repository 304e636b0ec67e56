// SPDX-License-Identifier: MIT
// The executor of aio::run: an io_context's own, except that a task which only waits does not keep
// the loop alive. So the loop runs dry, and run() sees it, when nothing is left to wake anybody.
#pragma once

#include <boost/asio/execution.hpp>
#include <boost/asio/io_context.hpp>

#include <utility>

namespace aio::detail {

// Asio counts its pending operations and timers in the loop itself; what is left out here is
// `outstanding_work.tracked`, with which co_spawn would count suspended coroutines as well.
class LoopExecutor {
 public:
  explicit LoopExecutor(boost::asio::io_context& loop) noexcept : LoopExecutor(loop, false) {}

  template <class Function>
  void execute(Function&& function) const {
    if (never_blocks_) {
      boost::asio::require(loop_->get_executor(), boost::asio::execution::blocking.never)
          .execute(std::forward<Function>(function));
    } else {
      loop_->get_executor().execute(std::forward<Function>(function));
    }
  }

  boost::asio::execution_context& query(boost::asio::execution::context_t) const noexcept {
    return *loop_;
  }
  boost::asio::execution::blocking_t query(boost::asio::execution::blocking_t) const noexcept {
    if (never_blocks_) return boost::asio::execution::blocking.never;
    return boost::asio::execution::blocking.possibly;
  }

  LoopExecutor require(boost::asio::execution::blocking_t::never_t) const noexcept {
    return {*loop_, true};
  }
  LoopExecutor require(boost::asio::execution::blocking_t::possibly_t) const noexcept {
    return {*loop_, false};
  }

  friend bool operator==(const LoopExecutor& a, const LoopExecutor& b) noexcept {
    return a.loop_ == b.loop_ && a.never_blocks_ == b.never_blocks_;
  }
  friend bool operator!=(const LoopExecutor& a, const LoopExecutor& b) noexcept {
    return !(a == b);
  }

 private:
  LoopExecutor(boost::asio::io_context& loop, bool never_blocks) noexcept
      : loop_(&loop), never_blocks_(never_blocks) {}

  boost::asio::io_context* loop_;
  bool never_blocks_;
};

}  // namespace aio::detail
