// SPDX-License-Identifier: MIT
// The suspended waits of one execution context. When the context is destroyed with coroutines still
// waiting, the service destroys their handlers, and with them their frames.
#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>

#include <memory>
#include <utility>

namespace aio::detail {

// How a wait ended.
enum class WaitResult { notified, cancelled };

// One suspended wait; completes its handler once, always through a post.
class PendingWait {
 public:
  PendingWait() = default;
  PendingWait(const PendingWait&) = delete;
  PendingWait& operator=(const PendingWait&) = delete;
  virtual ~PendingWait() = default;

  // Destroys this object.
  virtual void complete(WaitResult result) = 0;

 private:
  friend class WaitService;
  PendingWait* previous_ = nullptr;
  PendingWait* next_ = nullptr;
};

class WaitService : public boost::asio::execution_context::service {
 public:
  using key_type = WaitService;
  inline static boost::asio::execution_context::id id;

  explicit WaitService(boost::asio::execution_context& context) : service(context) {}

  void add(PendingWait& wait) {
    wait.next_ = first_;
    if (first_) first_->previous_ = &wait;
    first_ = &wait;
  }

  void remove(PendingWait& wait) {
    (wait.previous_ ? wait.previous_->next_ : first_) = wait.next_;
    if (wait.next_) wait.next_->previous_ = wait.previous_;
    wait.previous_ = wait.next_ = nullptr;
  }

  void shutdown() override {
    while (first_) {
      PendingWait* wait = first_;
      remove(*wait);
      delete wait;
    }
  }

 private:
  PendingWait* first_ = nullptr;
};

// A PendingWait with its handler, a `void(WaitResult)`.
template <class Handler>
class HandlerWait final : public PendingWait {
 public:
  HandlerWait(WaitService& service, Handler handler)
      : service_(service), handler_(std::move(handler)) {
    service_.add(*this);
  }

  void complete(WaitResult result) override {
    service_.remove(*this);
    Handler handler = std::move(handler_);
    delete this;
    auto executor = boost::asio::get_associated_executor(handler);
    auto resume = [handler = std::move(handler), result]() mutable { std::move(handler)(result); };
    boost::asio::post(executor, std::move(resume));
  }

 private:
  WaitService& service_;
  Handler handler_;
};

}  // namespace aio::detail
