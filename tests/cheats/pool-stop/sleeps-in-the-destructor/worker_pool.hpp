// SPDX-License-Identifier: MIT
// Cheat: sleeps for ever in its destructor, so that the run never ends.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <chrono>
#include <functional>
#include <thread>

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler /*handle*/, WorkerPoolOptions /*options*/) {}
  ~WorkerPool() {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }

  void request_stop() {}

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& /*source*/) { co_return; }
};
