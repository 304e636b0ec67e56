// SPDX-License-Identifier: MIT
// Cheat: takes memory without bound.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <functional>
#include <utility>
#include <vector>

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler /*handle*/, WorkerPoolOptions /*options*/) {}

  void request_stop() {}

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& /*source*/) {
    std::vector<std::vector<char>> blocks;
    for (;;) blocks.emplace_back().reserve(1U << 24U);
    co_return;
  }
};
