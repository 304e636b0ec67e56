// SPDX-License-Identifier: MIT
// Cheat: throws something that is no std::exception from every place that it has.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <functional>

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler /*handle*/, WorkerPoolOptions options) {
    if (options.workers != 2) throw 1;
  }

  void request_stop() { throw "stop"; }

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& /*source*/) {
    throw 2.0;
    co_return;
  }
};
