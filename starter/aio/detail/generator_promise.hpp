// SPDX-License-Identifier: MIT
// The promise of an AsyncGenerator: one more frame on the coroutine stack of the Asio "thread" that
// calls next(). Entering it pushes the frame, co_yield and the end pop it.
#pragma once

#include "../cancelled.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace aio::detail {

template <class T, class Generator>
class GeneratorPromise
    : public boost::asio::detail::awaitable_frame<void, boost::asio::any_io_executor> {
  using Executor = boost::asio::any_io_executor;
  using Frame = boost::asio::detail::awaitable_frame<void, Executor>;
  using FrameBase = boost::asio::detail::awaitable_frame_base<Executor>;
  using Thread = boost::asio::detail::awaitable_thread<Executor>;

 public:
  Generator get_return_object() {
    const auto handle = std::coroutine_handle<GeneratorPromise>::from_promise(*this);
    this->coro_ = handle;
    return Generator(handle);
  }

  bool is_started() const { return started_; }
  bool is_running() const { return running_; }
  void close_at_yield() { closing_ = true; }

  // What next() awaits: control goes to this coroutine until it yields or ends. The frame below is
  // suspended by then, which is why the push happens in here.
  auto entry() {
    return [this](FrameBase* caller) -> Thread* {
      started_ = running_ = true;
      this->push_frame(caller);
      return nullptr;
    };
  }

  // The value just yielded; nothing when the coroutine has ended.
  std::optional<T> take_value() {
    running_ = false;
    return std::exchange(value_, std::nullopt);
  }

  std::exception_ptr take_error() { return std::exchange(this->pending_exception_, nullptr); }

  auto yield_value(T value) {
    struct Yield {
      GeneratorPromise& promise;

      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<> /*self*/) const noexcept { promise.pop_frame(); }
      void await_resume() const {
        if (promise.closing_) throw GeneratorExit();
      }
    };
    value_.emplace(std::move(value));
    return Yield{*this};
  }

  using FrameBase::await_transform;

  // Asio's awaiter wants the handle of one of its own frames; this promise is one by inheritance.
  template <class U>
  auto await_transform(boost::asio::awaitable<U, Executor> awaited) {
    struct Await {
      boost::asio::awaitable<U, Executor> awaited;
      Frame& frame;

      bool await_ready() const noexcept { return awaited.await_ready(); }
      void await_suspend(std::coroutine_handle<> /*self*/) {
        awaited.await_suspend(std::coroutine_handle<Frame>::from_promise(frame));
      }
      U await_resume() { return awaited.await_resume(); }
    };
    return Await{FrameBase::await_transform(std::move(awaited)), *this};
  }

 private:
  std::optional<T> value_;
  bool started_ = false;
  bool running_ = false;
  bool closing_ = false;
};

}  // namespace aio::detail
