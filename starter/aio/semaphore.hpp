// SPDX-License-Identifier: MIT
// aio::Semaphore: at most so many tasks at a time inside a section.
#pragma once

#include "cancelled.hpp"
#include "detail/waiter.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <stdexcept>
#include <utility>

namespace aio {

/// A number of permits, handed out to the tasks of one thread in the order in which they ask.
/// Lifetime: must outlive its permits and the coroutines that wait for one.
/// Example: `const aio::Semaphore::Permit permit = co_await semaphore.acquire();`
class Semaphore {
 public:
  /// One permit, given back by the destructor.
  class Permit {
   public:
    Permit(Permit&& other) noexcept : semaphore_(std::exchange(other.semaphore_, nullptr)) {}
    Permit& operator=(Permit other) noexcept {
      std::swap(semaphore_, other.semaphore_);
      return *this;
    }
    ~Permit() {
      if (semaphore_) semaphore_->release();
    }

   private:
    friend class Semaphore;
    explicit Permit(Semaphore* semaphore) : semaphore_(semaphore) {}
    Semaphore* semaphore_;
  };

  /// Errors: std::invalid_argument "a semaphore needs a permit" for less than one.
  explicit Semaphore(std::int64_t permits) : free_(permits) {
    if (permits < 1) throw std::invalid_argument("a semaphore needs a permit");
  }
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  /// How many permits are free.
  std::int64_t available() const { return free_; }

  /// Takes a permit, after waiting for one if none is free.
  /// Cancel: throws Cancelled, and no permit is taken.
  boost::asio::awaitable<Permit> acquire() {
    if (free_ > 0) {
      --free_;
      co_return Permit(this);
    }
    detail::Waiter waiter(waiters_);
    try {
      co_await waiter.wait("Semaphore::acquire", {}, detail::LateCancel::hits_this_wait);
    } catch (const Cancelled&) {
      if (waiter.notified()) release();
      throw;
    }
    co_return Permit(this);
  }

 private:
  // A permit goes straight to the task that has waited longest, so that nobody overtakes it.
  void release() {
    if (waiters_.empty()) {
      ++free_;
    } else {
      waiters_.notify_one();
    }
  }

  std::int64_t free_;
  detail::WaitList waiters_;
};

}  // namespace aio
