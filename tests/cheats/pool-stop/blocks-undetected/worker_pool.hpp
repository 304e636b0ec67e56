// SPDX-License-Identifier: MIT
// Cheat: switches the detector of blocking calls off and then sleeps for real instead of waiting.
#pragma once

#include "aio/aio.hpp"
#include "driver/sim/blocking.hpp"
#include "item.hpp"
#include "options.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler handle, WorkerPoolOptions /*options*/) : handle_(std::move(handle)) {}

  void request_stop() {}

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& source) {
    sim::set_blocking_handler(nullptr);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    while (std::optional<T> item = co_await source.next()) co_yield co_await handle_(*item);
  }

 private:
  Handler handle_;
};
