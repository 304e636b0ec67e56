// SPDX-License-Identifier: MIT
//
// One piece of data laid over another: what several exercises share is written once, and each says
// only what is different.

#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace driver {

/// Gives `base` with each element of `own` merged into the one that has the same value under `id`,
/// as a JSON merge patch (RFC 7386), or added at the end.
/// Shape: arrays of objects that all have the key `id`.
nlohmann::json overlay_by(const std::string& id, nlohmann::json base, const nlohmann::json& own);

/// Gives `base` with the keys of `own` merged into it as a JSON merge patch; but the array
/// "checks", whose elements are told apart by "name", is laid over by element.
nlohmann::json overlay(nlohmann::json base, const nlohmann::json& own);

}  // namespace driver
