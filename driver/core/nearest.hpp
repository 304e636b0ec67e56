// SPDX-License-Identifier: MIT
//
// "Did you mean ...?": the known name that is nearest to one that is not known.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace driver {

/// Gives the number of letters to insert, delete, replace or swap to make one name the other.
/// Bounds: names longer than 200 letters are compared by their first 200.
std::size_t edit_distance(std::string_view left, std::string_view right);

/// Gives the candidate nearest to `name`; none when all are far from it.
std::optional<std::string> nearest(std::string_view name,
                                   const std::vector<std::string>& candidates);

/// Gives ", did you mean <candidate>?", or "" when nothing is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace driver
