// SPDX-License-Identifier: MIT
//
// `ol start`: a folder to work in, complete with the support library, that builds on its own.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/kit.hpp"

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace driver {

/// Name of the file that says which exercise a folder belongs to: {"format": 1, "exercise": slug}.
inline constexpr const char* started_file = ".ol.json";

/// Copies the exercise's starter and the support library to `folder`, writes compile_commands.json
/// and .ol.json, and says on `out` what to do next.
/// Errors: BadInput when one of the files exists already; then nothing is written.
void start_exercise(const Exercise& exercise, const Kit& kit, const std::filesystem::path& folder,
                    std::ostream& out);

/// Gives the exercise that `folder` was started for; none when it was not.
/// Errors: BadInput when its .ol.json is broken.
std::optional<std::string> started_exercise(const std::filesystem::path& folder);

}  // namespace driver
