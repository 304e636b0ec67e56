// SPDX-License-Identifier: MIT
// aio::Event: a flag that coroutines can wait for.
#pragma once

#include "detail/waiter.hpp"

#include <boost/asio/awaitable.hpp>

namespace aio {

/// A flag, down at first; set() wakes everybody who waits.
/// Lifetime: must outlive the coroutines that wait for it.
class Event {
 public:
  bool is_set() const { return is_set_; }

  /// Raises the flag and wakes all waiters.
  void set() {
    is_set_ = true;
    waiters_.notify_all();
  }

  /// Lowers the flag; who was woken before stays woken.
  void clear() { is_set_ = false; }

  /// Returns at once when the flag is up, else when it is raised.
  /// Cancel: throws Cancelled; the flag stays as it is.
  boost::asio::awaitable<void> wait() {
    if (is_set_) co_return;
    detail::Waiter waiter(waiters_);
    co_await waiter.wait("Event::wait");
  }

 private:
  detail::WaitList waiters_;
  bool is_set_ = false;
};

}  // namespace aio
