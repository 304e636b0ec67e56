// SPDX-License-Identifier: MIT
//
// Absent settings mean what the case schema says they mean.

#include "driver/judge/pool_setup.hpp"

#include <algorithm>
#include <cmath>

namespace driver {

Nanoseconds from_seconds(double seconds) {
  constexpr double most = 1e18;  // what is later than 30 years is later than any event
  return static_cast<Nanoseconds>(std::llround(std::min(seconds * 1e9, most)));
}

bool PoolSetup::is_unique(std::int64_t item) const {
  const auto found = copies.find(item);
  return found != copies.end() && found->second == 1;
}

PoolSetup read_setup(const nlohmann::json& test_case, const nlohmann::json& parameters) {
  PoolSetup setup;
  setup.workers = test_case.at("workers").get<std::size_t>();
  setup.queue_size = test_case.at("queue_size").get<std::size_t>();
  setup.timeout = from_seconds(test_case.at("item_timeout").get<double>());
  setup.retryable = test_case.value("retryable", std::vector<std::string>());
  setup.max_retries = test_case.value("max_retries", std::int64_t{0});
  setup.metrics = test_case.value("metrics", "none");
  setup.has_bad_repr = test_case.value("bad_repr", false);
  for (const nlohmann::json& item : test_case.at("items")) {
    ++setup.copies[item.get<std::int64_t>()];
    ++setup.items;
  }
  if (const double delay = test_case.value("caller_delay", 0.0); delay > 0) {
    setup.caller_delay = from_seconds(delay);
  }
  const nlohmann::json source = test_case.value("source", nlohmann::json::object());
  const nlohmann::json on_cancel = source.value("on_cancel", nlohmann::json::object());
  setup.source_linger = from_seconds(on_cancel.value("linger", 0.0));
  setup.result_factor = parameters.value("result_factor", setup.result_factor);
  setup.failures_stop = parameters.value("failures_stop", setup.failures_stop);
  setup.timeouts_are_retried = parameters.value("timeouts_are_retried", false);
  setup.lead_ends_at_start = parameters.value("lead_ends_at_start", false);
  setup.metrics_take_items = parameters.value("metrics_take_items", false);
  setup.failure_event = parameters.value("failure_event", setup.failure_event);
  const std::int64_t stop_after = test_case.value("stop_after", std::int64_t{1});
  setup.stops_before =
      stop_after == 0 || (stop_after < 0 && parameters.value("stops_in_source", false));
  return setup;
}

}  // namespace driver
