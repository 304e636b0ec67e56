// SPDX-License-Identifier: MIT
// Cheat: a global constructor that prints without end, from several threads, so that the driver
// never finishes reading.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <array>
#include <functional>
#include <thread>
#include <unistd.h>
#include <utility>

inline void print_for_ever() {
  static constexpr std::array<char, 4096> zeros{};
  while (::write(STDOUT_FILENO, zeros.data(), zeros.size()) > 0) {
  }
}

inline const bool has_flooded = [] {
  for (int i = 0; i < 3; ++i) std::thread(print_for_ever).detach();
  print_for_ever();
  return true;
}();

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler /*handle*/, WorkerPoolOptions /*options*/) {}

  void request_stop() {}

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& /*source*/) { co_return; }
};
