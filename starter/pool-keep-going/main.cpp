// SPDX-License-Identifier: MIT
// Given: ten numbers through a pool of two workers, one of which is refused. The others come out
// all the same, and the failure at the end. Prints
//     0 10 30 40 50 60 70 80 90
//     ValueError('bad item')
#include "worker_pool.hpp"

#include <algorithm>
#include <iostream>
#include <vector>

namespace {

using std::chrono::milliseconds;

aio::AsyncGenerator<int> numbers() {
  for (int n = 0; n < 10; ++n) co_yield n;
}

asio::awaitable<int> times_ten(int n) {
  co_await aio::sleep(milliseconds(10));
  if (n == 2) throw std::invalid_argument("bad item");
  co_return n * 10;
}

// Reads all results into `results`; throws what the pool throws after the last one.
asio::awaitable<void> read_all(std::vector<int>& results) {
  WorkerPool<int, int> pool(
      times_ten, {.workers = 2, .queue_size = 2, .item_timeout = std::chrono::seconds(1)});
  aio::AsyncGenerator<int> source = numbers();
  aio::AsyncGenerator<int> output = pool.run(source);
  for (;;) {
    const std::optional<int> result = co_await output.next();
    if (!result) break;
    results.push_back(*result);
  }
}

void print(std::vector<int> results) {
  std::ranges::sort(results);
  const char* separator = "";
  for (const int result : results) {
    std::cout << separator << result;
    separator = " ";
  }
  std::cout << std::endl;
}

}  // namespace

int main() {
  std::vector<int> results;
  try {
    aio::run(read_all(results));
    print(results);
  } catch (const aio::ExceptionGroup& group) {
    print(results);
    for (const std::exception_ptr& failure : group.exceptions()) {
      std::cout << aio::repr(failure) << std::endl;
    }
  } catch (const std::exception& error) {
    std::cerr << aio::repr(error) << std::endl;
    return 1;
  }
}
