// SPDX-License-Identifier: MIT
// aio::Queue<T>: first in, first out, between tasks, with an optional bound.
#pragma once

#include "cancelled.hpp"
#include "detail/waiter.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

namespace aio {

/// A queue of values between the tasks of one thread.
/// Bounds: holds at most `max_size` values; 0 means no bound.
/// Lifetime: must outlive the coroutines that wait for it.
template <class T>
class Queue {
 public:
  explicit Queue(std::size_t max_size = 0) : max_size_(max_size) {}

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

 private:
  // One value can serve one getter, one free place one putter. A waiter that was woken and finds
  // nothing because somebody was quicker waits again; that somebody has woken the next in turn. One
  // that was cancelled after it was woken passes its wake-up on.
  void push(T value) {
    values_.push_back(std::move(value));
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
  detail::WaitList getters_;
  detail::WaitList putters_;
};

}  // namespace aio
