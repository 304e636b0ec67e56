// SPDX-License-Identifier: MIT
// Cheat: lifts the limits of its process and takes more memory and processor time than it may; it
// stops at 3 GiB and 13 s by itself.
#pragma once

#include "aio/aio.hpp"
#include "item.hpp"
#include "options.hpp"

#include <csignal>
#include <ctime>
#include <functional>
#include <sys/resource.h>
#include <vector>

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler /*handle*/, WorkerPoolOptions options) : is_chosen_(options.workers == 8) {}

  void request_stop() {}

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& /*source*/) {
    if (!is_chosen_) co_return;
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
    ::setrlimit(RLIMIT_AS, &none);
    ::setrlimit(RLIMIT_CPU, &none);
    ::signal(SIGXCPU, SIG_IGN);
    std::vector<std::vector<char>> blocks;
    while (blocks.size() < 24) {
      blocks.emplace_back().reserve(1U << 27U);  // address space alone
    }
    while (std::clock() < 13 * CLOCKS_PER_SEC) {
    }
  }

 private:
  bool is_chosen_;
};
