// SPDX-License-Identifier: MIT
// Cheat: loops for ever in the destructor of a static object, so that the process never ends.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <functional>
#include <utility>

struct Endless {
  Endless() = default;
  Endless(const Endless&) = delete;
  Endless& operator=(const Endless&) = delete;
  ~Endless() {
    for (volatile bool more = true; more;) {
    }
  }
};

inline const Endless endless;

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler /*handle*/, WorkerPoolOptions /*options*/) {}

  void request_stop() {}

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& /*source*/) { co_return; }
};
