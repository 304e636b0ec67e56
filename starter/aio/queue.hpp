// SPDX-License-Identifier: MIT
// aio::Queue<T>: first in, first out, between tasks, with an optional bound.
#pragma once

#include "cancelled.hpp"
#include "detail/waiter.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

namespace aio {

namespace detail {

/// Called, if it is set, when a queue is destroyed of whose values some were marked as done and
/// others, of those that were taken, were not; with the number of the latter.
inline std::function<void(std::size_t)>& unfinished_queue_hook() {
  static std::function<void(std::size_t)> hook;
  return hook;
}

}  // namespace detail

/// A queue of values between the tasks of one thread. Who takes a value may say when it has dealt
/// with it (task_done()); join() waits until that was said of every value that was put in.
/// Bounds: holds at most `max_size` values; 0 means no bound.
/// Lifetime: must outlive the coroutines that wait for it.
template <class T>
class Queue {
 public:
  explicit Queue(std::size_t max_size = 0) : max_size_(max_size) {}
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue() {
    const std::size_t taken = unfinished_ - values_.size();
    if (uses_done_ && taken > 0 && detail::unfinished_queue_hook()) {
      detail::unfinished_queue_hook()(taken);
    }
  }

  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  bool full() const { return max_size_ != 0 && values_.size() >= max_size_; }

  /// Appends `value`, after waiting for room if the queue is full.
  /// Cancel: throws Cancelled, and the queue does not hold the value.
  boost::asio::awaitable<void> put(T value) {
    while (full()) {
      detail::Waiter waiter(putters_);
      try {
        co_await waiter.wait("Queue::put", {}, detail::LateCancel::hits_this_wait);
      } catch (const Cancelled&) {
        if (waiter.notified() && !full()) putters_.notify_one();
        throw;
      }
    }
    push(std::move(value));
  }

  /// Takes the oldest value, after waiting for one if the queue is empty.
  /// Cancel: throws Cancelled, and no value leaves the queue.
  boost::asio::awaitable<T> get() {
    while (values_.empty()) {
      detail::Waiter waiter(getters_);
      try {
        co_await waiter.wait("Queue::get", {}, detail::LateCancel::hits_this_wait);
      } catch (const Cancelled&) {
        if (waiter.notified() && !values_.empty()) getters_.notify_one();
        throw;
      }
    }
    co_return pop();
  }

  /// Appends `value` unless the queue is full; says whether it did, and moves from it only then.
  bool try_put(T&& value) {
    if (full()) return false;
    push(std::move(value));
    return true;
  }

  /// The oldest value, or nothing when the queue is empty.
  std::optional<T> try_get() {
    if (values_.empty()) return std::nullopt;
    return pop();
  }

  /// Says that one of the values that were taken has been dealt with.
  /// Errors: std::logic_error "task_done() called too many times" when none is left to be.
  void task_done() {
    if (unfinished_ == values_.size()) {
      throw std::logic_error("task_done() called too many times");
    }
    uses_done_ = true;
    if (--unfinished_ == 0) joiners_.notify_all();
  }

  /// Waits until every value that was put in has been taken and marked with task_done(). Returns at
  /// once when nothing was put in yet: wait for whoever puts first.
  /// Cancel: throws Cancelled.
  boost::asio::awaitable<void> join() {
    uses_done_ = true;
    while (unfinished_ > 0) {
      detail::Waiter waiter(joiners_);
      co_await waiter.wait("Queue::join");
    }
  }

 private:
  // One value can serve one getter, one free place one putter. A waiter that was woken and finds
  // nothing because somebody was quicker waits again; that somebody has woken the next in turn. One
  // that was cancelled after it was woken passes its wake-up on.
  void push(T value) {
    values_.push_back(std::move(value));
    ++unfinished_;
    getters_.notify_one();
  }

  T pop() {
    T value = std::move(values_.front());
    values_.pop_front();
    putters_.notify_one();
    return value;
  }

  std::deque<T> values_;
  std::size_t max_size_;
  std::size_t unfinished_ = 0;  // in the queue, or taken and not yet done
  bool uses_done_ = false;
  detail::WaitList getters_;
  detail::WaitList putters_;
  detail::WaitList joiners_;
};

}  // namespace aio
