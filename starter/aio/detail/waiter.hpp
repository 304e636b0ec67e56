// SPDX-License-Identifier: MIT
// The one way in which aio suspends a coroutine: until somebody notifies it, its deadline passes or
// its task is cancelled. Everything else in aio that waits is built on it.
#pragma once

#include "../cancelled.hpp"
#include "task_executor.hpp"
#include "wait_list.hpp"
#include "wait_service.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/this_coro.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

namespace aio::detail {

using Deadline = std::chrono::steady_clock::time_point;

// What a cancellation does that comes after the wake-up and before the resumption: the wait has
// succeeded and the next one throws, or this one throws and whoever waited gives up what it got.
enum class LateCancel { hits_next_wait, hits_this_wait };

// Lives in the frame of the coroutine that waits; good for one wait.
class Waiter final : public WaitEntry {
 public:
  Waiter() = default;
  explicit Waiter(WaitList& list) { list.push_back(*this); }
  ~Waiter() override {
    if (alarm_) alarm_->waiter = nullptr;
  }

  bool notified() const { return notified_; }

  // Wakes the wait, or makes the one to come return at once. Calling it again does nothing.
  void notify() override {
    notified_ = true;
    complete(WaitResult::notified);
  }

  // Suspends until notify(), or until `deadline`; `what` says what is waited for, in words.
  // Errors: throws Cancelled when the task was cancelled first; `late` decides about a cancellation
  // that follows a notification.
  boost::asio::awaitable<void> wait(const char* what, std::optional<Deadline> deadline = {},
                                    LateCancel late = LateCancel::hits_next_wait) {
    if (notified_) co_return;
    auto executor = co_await boost::asio::this_coro::executor;
    TaskState* task = current_task_state();
    if (task) task->waits_for = what;
    if (deadline) set_alarm(shared_executor(executor), *deadline);
    auto& service = boost::asio::use_service<WaitService>(executor.context());
    auto start = [this, &service](auto handler) { suspend(service, std::move(handler)); };
    auto operation = boost::asio::async_initiate<const boost::asio::deferred_t, void(WaitResult)>(
        start, boost::asio::deferred);
    // NOLINTNEXTLINE(performance-move-const-arg): it may only be moved with some of Asio's handlers
    const WaitResult result = co_await std::move(operation);
    if (task) task->waits_for = nullptr;
    if (alarm_) alarm_->timer.cancel();
    // Outside aio's tasks Asio would throw at every later wait; a cancellation is delivered once.
    const bool is_sticky = co_await boost::asio::this_coro::throw_if_cancelled();
    const auto asio_state = co_await boost::asio::this_coro::cancellation_state;
    bool is_cancelled = result == WaitResult::cancelled;
    if (!is_cancelled && late == LateCancel::hits_this_wait) {
      is_cancelled = is_sticky ? asio_state.cancelled() != boost::asio::cancellation_type::none
                               : task && task->take_pending_cancel();
    }
    if (!is_cancelled) co_return;
    if (is_sticky) co_await boost::asio::this_coro::reset_cancellation_state();
    throw Cancelled();
  }

 private:
  // The timer's handler may still be queued when the wait is over: it finds no waiter then.
  struct Alarm {
    explicit Alarm(const boost::asio::any_io_executor& executor) : timer(executor) {}
    boost::asio::steady_timer timer;
    Waiter* waiter = nullptr;
  };

  void set_alarm(const boost::asio::any_io_executor& executor, Deadline deadline) {
    alarm_ = std::make_shared<Alarm>(executor);
    alarm_->waiter = this;
    alarm_->timer.expires_at(deadline);
    auto ring = [alarm = alarm_](const boost::system::error_code&) {
      if (alarm->waiter) alarm->waiter->notify();
    };
    // On the system executor the handler runs inside the event loop itself, so that between the
    // deadline and the wake-up there is no moment at which a cancellation could be lost.
    alarm_->timer.async_wait(
        boost::asio::bind_executor(boost::asio::system_executor(), std::move(ring)));
  }

  template <class Handler>
  void suspend(WaitService& service, Handler handler) {
    auto slot = boost::asio::get_associated_cancellation_slot(handler);
    pending_ = new HandlerWait<Handler>(service, std::move(handler));
    if (slot.is_connected()) {
      slot.assign([this](boost::asio::cancellation_type) { complete(WaitResult::cancelled); });
    }
  }

  // Leaves the list first: a waiter that is cancelled already must not use up a wake-up.
  void complete(WaitResult result) {
    unlink();
    if (PendingWait* pending = std::exchange(pending_, nullptr)) pending->complete(result);
  }

  PendingWait* pending_ = nullptr;  // owned by the service until it completes
  std::shared_ptr<Alarm> alarm_;
  bool notified_ = false;
};

}  // namespace aio::detail
