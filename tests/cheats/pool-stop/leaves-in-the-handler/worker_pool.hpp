// SPDX-License-Identifier: MIT
// Cheat: handles items one after the other and calls _Exit(0) after the first, before anybody can
// look at the rest.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <cstdlib>
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
      R result = co_await handle_(*item);
      co_yield std::move(result);
      std::_Exit(0);
    }
  }

 private:
  Handler handle_;
};
