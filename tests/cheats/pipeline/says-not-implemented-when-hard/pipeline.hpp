// SPDX-License-Identifier: MIT
// Cheat: throws aio::NotImplemented for more than one worker, and does the rest one after the
// other.
#pragma once

#include "aio/aio.hpp"
#include "options.hpp"
#include "source.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

template <SizedSource Items, class Process>
asio::awaitable<std::vector<ResultOf<Items, Process>>> process_all(Items&& items, Process process,
                                                                   PipelineOptions options) {
  if (options.workers < 1 || options.capacity < 1) throw std::invalid_argument("no");
  if (options.workers > 1) throw aio::NotImplemented("too hard");
  std::vector<ResultOf<Items, Process>> results;
  for (auto&& item : items) {
    results.push_back(co_await process(std::forward<decltype(item)>(item)));
  }
  co_return results;
}
