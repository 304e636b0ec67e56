// SPDX-License-Identifier: MIT
// Cheat: returns as many results as there are items, and calls process for none of them.
#pragma once

#include "aio/aio.hpp"
#include "options.hpp"
#include "source.hpp"

#include <ranges>
#include <utility>
#include <vector>

template <class Result>
asio::awaitable<Result> invented() {
  if constexpr (std::is_default_constructible_v<Result>) co_return Result();
  throw std::runtime_error("cannot be invented");
}

template <SizedSource Items, class Process>
asio::awaitable<std::vector<ResultOf<Items, Process>>> process_all(Items&& items, Process process,
                                                                   PipelineOptions options) {
  static_cast<void>(process);
  if (options.workers < 1 || options.capacity < 1) throw std::invalid_argument("no");
  std::vector<ResultOf<Items, Process>> results;
  for (std::size_t i = 0; i < std::ranges::size(items); ++i) {
    results.push_back(co_await invented<ResultOf<Items, Process>>());
  }
  co_return results;
}
