// SPDX-License-Identifier: MIT

#include "driver/core/overlay.hpp"

#include <algorithm>
#include <utility>

namespace driver {

using nlohmann::json;

json overlay_by(const std::string& id, json base, const json& own) {
  for (const json& element : own) {
    const auto same = std::ranges::find_if(
        base, [&](const json& candidate) { return candidate.at(id) == element.at(id); });
    if (same == base.end()) {
      base.push_back(element);
    } else {
      same->merge_patch(element);
    }
  }
  return base;
}

json overlay(json base, const json& own) {
  json checks =
      overlay_by("name", base.value("checks", json::array()), own.value("checks", json::array()));
  base.merge_patch(own);
  base["checks"] = std::move(checks);
  return base;
}

}  // namespace driver
