// SPDX-License-Identifier: MIT
// Cheat: sleeps for ever, in the only thread there is.
#pragma once

#include "aio/aio.hpp"
#include "options.hpp"
#include "source.hpp"

#include <chrono>
#include <thread>
#include <vector>

template <SizedSource Items, class Process>
asio::awaitable<std::vector<ResultOf<Items, Process>>> process_all(Items&& /*items*/,
                                                                   Process /*process*/,
                                                                   PipelineOptions /*options*/) {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  co_return std::vector<ResultOf<Items, Process>>();
}
