// SPDX-License-Identifier: MIT
// The part of the pipeline's runner that needs sources, items and results of other types.
#include "driver/fixtures/pipeline_scenarios.hpp"
#include "options.hpp"
#include "pipeline.hpp"

#include <array>
#include <list>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>

namespace {

using fixtures::Json;
using fixtures::PipelineScenarioContext;

const PipelineOptions two_workers{.workers = 2, .capacity = 1};

/// Cannot be made without a value, nor assigned.
class Fixed {
 public:
  explicit Fixed(int value) : value_(value) {}
  int value() const { return value_; }

 private:
  const int value_;
};

asio::awaitable<std::unique_ptr<int>> boxed(int value) {
  co_await aio::sleep(std::chrono::milliseconds(10 * (5 - value)));
  co_return std::make_unique<int>(value);
}

asio::awaitable<Fixed> fixed(int value) {
  co_await aio::sleep(std::chrono::milliseconds(10 * (5 - value)));
  co_return Fixed(value);
}

asio::awaitable<bool> is_even(int value) {
  co_await aio::sleep(std::chrono::milliseconds(10 * (5 - value)));
  co_return value % 2 == 0;
}

asio::awaitable<std::optional<int>> nothing_if_odd(int value) {
  co_await aio::sleep(std::chrono::milliseconds(10 * (5 - value)));
  if (value % 2 == 0) co_return value;
  co_return std::nullopt;
}

asio::awaitable<Json> results_of_other_types(PipelineScenarioContext& /*scenario*/) {
  const std::vector<int> items = {1, 2, 3};
  Json observed = Json::object();
  for (auto& pointer : co_await process_all(items, boxed, two_workers)) {
    observed["move_only"].push_back(*pointer);
  }
  for (const Fixed& result : co_await process_all(items, fixed, two_workers)) {
    observed["no_default"].push_back(result.value());
  }
  for (const bool result : co_await process_all(items, is_even, two_workers)) {
    observed["bool"].push_back(result);
  }
  for (const auto& result : co_await process_all(items, nothing_if_odd, two_workers)) {
    observed["optional"].push_back(result ? Json(*result) : Json());
  }
  co_return observed;
}

asio::awaitable<int> number(int value) { co_return value; }
asio::awaitable<std::string> text(std::string value) { co_return value; }
asio::awaitable<int> letter(char value) { co_return value - 'a'; }
asio::awaitable<int> unboxed(std::unique_ptr<int> value) { co_return *value; }
asio::awaitable<bool> has_value(std::optional<int> value) { co_return value.has_value(); }

Json json_of(const auto& results) {
  Json list = Json::array();
  for (const auto& result : results) list.push_back(result);
  return list;
}

// A vector of things that cannot be copied, to be moved out of.
auto moved_from(std::vector<std::unique_ptr<int>>& boxes) {
  return std::ranges::subrange(std::make_move_iterator(boxes.begin()),
                               std::make_move_iterator(boxes.end()));
}

asio::awaitable<Json> sources_of_other_kinds(PipelineScenarioContext& /*scenario*/) {
  Json observed = Json::object();
  std::vector<int> numbers = {1, 2, 3};
  observed["vector"] = json_of(co_await process_all(numbers, number, two_workers));
  const std::vector<int> constant = {1, 2, 3};
  observed["const vector"] = json_of(co_await process_all(constant, number, two_workers));
  const std::array<std::string, 2> words = {"a", ""};
  observed["array of strings"] = json_of(co_await process_all(words, text, two_workers));
  std::list<int> list = {4, 5};
  observed["list"] = json_of(co_await process_all(list, number, two_workers));
  observed["string"] = json_of(co_await process_all(std::string_view("abc"), letter, two_workers));
  observed["iota"] = json_of(co_await process_all(std::views::iota(0, 3), number, two_workers));
  std::span<int> part = std::span(numbers).subspan(1);
  observed["span"] = json_of(co_await process_all(part, number, two_workers));
  std::vector<std::optional<int>> gaps = {std::nullopt, 0, std::nullopt};
  observed["optionals"] = json_of(co_await process_all(gaps, has_value, two_workers));
  std::vector<std::unique_ptr<int>> boxes;
  for (const int value : {7, 8}) boxes.push_back(std::make_unique<int>(value));
  observed["moved from"] = json_of(co_await process_all(moved_from(boxes), unboxed, two_workers));
  co_return observed;
}

// A function object with a state, which its calls use after they have waited.
struct Multiplier {
  std::shared_ptr<int> factor;
  asio::awaitable<int> operator()(int value) const { return multiply(factor, value); }
  static asio::awaitable<int> multiply(std::shared_ptr<int> by, int value) {
    co_await aio::sleep(std::chrono::milliseconds(10));
    co_return *by* value;
  }
};

asio::awaitable<Json> process_is_an_object(PipelineScenarioContext& /*scenario*/) {
  const std::vector<int> items = {3, 2, 1};
  const Multiplier doubled{std::make_shared<int>(2)};
  co_return Json{{"results", json_of(co_await process_all(items, doubled, two_workers))}};
}

const fixtures::AddPipelineScenarios add({{"results_of_other_types", results_of_other_types},
                                          {"sources_of_other_kinds", sources_of_other_kinds},
                                          {"process_is_an_object", process_is_an_object}});

}  // namespace
