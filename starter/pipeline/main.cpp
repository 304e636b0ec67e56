// SPDX-License-Identifier: MIT
// Given: five measuring stations are asked for their value, two at a time. The first one is slow,
// and still comes first in what this prints, after about 0.4 seconds instead of 0.8:
//     Ada 3
//     Brook 5
//     Clearing 8
//     Dam 3
//     East 4
#include "pipeline.hpp"

#include <array>
#include <iostream>
#include <string>

namespace {

using std::chrono::milliseconds;

asio::awaitable<std::string> measure(std::string station) {
  const bool is_slow = station == "Ada";
  co_await aio::sleep(milliseconds(is_slow ? 400 : 100));
  co_return station + " " + std::to_string(station.size());
}

asio::awaitable<void> print_measurements() {
  const std::array<std::string, 5> stations = {"Ada", "Brook", "Clearing", "Dam", "East"};
  const auto lines = co_await process_all(stations, measure, {.workers = 2, .capacity = 1});
  for (const std::string& line : lines) std::cout << line << std::endl;
}

}  // namespace

int main() {
  try {
    aio::run(print_measurements());
  } catch (const std::exception& error) {
    std::cerr << aio::repr(error) << std::endl;
    return 1;
  }
}
