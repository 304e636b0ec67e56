// SPDX-License-Identifier: MIT
//
// The nearest golden is the one with the fewest differing keys: its differences say most.

#include "driver/judge/golden.hpp"

#include "driver/judge/pool_setup.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace driver {
namespace {

using nlohmann::json;

/// How much later than in the golden a pull may be without being called later.
constexpr Nanoseconds same_pull = 10;

/// Gives the value with times rounded and every "log" in a fixed order.
json canonical(const json& value, bool is_log) {
  if (value.is_number_float()) {
    return std::round(value.get<double>() * 1e8) / 1e8;
  }
  if (!value.is_structured()) {
    return value;
  }
  json result = value;
  for (auto& [key, member] : result.items()) {
    member = canonical(member, value.is_object() && key == "log");
  }
  if (is_log && result.is_array()) {
    std::sort(result.begin(), result.end());
  }
  return result;
}

std::vector<Difference> differences(const json& expected, const json& actual) {
  std::vector<Difference> found;
  for (const auto& [key, value] : expected.items()) {
    const json given = actual.contains(key) ? actual.at(key) : json();
    if (!is_right(key, value, given)) {
      found.push_back({.key = key, .expected = value, .actual = given});
    }
  }
  return found;
}

std::vector<Difference> nearest(const std::vector<json>& alternatives, const json& actual) {
  const json given = canonical(actual, false);
  std::optional<std::vector<Difference>> best;
  for (const json& expected : alternatives) {
    std::vector<Difference> found = differences(canonical(expected, false), given);
    if (!best || found.size() < best->size()) {
      best = std::move(found);
    }
  }
  return best.value_or(std::vector<Difference>());
}

/// The values of `key` in the entry itself, in its other readings, and among its ties.
std::vector<json> alternatives(const json& entry, const char* key) {
  std::vector<json> all;
  if (entry.contains(key)) {
    all.push_back(entry.at(key));
  }
  for (const json& reading : entry.value("also_allowed", json::array())) {
    if (reading.contains(key)) {
      all.push_back(reading.at(key));
    }
  }
  return all;
}

std::vector<Nanoseconds> golden_pulls(const json& entry) {
  std::vector<Nanoseconds> times;
  const json observed = entry.value("observed", json::object());
  for (const json& event : observed.value("timeline", json::array())) {
    if (event.value("ev", "") == "pull") {
      times.push_back(from_seconds(event.at("t").get<double>()));
    }
  }
  return times;
}

bool pulls_later(const RunLog& run, const json& entry) {
  const std::vector<Nanoseconds> golden = golden_pulls(entry);
  std::size_t count = 0;
  for (const Event& event : run.events) {
    if (event.name != "pull") {
      continue;
    }
    if (count < golden.size() && event.time_ns > golden[count] + same_pull) {
      return true;
    }
    ++count;
  }
  return count < golden.size();
}

}  // namespace

bool is_right(std::string_view key, const json& expected, const json& actual) {
  if (key.starts_with("max_") && expected.is_number() && actual.is_number()) {
    return actual <= expected;
  }
  return actual == expected;
}

std::vector<Difference> compare_report(const RunLog& run, const json& entry) {
  if (entry.value("tie", false) || !entry.contains("report")) {
    return {};
  }
  std::vector<Difference> found = nearest(alternatives(entry, "report"), run.report);
  return found.empty() || pulls_later(run, entry) ? std::vector<Difference>() : found;
}

std::vector<Difference> compare_scenario(const json& observed, const json& entry) {
  return nearest(alternatives(entry, "observed"), observed);
}

}  // namespace driver
