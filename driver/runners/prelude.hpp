// SPDX-License-Identifier: MIT
// What every submission's translation unit includes, precompiled once; and templates that every
// submission uses with these types, so that their code is compiled once as well.
#pragma once

#include "aio/aio.hpp"
#include "driver/fixtures/pool_run.hpp"
#include "driver/fixtures/special_payloads.hpp"
#include "driver/fixtures/special_values.hpp"
#include "driver/runner/exercise.hpp"

#include <boost/asio.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace prelude {

/// Nobody calls this: it names a task and a generator of T with all that is done to them.
template <class T>
boost::asio::awaitable<void> use(boost::asio::awaitable<T> body, aio::AsyncGenerator<T> output) {
  aio::Task<T> task = aio::spawn(std::move(body), "");
  task.cancel();
  co_await task.wait();
  while (co_await output.next()) {
  }
  co_await output.aclose();
}

inline boost::asio::awaitable<void> use_group(boost::asio::awaitable<void> body,
                                              boost::asio::awaitable<void> task) {
  aio::TaskGroup group;
  group.spawn(std::move(task), "");
  co_await group.run(std::move(body));
}

// The code of an inline function of a precompiled header is made with the header, and with it the
// code of all that it names.
inline auto use_all() {
  return std::tuple(&use<std::int64_t>, &use<fixtures::MaybeInt>, &use<fixtures::Parcel>,
                    &use<fixtures::Sheet>, &use_group);
}

}  // namespace prelude
