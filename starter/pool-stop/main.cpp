// SPDX-License-Identifier: MIT
// Given: three numbers through a pool of three workers. The later ones finish sooner, so this
// prints, in about 0.3 seconds instead of 0.6:
//     4
//     1
//     0
#include "worker_pool.hpp"

#include <iostream>

namespace {

using std::chrono::milliseconds;

aio::AsyncGenerator<int> numbers() {
  for (int n = 0; n < 3; ++n) co_yield n;
}

asio::awaitable<int> slow_square(int n) {
  co_await aio::sleep(milliseconds(100 * (3 - n)));
  co_return n* n;
}

asio::awaitable<void> print_squares() {
  WorkerPool<int, int> pool(
      slow_square, {.workers = 3, .queue_size = 3, .item_timeout = std::chrono::seconds(1)});
  aio::AsyncGenerator<int> source = numbers();
  aio::AsyncGenerator<int> squares = pool.run(source);
  for (;;) {
    const std::optional<int> square = co_await squares.next();
    if (!square) break;
    std::cout << *square << std::endl;
  }
}

}  // namespace

int main() {
  try {
    aio::run(print_squares());
  } catch (const std::exception& error) {
    std::cerr << aio::repr(error) << std::endl;
    return 1;
  }
}
