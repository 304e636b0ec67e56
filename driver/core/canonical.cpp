// SPDX-License-Identifier: MIT
//
// The order within one instant is the scheduler's, not the submission's: it is taken out before
// two observations are compared.

#include "driver/core/compare.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace driver {
namespace {

using nlohmann::json;

/// The instant of an entry: its "t", or its first number when the entry is [time, ...], or its
/// third when it is a metrics entry [event, detail, time].
json instant(const json& entry) {
  if (entry.is_object()) {
    return entry.value("t", json());
  }
  if (entry.is_array() && !entry.empty() && entry.front().is_number()) {
    return entry.front();
  }
  return entry.is_array() && entry.size() == 3 ? entry[2] : json();
}

/// Sorts each run of neighbours that share an instant.
json sorted_within_instants(json list) {
  for (auto begin = list.begin(); begin != list.end();) {
    const json at = instant(*begin);
    auto end = begin;
    while (end != list.end() && instant(*end) == at) {
      ++end;
    }
    if (!at.is_null()) {
      std::sort(begin, end);
    }
    begin = end;
  }
  return list;
}

/// The results of the timeline's yields, in its order; null when it does not show all of them.
json yields_of(const json& timeline, std::size_t expected) {
  json results = json::array();
  for (const json& entry : timeline) {
    if (entry.is_object() && entry.value("ev", json()) == "yield") {
      results.push_back(entry.value("result", json()));
    }
  }
  return results.size() == expected ? results : json();
}

}  // namespace

json canonical(const json& observed) {
  if (!observed.is_object()) {
    return observed;
  }
  json result = observed;
  for (const char* list : {"timeline", "metrics", "log", "events"}) {
    if (result.contains(list) && result[list].is_array()) {
      result[list] = sorted_within_instants(std::move(result[list]));
    }
  }
  if (result.contains("group") && result["group"].is_array()) {
    std::sort(result["group"].begin(), result["group"].end());
  }
  if (result.contains("timeline") && result.contains("yielded") && result["yielded"].is_array()) {
    const json yields = yields_of(result["timeline"], result["yielded"].size());
    json by_value = yields;
    json observed_values = result["yielded"];
    std::sort(by_value.begin(), by_value.end());
    std::sort(observed_values.begin(), observed_values.end());
    // Only when they are the same results: else the difference must stay visible.
    result["yielded"] = by_value == observed_values ? yields : result["yielded"];
  }
  return result;
}

}  // namespace driver
