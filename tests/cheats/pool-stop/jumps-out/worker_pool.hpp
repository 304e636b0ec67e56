// SPDX-License-Identifier: MIT
// Cheat: leaves its coroutine with longjmp(), into the frame of a function that has returned.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <csetjmp>
#include <cstdlib>
#include <functional>
#include <utility>

inline std::jmp_buf way_out;

// The frame that the jump leads to is gone when it happens.
[[gnu::noinline]] inline bool remember_the_way_out() { return setjmp(way_out) != 0; }

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler /*handle*/, WorkerPoolOptions /*options*/) {}

  void request_stop() {}

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& /*source*/) {
    if (remember_the_way_out()) co_return;
    std::longjmp(way_out, 1);
  }
};
